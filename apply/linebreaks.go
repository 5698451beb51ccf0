package apply

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
)

// brokenInto places a block whose SEARCH is a statement that the file has, broken into other lines, as formatters do. It reports
// whether there is such a place.
func (l *locator) brokenInto(f *findings, v *reading.Reading) bool {
	f.ran(lineBreaks)
	for a := range align.WithLineBreaks(l.doc, v.Search) {
		f.placements = append(f.placements, &placement{
			tier: tierNormalized, strategy: lineBreaks, score: 1, reading: rewritten(v, a), alignment: a, notes: repairs(v),
		})
		if len(f.placements) > maxListed {
			f.truncated = true
			break
		}
	}
	return len(f.placements) > 0
}

// rewritten is v as it changes the statements that a pairs: one that the file breaks into other lines is changed as a whole, with
// REPLACE as it is written, for its lines have no counterparts there.
func rewritten(v *reading.Reading, a align.Alignment) *reading.Reading {
	n := v.Search.Len()
	at := a.BySearch(n)
	for first := 0; first < n; {
		end := first + 1
		if a[at[first]].Relation == align.Reflowed {
			for end < n && a[at[end]].Relation == align.Reflowed && a[at[end]].File < 0 {
				end++
			}
			v = v.AsOne(first, end)
		}
		first = end
	}
	return v
}
