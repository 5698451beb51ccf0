package apply

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
)

// brokenInto finds a SEARCH that is a statement of the file with different line breaks, such as
// those a formatter makes.
func (s *search) brokenInto(v *reading.Reading) (out []*placement) {
	for a := range align.WithLineBreaks(s.doc, v.Search) {
		out = append(out, &placement{
			tier: tierNormalized, strategy: lineBreaks, score: 1, reading: rewritten(v, a),
			alignment: a,
		})
		if len(out) > maxListed {
			s.truncated = true
			break
		}
	}
	return out
}

// rewritten returns v with each statement that has different line breaks in the file, paired by a,
// changed as a whole. REPLACE is then used as it's written, because its lines have no counterparts.
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
