package reading

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
)

// curlyString matches a string in curly quotes where code may have a string: at the beginning of a
// line or after punctuation or a keyword, and at the end of a line or before one of these. Group 3
// is the text between double quotes, group 4 the text between single quotes. Groups 1, 2 and 5 are
// what surrounds the string.
var curlyString = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[=(\[{,:+!<>&|?%~*/;]|` +
		`\b(?:return|in|not|and|or|if|elif|else|when|case|import|from|print|echo)\b)([ \t]*)` +
		`(?:[“”„]([^“”„"]*)[“”„]|[‘’‚]([^‘’‚']*)[‘’‚])` +
		`([ \t]*(?:$|[)\]},:;.+=!<>&|?%*/#\[]|\b(?:not|in|and|or|is|if|else|as|for|from)\b))`)
})

// Straightened returns REPLACE with straight quotes around strings of code if only REPLACE has
// curly ones: the lines that SEARCH has instead must have straight quotes of the same kind, and
// SEARCH no curly ones. Curly quotes in comments, in prose and in strings with straight quotes are
// text and stay as they are. The document doesn't matter.
func Straightened(path string, search, replace []byte) []byte {
	const curly = "“”„‟‘’‚‛"
	if !text.IsCode(path) || !bytes.ContainsAny(replace, curly) || bytes.ContainsAny(search, curly) {
		return replace
	}
	v := New(search, replace, 0)
	lines := Lines(v.Replace)
	for _, c := range v.Hunks() {
		// old are the lines that show which quotes the code has: all, if the hunk replaces none.
		old := Lines(v.Search.Document)
		if c.S0 < c.S1 {
			old = old[c.S0:c.S1]
		}
		for r := c.R0; r < c.R1; r++ {
			if text.IsComment(lines[r]) {
				continue
			}
			// group is the group of curlyString with the text between quotes of this kind.
			for _, q := range []struct{ quote, group string }{{`"`, "3"}, {`'`, "4"}} {
				has := func(line []byte) bool { return bytes.Count(line, []byte(q.quote)) > 1 }
				if bytes.Contains(lines[r], []byte(q.quote)) || !slices.ContainsFunc(old, has) {
					continue // the line is written with straight quotes, or none are known
				}
				lines[r] = curlyString().ReplaceAllFunc(lines[r], func(m []byte) []byte {
					if group := curlyString().FindSubmatch(m); group[q.group[0]-'0'] == nil {
						return m
					}
					return curlyString().ReplaceAll(m, []byte("$1$2"+q.quote+"$"+q.group+q.quote+"$5"))
				})
			}
		}
	}
	var out []byte
	for r, line := range lines {
		out = append(append(out, line...), v.Replace.EOL(r)...)
	}
	return out
}
