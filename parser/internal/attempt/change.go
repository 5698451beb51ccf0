package attempt

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// changes watches for lines that are removed and added, one next to the other, where no fence says that they are a diff: below the name of a
// file, below a diff's own lines, behind the signs of comments. Lists look the same, so they are only noticed.
type changes struct {
	begun
	last    int  // the number of the last line of the run
	named   bool // a file is named above it, or a line of a diff begins it
	removes bool
	head    bool // the last line is "--- a.py"
	said    bool
}

// Notice forgets the run where an edit begins or was read, or another speaker.
func (c *changes) Notice(Event) { *c = changes{} }

// hunkHead matches the line above a change in a unified diff.
var hunkHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`) })

// Watch looks at one line.
func (c *changes) Watch(l *Line) *Finding {
	line := withoutMargin(l.Raw)
	if len(line) == 0 || line[0] != '-' && line[0] != '+' && line[0] != '@' {
		return nil
	}
	if l.At.Line != c.last+1 {
		*c = changes{begun: begun{line: l.At.Line}}
	}
	if l.At.Line-c.line < maxApart && line[0] == '-' && !isItem(line) { // below what may be a rule, too
		above := l.Scene.Above(l.At.Start)
		c.named = c.named || slices.ContainsFunc(above[:min(len(above), maxApart)], namesFile)
	}
	c.last = l.At.Line
	head := c.head
	c.head = false
	switch {
	case bytes.HasPrefix(line, []byte("--- ")):
		c.head = true
	case bytes.HasPrefix(line, []byte("+++ ")):
		c.named = c.named || head && namesFile(line[len("+++ "):])
	case line[0] == '@':
		c.named = c.named || hunkHead().Match(line)
	case line[0] == '-':
		c.removes = true
	case c.named && c.removes && !c.said:
		c.said = true
		return c.doubt(l.At.Line, "text that looks like a diff")
	}
	return nil
}

// withoutMargin removes what is before a line of a text as a whole: the sign of a comment or a quotation, a number.
func withoutMargin(raw []byte) []byte {
	line := bytes.TrimRight(bytes.TrimLeft(raw, " \t"), "\r\n")
	for _, sign := range [...]string{"# ", "// ", "> ", "; "} {
		if rest, ok := bytes.CutPrefix(line, []byte(sign)); ok {
			return rest
		}
	}
	return line[numberLen(line):]
}

// isItem reports whether a line may be an item of a list, or a rule.
func isItem(line []byte) bool {
	rest := bytes.TrimLeft(line, "-")
	return text.Blank(rest) && len(line) > 1 || len(line)-len(rest) > 1 || len(rest) > 1 && rest[0] == ' ' && rest[1] != ' '
}

// namesFile reports whether a line begins with the name of a file, and says little else.
func namesFile(line []byte) bool {
	line = withoutMargin(line)
	if !bytes.ContainsAny(line, `./\`) && !bytes.Contains(line, []byte("file")) {
		return false // filename.Likely takes no name without one of these
	}
	name, strength := filename.OfLine(line)
	if strength >= filename.Plain && filename.Likely(name) {
		return true
	}
	word, rest, _ := bytes.Cut(bytes.TrimSpace(line), []byte("`"))
	return mdline.IsFence(append([]byte("`"), rest...)) && filename.Likely(string(bytes.TrimSpace(word)))
}
