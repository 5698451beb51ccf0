package align

import (
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// maxUnit is how many lines a unit may go on that SEARCH does not have, and its end be known.
const maxUnit = 64

// closed pairs the closing brackets at the end of SEARCH that the file has further down: the unit that they close has more lines
// there than SEARCH. The programme leaves such a bracket out, as it is worth less than the lines before it cost.
func (a Alignment) closed(doc *strategy.Document, pat *strategy.Pattern, to int) Alignment {
	last := len(a) - 1
	for last >= 0 && a[last].File < 0 {
		if s := a[last].Search; s < 0 || a[last].Relation != Missing || text.HasWord(pat.Line(s)) {
			return a
		}
		last--
	}
	if last < 0 || last == len(a)-1 || a[last].Search < 0 {
		return a
	}
	out, above, file := a[:last+1:last+1], a[last].Search, a[last].File
	for k, p := range a[last+1:] {
		end := unitEnd(doc, pat, above, p.Search, file, to)
		if end < 0 {
			return append(out, a[last+1+k:]...)
		}
		for file++; file < end; file++ {
			out = append(out, Pair{Search: -1, File: file, Relation: Extra})
		}
		out = append(out, Pair{p.Search, file, Relate(pat.Line(p.Search), doc.Line(file)), 1})
		above = p.Search
	}
	return out
}

// unitEnd is the document line that closes what document line file is inside of, if SEARCH line i does so for the line above it,
// which is paired with file; -1 if it does not, or the two are not alike.
func unitEnd(doc *strategy.Document, pat *strategy.Pattern, above, i, file, to int) int {
	if len(text.Margin(pat.Line(i))) >= len(text.Margin(pat.Line(above))) {
		return -1
	}
	depth := len(text.Margin(doc.Line(file)))
	for f := file + 1; f < min(to, file+maxUnit); f++ {
		if line := doc.Line(f); !text.Blank(line) && len(text.Margin(line)) < depth {
			if doc.Key(f) == pat.Key(i) {
				return f
			}
			return -1
		}
	}
	return -1
}
