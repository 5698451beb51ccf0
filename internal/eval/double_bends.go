package eval

// doubleBends bend a block in two ways that must be undone by different means.
func doubleBends(g *gen) *Case {
	type pair struct {
		name  string
		of    [2][]slip
		elide bool
	}
	depth := []slip{dedentAll, indentShift, tabsSpaces}
	typos := []slip{keptTypo, deletedTypo, commentSlip}
	p := choose(g, 0, []pair{
		{name: "depth_typo", of: [2][]slip{typos, depth}},
		{name: "depth_line", of: [2][]slip{{missingLine, extraLine}, depth}},
		{name: "depth_marks", of: [2][]slip{depth, {entities, lineNumbers, overescapedQuotes}}},
		{name: "blanks_typography",
			of: [2][]slip{{smartQuotes, nbsp, dashes}, {trailingAdded, innerWidened, blankAdded}}},
		{name: "blanks_typo", of: [2][]slip{typos, {trailingAdded, innerWidened, innerCollapsed, blankDropped}}},
		{name: "typography_line", of: [2][]slip{{missingLine, extraLine}, {smartQuotes, nbsp}}},
		{name: "elided_depth", of: [2][]slip{depth}, elide: true},
		{name: "elided_typo", of: [2][]slip{{keptTypo}}, elide: true},
		{name: "elided_blanks", of: [2][]slip{{trailingAdded, innerWidened}}, elide: true},
		{name: "elided_drift", of: [2][]slip{{driftedLine}}, elide: true},
		{name: "cut_typo", of: [2][]slip{{keptTypo}, {cutFirst}}},
	})
	var d *draft
	if p.elide {
		if d = g.elision(); d == nil {
			return nil
		}
	} else if d = g.edit(ask{min: 6, max: 24}); d == nil {
		return nil
	}
	d.variant = p.name
	for _, slips := range p.of {
		if len(slips) > 0 && !pick(g.rng, slips)(g, d) {
			return nil
		}
	}
	if p.elide && p.name != "elided_depth" && p.name != "elided_blanks" {
		d.refuseOK = true // pieces are short, and a slip in one leaves little to go by
	}
	return g.finishHinted(d)
}
