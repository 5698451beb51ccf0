package apply

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// already searches the file for the block's whole result: REPLACE, at one place only. It is evidence if an added line is
// distinctive, if kept lines occur on both sides of it, or if the place is where the hint says.
func (l *locator) already(v *variant, find windows, distinctive bool) *placement {
	if v.replace.Len() == 0 {
		return nil // a deletion leaves nothing to find
	}
	p := &strategy.Pattern{Document: v.replace, Hint: v.search.Hint}
	var at []int
	for first := range find(l.doc, p) {
		if at = append(at, first); len(at) > 1 {
			return nil
		}
	}
	if len(at) == 0 {
		return nil
	}
	cs := v.changes()
	if !adds(v) || l.leftover(v, cs, at[0]) || !l.evidence(v, cs, at[0], distinctive) {
		return nil
	}
	return &placement{tier: tierAlready, strategy: "exact", score: 1, variant: v, alignment: align.Diagonal(l.doc, p, at[0])}
}

// alreadySimilar is [locator.already] for a block that went in although its kept lines had slips: its result has the same
// ones. What it adds must occur there exactly, with a distinctive line among it.
func (l *locator) alreadySimilar(f *findings, v *variant) *placement {
	result := &variant{name: v.name, search: &strategy.Pattern{Document: v.replace, Hint: v.search.Hint}, replace: v.replace, divider: v.divider}
	var only *placement
	ps, _ := l.candidates(f, result)
	for _, p := range ps {
		if at, _ := p.span(); !l.resultAt(v, p.alignment) || l.leftover(v, v.changes(), at) {
			continue
		}
		if only != nil {
			return nil
		}
		p.tier, only = tierAlready, p
	}
	return only
}

// resultAt reports whether the alignment of REPLACE with the file shows that the block was applied.
func (l *locator) resultAt(v *variant, a align.Alignment) bool {
	telling := false
	for _, p := range a {
		switch {
		case p.Search < 0:
			if !text.Blank(l.doc.Line(p.File)) {
				return false
			}
			continue
		case text.Blank(v.replace.Line(p.Search)):
			continue
		}
		line := v.replace.Line(p.Search)
		kept := v.search.HasLine(line)
		switch {
		case p.Relation < align.Similar:
			telling = telling || !kept && l.distinctive(line)
		case p.Relation > align.Similar || !kept || l.words.compare(line, l.doc.Line(p.File), true) != slip:
			return false
		}
	}
	return telling
}

// leftover reports whether lines that the block deletes at the beginning or end of SEARCH still occur next to that end of the
// place of REPLACE, which begins at file line first: then the block is not applied completely.
func (l *locator) leftover(v *variant, cs []change, first int) bool {
	n := v.search.Len()
	for _, c := range cs {
		if !c.shrinks() {
			continue
		}
		if c.s0 == 0 && l.stillThere(v, c, first-(c.s1-c.s0), first) {
			return true
		}
		if end := first + v.replace.Len(); c.s1 == n && l.stillThere(v, c, end, end+c.s1-c.s0) {
			return true
		}
	}
	return false
}

// stillThere reports whether the file lines from to to-1 have a telling line that c deletes.
func (l *locator) stillThere(v *variant, c change, from, to int) bool {
	keys := l.doc.Keys()
	for i := c.s0; i < c.s1; i++ {
		line := v.search.Line(i)
		if !text.Telling(line) || v.replace.HasLine(line) {
			continue // an "end" may belong to something else, and a line that REPLACE has, too, is not deleted
		}
		for f := max(0, from); f < min(len(keys), to); f++ {
			if keys[f] == v.search.Keys()[i] {
				return true
			}
		}
	}
	return false
}

