package attempt

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// sentence finds an edit that is asked for in words, with both texts and the file in one line: "In `a.py`, replace `x` with `y`." Such words
// also tell what a block does, so they are only noticed, and the parser drops them where a block does it.
type sentence struct{ one }

// request matches a request with both texts as code. Its verb begins it, but for the file and for what joins it to the text above: "Then in
// `a.py`, change `x` to `y`". In all other places a verb tells what is done.
var request = sync.OnceValue(func() *regexp.Regexp {
	const (
		before = "^\\W*(?:\\d+[.)]\\s+)?(?:(?:and|also|then|next|finally|please|now),?\\s+)*"
		file   = "(?:(?:in|inside|within)\\s+(?:the\\s+)?(?:file\\s+)?\\S+\\s*(?:please\\s+)?)?"
		filler = "(?:(?:the|a|an|this|each|every|all|line|lines|text|code|string|it|occurrences?|of|and|replace|change),?\\s+)*"
	)
	return regexp.MustCompile("(?i)" + before + file + "(?:replace|change|find|rename|swap|substitute|update)\\s+" + filler + "`([^`]+)`,?\\s+" +
		filler + "(?:with|to|by|into)\\s+" + filler + "`([^`]+)`")
})

// maxSentence is how long a line with such a request may be, in bytes.
const maxSentence = 1000

// mayRequest reports quickly whether a line may be such a request.
func mayRequest(raw []byte) bool {
	return len(raw) < maxSentence && (bytes.IndexByte(raw, '`') >= 0 && bytes.Count(raw, []byte("`")) >= 4 || len(dividerIn(raw)) > 0)
}

// dividerIn is what is between the texts of a block that is written in one line. Where it is glued to them, as in a block whose line ends were
// typed (\n, <br>), the line has to begin with the opener.
func dividerIn(raw []byte) []byte {
	const divider = " ======= "
	if bytes.Contains(raw, []byte(divider)) {
		return []byte(divider)
	}
	if glued := strings.TrimSpace(divider); bytes.HasPrefix(bytes.TrimLeft(raw, " \t"), []byte("<<<<<<< ")) && bytes.Contains(raw, []byte(glued)) {
		return []byte(glued)
	}
	return nil
}

// Watch looks at one line.
func (sentence) Watch(l *Line) *Finding {
	if !mayRequest(l.Raw) {
		return nil
	}
	b := begun{line: l.At.Line}
	if divider := dividerIn(l.Raw); divider != nil {
		_, after, _ := bytes.Cut(l.Raw, divider)
		if !isOneLine(l.Raw, after) || nameIn(string(l.Raw)) == "" && !l.Scene.File(l.At).Direct() {
			return nil
		}
		return b.doubt(l.At.Line, "a block in a line of text")
	}
	if _, _, open := l.Scene.Fence(); open {
		return nil
	}
	m := request().FindSubmatch(l.Raw)
	if m == nil || bytes.HasSuffix(bytes.TrimSpace(l.Raw), []byte(":")) {
		return nil
	}
	named := nameIn(string(l.Raw))
	if named == "" && !l.Scene.File(l.At).Direct() {
		return nil
	}
	if filename.Likely(string(m[1])) && filename.Likely(string(m[2])) {
		return nil
	}
	f := b.doubt(l.At.Line, "an edit in words: "+mdline.Excerpt(l.Raw))
	f.Old, f.New, f.Named = string(m[1]), string(m[2]), named
	return f
}

// isOneLine reports whether a line with a divider in it has a word of either side of a block, too.
func isOneLine(line, after []byte) bool {
	upper := string(bytes.ToUpper(line[:len(line)-len(after)]))
	return strings.Contains(upper, "SEARCH") || strings.Contains(upper, "<<<") || bytes.Contains(after, []byte("REPLACE")) || bytes.Contains(after, []byte(">>>"))
}

// nameIn is the first file that a text names; "" if it names none.
func nameIn(text string) string {
	for name := range filename.InProse([]byte(text)) {
		if filename.Likely(name) {
			return name
		}
	}
	return ""
}
