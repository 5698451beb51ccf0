package eval

import "slices"

// indentAndSlip blocks have lost indentation in part, and have another slip.
func indentAndSlip(g *gen) *Case {
	d := g.edit(ask{min: 7, max: 26, margin: 0.7})
	if d == nil ||
		!choose(g, 0, []slip{keptTypo, keptTypo, trailingAdded, missingLine, extraLine, driftedLine})(g, d) ||
		!choose(g, 1, depthSlips())(g, d) {
		return nil
	}
	return g.finishHinted(d)
}

func depthSlips() []slip {
	return slices.Concat([]slip{firstCutBoth, firstCutSearch}, offSlips(), []slip{searchAtMargin, searchShort,
		searchDeep, firstDeep, unitsBoth, unitsBothDedented, unitsSearch, unitsMixed})
}

// driftedLine changes a line in the file, away from the edit.
func driftedLine(g *gen, d *draft) bool {
	d.note("drifted")
	at := slices.DeleteFunc(d.loose(func(r row) bool { return telling(r.text) }),
		func(i int) bool { return isDefinition(d.rows[i].text) })
	if len(at) == 0 {
		return false
	}
	r := &d.rows[pick(g.rng, at)]
	was := r.text
	r.text = g.reworded(d.src, was)
	return r.text != was
}
