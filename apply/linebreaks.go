package apply

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
)

// brokenInto finds a SEARCH that is a statement which the file has, broken into other lines, as
// formatters do.
func (s *search) brokenInto(v *reading.Reading) (out []*placement) {
	for a := range align.WithLineBreaks(s.doc, v.Search) {
		out = append(out, &placement{
			tier: tierNormalized, strategy: lineBreaks, score: 1, reading: rewritten(v, a),
			alignment: a, notes: repairs(v),
		})
		if len(out) > maxListed {
			s.truncated = true
			break
		}
	}
	return out
}

// rewritten is v as it changes the statements that a pairs: one that the file breaks into other
// lines is changed as a whole, with REPLACE as it is written, for its lines have no counterparts
// there.
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
