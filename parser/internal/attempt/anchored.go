package attempt

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// anchored watches for edits whose places only the tool knows that showed the file: mentat's, between "@@start" and "@@end" with numbers of
// lines in JSON, and those of oh-my-pi, below a file's name with a hash, "¶a.py#E966".
type anchored struct {
	begun
}

// Notice forgets what has begun where another speaker begins.
func (a *anchored) Notice(e Event) {
	if e == Speaks {
		*a = anchored{}
	}
}

// Watch looks at one line.
func (a *anchored) Watch(l *Line) *Finding {
	switch line := string(bytes.TrimSpace(l.Raw)); {
	case line == "@@start":
		a.begun = begun{line: l.At.Line, found: line}
	case a.line > 0 && (line == "@@code" || line == "@@end"):
		b := a.begun
		*a = anchored{}
		inside := l.Scene.Above(l.At.Start)
		inside = inside[:min(len(inside), l.At.Line-b.line-1)]
		if slices.ContainsFunc(inside, func(line []byte) bool { return bytes.Contains(line, []byte(`"action"`)) }) {
			return anchoredBy("mentat", b)
		}
	case isHashed(line):
		return anchoredBy("oh-my-pi", begun{line: l.At.Line, found: mdline.Excerpt(l.Raw)})
	}
	return nil
}

func anchoredBy(tool string, b begun) *Finding {
	b.found = fmt.Sprintf("%q, an edit of %s", b.found, tool)
	return b.finding(diagnosis.Malformed, "the lines to change, as they are in the file", "write the change as a block: only "+tool+" knows which lines it means")
}

// isHashed reports whether a line is the name of a file with the hash of what was shown of it.
func isHashed(line string) bool {
	name, hash, ok := strings.Cut(line, "#")
	return ok && strings.HasPrefix(name, "¶") && len(name) > len("¶") && len(hash) == 4 && strings.Trim(hash, "0123456789ABCDEF") == ""
}
