package apply

import (
	"bytes"
	"path"
	"regexp"
	"slices"

	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/linediff"
)

// hereDocument is how a here-document begins whose end must be in column 0: not `<<-` and `<<~`, which are indented with the code.
const hereDocument = `<<<?['"\\]?([A-Za-z_][A-Za-z_0-9]*)['"]?`

// literals tells of each line of d whether it is inside a literal of several lines whose blanks are its text, and on which line
// that begins; -1 for the others. A docstring is none, as it is indented with its code.
func literals(d linediff.Lines, name string) []int {
	out := slices.Repeat([]int{-1}, d.Len())
	begins := regexp.MustCompile(hereDocument)
	for i := 0; i < d.Len(); i++ {
		end := -1
		line := d.Line(i)
		if m := begins.FindSubmatch(line); m != nil {
			end = lineOf(d, i, func(l []byte) bool { return bytes.Equal(bytes.TrimSpace(l), m[1]) })
		}
		for _, quote := range quotes(name) {
			if end < 0 && bytes.Count(line, quote)%2 == 1 && !bytes.HasPrefix(bytes.TrimLeft(line, " \trRbBuUfF"), quote) {
				end = lineOf(d, i, func(l []byte) bool { return bytes.Count(l, quote)%2 == 1 })
			}
		}
		for inside := i + 1; inside <= end; inside++ {
			out[inside] = i
		}
		i = max(i, end)
	}
	return out
}

// quotes are the signs between which a literal may go over several lines in a file of this name.
func quotes(name string) [][]byte {
	switch path.Ext(name) {
	case ".go", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue", ".svelte":
		return [][]byte{[]byte("`")}
	}
	return [][]byte{[]byte(`"""`), []byte("'''")}
}

// lineOf is the first line behind line i that ends what begins there; -1 if there is none.
func lineOf(d linediff.Lines, i int, ends func(line []byte) bool) int {
	for end := i + 1; end < d.Len(); end++ {
		if ends(d.Line(end)) {
			return end
		}
	}
	return -1
}

// withLiterals looks at the literals that come in with translated margins: their blanks may be text rather than indentation, where
// they are no deeper than the line that they begin on. If SEARCH has literals, those show by the file's margins which it is. Else
// neither is known: rival are the margins with literals as written.
func (s *splice) withLiterals(name string, pairs []indent.Pair, margins [][]byte) (settled, rival [][]byte) {
	asText := slices.Clone(margins)
	inside := literals(s.replace, name)
	for _, c := range s.variant.changes() {
		for r := c.r0; r < c.r1; r++ {
			if opener := inside[r]; opener >= 0 && len(indent.Of(s.replace.Line(r))) <= len(indent.Of(s.replace.Line(opener))) {
				asText[r] = indent.Of(s.replace.Line(r))
			}
		}
	}
	if slices.EqualFunc(margins, asText, bytes.Equal) {
		return margins, nil
	}
	shifted, kept := 0, 0
	known := literals(s.search, name)
	for _, q := range pairs {
		switch {
		case known[q.Line] < 0:
		case bytes.Equal(q.Search, q.File):
			kept++
		default:
			shifted++
		}
	}
	switch {
	case shifted > 0 && kept == 0:
		return margins, nil
	case kept > 0 && shifted == 0:
		return asText, nil
	}
	return margins, asText
}