func (l *locator) evidence(v *variant, cs []change, first int, distinctive bool) bool {
	if v.search.Hint == first+1 && !distinctive {
		return true
	}
	for _, c := range cs {
		if !distinctive && 0 < c.r0 && c.r0 < c.r1 && c.r1 < v.replace.Len() {
			return true
		}
		for r := c.r0; r < c.r1; r++ {
			// A line that SEARCH has, too, except for its blanks, may have been there before.
			if l.distinctive(v.replace.Line(r)) && !v.search.HasLine(v.replace.Line(r)) {
				return true
			}
		}
	}
	return false
}

// distinctive reports whether line occurs once in the file and is telling.
func (l *locator) distinctive(line []byte) bool {
	return !text.Blank(line) && text.Telling(line) && l.doc.CountLine(line, 2) == 1
}

// applied reports whether REPLACE occurs where SEARCH was found: the block was applied before, and its result contains SEARCH
// or resembles it.
func (l *locator) applied(p *placement) bool {
	v := p.variant
	if !adds(v) {
		return false
	}
	from, to := p.span()
	cs := v.changes()
	// Only a window that overlaps the placement counts, so nothing else of the file is searched.
	low, high := max(0, from-v.replace.Len()), min(l.doc.Len(), to+v.replace.Len())
	region := l.doc.Text()[l.doc.Start(low):l.doc.Start(high)]
	if cannotOccur(region, v.replace, cs) {
		return false
	}
	near := strategy.NewDocument(region)
	result := &strategy.Pattern{Document: v.replace}
	cut := 0 // lines at the beginning of REPLACE
	if p.alignment[0].Relation == align.Missing || p.alignment[len(p.alignment)-1].Relation == align.Missing {
		result, cut = withoutBlankEnds(v.replace) // the file lacks SEARCH's, so it lacks these
	}
	occurs := func(find windows) bool {
		for first := range find(near, result) {
			if first += low; first < to && from < first+result.Len() && !l.leftover(v, cs, first-cut) {
				return true
			}
		}
		return false
	}
	if addsWord(v) {
		if l.opt.Policy == Strict {
			return occurs(strategy.ExactWindows)
		}
		return occurs(strategy.KeyWindows) // the exact ones are among them
	}
	return p.tier != tierExact && occurs(strategy.ExactWindows)
}

// withoutBlankEnds is d without the blank lines at its ends, and how many it begins with.
func withoutBlankEnds(d *strategy.Document) (core *strategy.Pattern, cut int) {
	end := d.Len()
	for cut < end && text.Blank(d.Line(cut)) {
		cut++
	}
	for end > cut && text.Blank(d.Line(end-1)) {
		end--
	}
	return (&strategy.Pattern{Document: d}).Slice(cut, end), cut
}

// maxLacking bounds how many of a block's lines are looked for one by one.
const maxLacking = 8

// cannotOccur reports whether one of the first lines that the changes add certainly does not occur in file. This settles most
// blocks before any line gets a key.
func cannotOccur(file []byte, replace *strategy.Document, cs []change) bool {
	looked := 0
	for _, c := range cs {
		for r := c.r0; r < c.r1 && looked < maxLacking; r++ {
			want := replace.Line(r)
			if text.Blank(want) {
				continue
			}
			looked++
			found := false
			for rest := file; len(rest) > 0 && !found; {
				n := bytes.IndexByte(rest, '\n') + 1
				if n == 0 {
					n = len(rest)
				}
				found, rest = strategy.MayRead(rest[:n], want), rest[n:]
			}
			if !found {
				return true
			}
		}
	}
	return false
}

// addsWord reports whether the block adds a line with a word in it, and SEARCH has no such line, blanks aside.
func addsWord(v *variant) bool {
	for _, c := range v.changes() {
		for r := c.r0; r < c.r1; r++ {
			if line := v.replace.Line(r); text.HasWord(line) && !v.search.HasLine(line) {
				return true
			}
		}
	}
	return false
}

// adds reports whether the block adds a line; one that only deletes leaves nothing by which to recognise its result.
func adds(v *variant) bool {
	for _, c := range v.changes() {
		if c.r0 < c.r1 {
			return true
		}
	}
	return false
}
