package eval

import (
	"slices"
	"strings"
)

// The slips in this file use tabs, or another number of blanks per level than the file.

// otherUnit returns another unit than the file's.
func (g *gen) otherUnit(d *draft) string {
	units := []string{"\t", "  ", "   ", "    ", "        "}
	return choose(g, 2, slices.DeleteFunc(units, func(u string) bool { return u == d.src.unit }))
}

// wholeLevels reports whether all lines of the block are indented by whole levels.
func (d *draft) wholeLevels() bool {
	return !d.some(func(r row) bool {
		return !blank(r.text) && strings.ReplaceAll(indentOf(r.text), d.src.unit, "") != ""
	})
}

// inUnit writes a line's levels in another unit.
func (d *draft) inUnit(l, unit string) string {
	in := indentOf(l)
	return strings.ReplaceAll(in, d.src.unit, unit) + l[len(in):]
}

// depthsShown reports whether SEARCH shows the depths of the added lines: it has each of them, or
// two from which the unit follows.
func (d *draft) depthsShown() bool {
	shown := map[string]bool{}
	deep := false
	for _, r := range d.rows {
		if r.op.search && r.op.before && !blank(r.search) {
			shown[indentOf(r.search)] = true
			deep = deep || indentOf(r.search) != indentOf(r.text)
		}
	}
	return deep && (len(shown) > 1 || !d.some(func(r row) bool {
		return r.op == added && !blank(r.replace) && !shown[indentOf(r.replace)]
	}))
}

func unitsBoth(g *gen, d *draft) bool {
	unit := g.otherUnit(d)
	d.note("both_" + nameBlank(unit))
	return d.wholeLevels() && d.bend(every, func(l string) string { return d.inUnit(l, unit) }) && d.depthsShown()
}

// unitsBothDedented also removes the common indentation.
func unitsBothDedented(g *gen, d *draft) bool {
	unit, common := g.otherUnit(d), d.commonIndent()
	d.note("both_dedented_" + nameBlank(unit))
	levels := map[string]bool{}
	for _, r := range d.rows {
		if r.op.search && r.op.before && !blank(r.text) {
			levels[indentOf(r.text)] = true
		}
	}
	return common != "" && len(levels) > 1 && d.wholeLevels() &&
		d.bend(every, func(l string) string { return d.inUnit(strings.TrimPrefix(l, common), unit) })
}

// unitsSearch has REPLACE as the file would.
func unitsSearch(g *gen, d *draft) bool {
	unit := g.otherUnit(d)
	d.note("search_" + nameBlank(unit))
	d.bendSearch(func(l string) string { return d.inUnit(l, unit) })
	return d.wholeLevels() && d.replaceShowsDepth() && d.staysIndented()
}

func unitsSearchDedented(g *gen, d *draft) bool {
	unit, in := g.otherUnit(d), d.outermost(op.inSearch)
	d.note("search_dedented_" + nameBlank(unit))
	d.bendSearch(func(l string) string { return d.inUnit(strings.TrimPrefix(l, in), unit) })
	return in != "" && d.wholeLevels() && d.replaceShowsDepth() && d.staysIndented() &&
		slices.ContainsFunc(d.search(), func(l string) bool { return indentOf(l) != "" })
}

// staysIndented reports whether REPLACE repeats an indented line exactly as in the file.
func (d *draft) staysIndented() bool {
	return d.some(func(r row) bool {
		return r.op == kept && telling(r.text) && indentOf(r.text) != "" && indentOf(r.replace) == indentOf(r.text)
	})
}

// unitsMixed writes some lines with tabs and some with blanks; SEARCH has both.
func unitsMixed(g *gen, d *draft) bool {
	other := "\t"
	if d.src.unit == "\t" {
		other = "    "
	}
	d.note("mixed")
	chosen := g.onSome(0.4, func(l string) string { return d.inUnit(l, other) })
	if !d.wholeLevels() || !d.bend(every, chosen) {
		return false
	}
	// SEARCH shows what a tab or a blank in a new line means.
	shows := func(unit string) bool {
		return d.some(func(r row) bool {
			return r.op.search && r.op.before && strings.HasPrefix(r.search, unit) && !blank(r.search)
		})
	}
	return shows(other) && shows(d.src.unit)
}
