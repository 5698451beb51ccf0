package apply

import (
	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/strategy"
)

// The bounds of the similarity tier. They were set on blocks bent in known ways and checked on blocks from other
// sources; see docs/architecture.md for how to measure them again.
const (
	// minScore is the part of SEARCH that must stand in the file. Drifted surroundings leave two thirds and more; blocks
	// whose place is gone find less than half elsewhere.
	minScore = 0.6
	// substitutionCost is what a kept line that names something else counts for, in drifted lines: surroundings drift,
	// but a name in place of another one is how twins differ.
	substitutionCost = 2
	// marginFactor is how much more a place must win by than it loses by against any other.
	marginFactor = 4.0
	// marginMin is the least by which a place must win: an edit of one character in a line of some length.
	marginMin = 0.1
)

// guard says why a similar place must not be taken; "" if nothing speaks against it.
//
// What the block changes must stand in the file as SEARCH has it, but for slips; what it keeps may have drifted, as long
// as the file does not speak of something else there.
func (l *locator) guard(p *placement) string {
	if p.score < minScore {
		return "too little of SEARCH stands there"
	}
	a, pat := p.alignment, p.variant.search
	at := a.BySearch(pat.Len())
	p.changes = changes(pat.Document, p.variant.replace)
	touched := make([]bool, pat.Len())
	for _, c := range p.changes {
		for i := c.s0; i < c.s1; i++ {
			touched[i] = true
		}
	}

	drifted, missing, extra := 0, 0, 0
	for i, t := range touched {
		q := a[at[i]]
		line := pat.Line(i)
		blank := indent.Blank(line)
		switch {
		case q.Relation < strategy.Similar:
		case q.Relation == strategy.Missing:
			if blank {
				continue
			}
			if t {
				return "a line that the block changes is not there"
			}
			if definition(line) != nil {
				return "it lacks the definition that SEARCH names"
			}
			missing++
		default:
			kind := l.words.compare(line, l.doc.Line(q.File))
			if kind == slip {
				continue
			}
			if t {
				return "a line that the block changes reads differently there"
			}
			if d := definition(line); d != nil && string(d) != string(definition(l.doc.Line(q.File))) {
				return "it defines something else"
			}
			drifted++
			if kind == substitution {
				drifted += substitutionCost - 1
			}
		}
	}
	for _, q := range a {
		if q.Relation == strategy.Extra && !indent.Blank(l.doc.Line(q.File)) {
			extra++
		}
	}
	switch allowed := 1 + pat.Len()/5; {
	case drifted+missing > allowed:
		return "too many lines of SEARCH read differently there"
	case extra > 2+pat.Len()/3:
		return "too many other lines stand between"
	}
	for _, c := range p.changes {
		if why := l.guardGap(p, at, c); why != "" {
			return why
		}
	}
	return ""
}

// guardGap looks at the place of one change: foreign lines inside it leave open where the new lines go.
func (l *locator) guardGap(p *placement, at []int, c change) string {
	a := p.alignment
	from, to := 0, len(a)-1
	switch {
	case c.s0 < c.s1:
		from, to = at[c.s0], at[c.s1-1]
	default:
		if c.s0 > 0 {
			from = at[c.s0-1]
		}
		if c.s1 < len(at) {
			to = at[c.s1]
		}
	}
	for _, q := range a[from : to+1] {
		if q.Relation == strategy.Extra && !indent.Blank(l.doc.Line(q.File)) {
			return "lines that SEARCH does not have stand where the block makes its change"
		}
	}
	if c.s0 < c.s1 {
		return ""
	}
	// An insertion is placed by its neighbours.
	if c.s0 > 0 && a[at[c.s0-1]].Relation <= strategy.Similar || c.s1 < len(at) && a[at[c.s1]].Relation <= strategy.Similar {
		return ""
	}
	return "neither line beside the insertion stands there"
}
