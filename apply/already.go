package apply

import (
	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/strategy"
)

// already looks for the block's whole result in the file: the lines REPLACE adds, in place among the lines it keeps, at
// one place only. It counts as evidence that an added line is distinctive, or that kept lines stand on both sides of it,
// or that it is where the hint says.
func (l *locator) already(v *variant) *placement {
	if v.replace.Len() == 0 {
		return nil // nothing stands where something was deleted
	}
	p := &strategy.Pattern{Document: v.replace, Hint: v.search.Hint}
	var at []int
	for first := range strategy.KeyWindows(l.doc, p) {
		if at = append(at, first); len(at) > 1 {
			return nil
		}
	}
	if len(at) == 0 {
		return nil
	}
	cs := changes(v.search.Document, v.replace)
	added := 0
	for _, c := range cs {
		if c.r0 == c.r1 {
			return nil // a deletion leaves no trace
		}
		added += c.r1 - c.r0
	}
	if added == 0 {
		return nil
	}
	if !l.evidence(v, cs, at[0]) {
		return nil
	}
	return &placement{tier: tierAlready, strategy: "exact", score: 1, variant: v, alignment: strategy.Straight(l.doc, p, at[0])}
}

func (l *locator) evidence(v *variant, cs []change, first int) bool {
	if v.search.Hint == first+1 {
		return true
	}
	for _, c := range cs {
		if c.r0 > 0 && c.r1 < v.replace.Len() {
			return true
		}
		for r := c.r0; r < c.r1; r++ {
			if l.distinctive(v.replace.Line(r)) {
				return true
			}
		}
	}
	return false
}

// distinctive reports whether line stands once in the file and says something.
func (l *locator) distinctive(line []byte) bool {
	return !indent.Blank(line) && strategy.Weight(line) > 4 && l.doc.CountLine(line, 2) == 1
}

// applied reports whether REPLACE stands exactly where a tolerant match was found: the block was applied before, and its
// own result resembles SEARCH.
func (l *locator) applied(p *placement) bool {
	if p.tier == tierExact || !adds(p.variant) {
		return false
	}
	from, to := p.span()
	for first := range strategy.ExactWindows(l.doc, &strategy.Pattern{Document: p.variant.replace}) {
		if first < to && from < first+p.variant.replace.Len() {
			return true
		}
	}
	return false
}

// adds reports whether the block adds a line; what only deletes leaves nothing to be known by.
func adds(v *variant) bool {
	for _, c := range changes(v.search.Document, v.replace) {
		if c.r0 < c.r1 {
			return true
		}
	}
	return false
}
