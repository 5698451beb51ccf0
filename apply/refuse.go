package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/strategy"
)

// maxListed bounds how many places a report lists.
const maxListed = 20

// refuse settles the item as not found or ambiguous, with all that helps to mend the block.
func (f *file) refuse(it *item, found findings, doc *strategy.Document) {
	it.report.Tried = found.tried
	it.report.Searched = &[2]int{1, doc.Len()}
	if len(found.placements) > 1 {
		f.refuseAmbiguous(it, found)
		return
	}
	it.fail(NotFound, "SEARCH does not stand in the file; copy it from there as it is")
	if found.budget {
		it.fail(Budget, "the search ended before all of the file was looked at")
	}
	it.report.Needed = max(minScore, f.run.opt.Threshold)
	if p := found.near; p != nil {
		a, b := p.span()
		it.report.Score = p.score
		it.report.Nearest = &Nearest{
			Lines: [2]int{a + 1, b},
			Text:  string(doc.Text()[doc.Start(a):doc.Start(b)]),
			Score: p.score,
		}
		it.report.Message = fmt.Sprintf("SEARCH does not stand in the file; lines %d to %d are nearest, but %s", a+1, b, found.against)
	}
}

func (f *file) refuseAmbiguous(it *item, found findings) {
	ps := slices.Clone(found.placements)
	slices.SortFunc(ps, func(a, b *placement) int { return first(a) - first(b) })
	var at []int
	var list []string
	for _, p := range ps[:min(len(ps), maxListed)] {
		at = append(at, first(p)+1)
		list = append(list, fmt.Sprint(first(p)+1))
	}
	more := ""
	if len(ps) > maxListed {
		more = ", ..."
	}
	it.fail(Ambiguous, fmt.Sprintf("SEARCH fits %d places (lines %s%s); add lines around it that only one of them has", len(ps), strings.Join(list, ", "), more))
	it.report.Candidates = at
	it.report.Score = ps[0].score
}
