package eval

import "slices"

// edges are blocks at the first or last line of a file, and files of a few lines.
func edges(g *gen) *Case {
	what := choose(g, 0, []string{"tiny", "tiny", "whole", "first", "last", "insert_first",
		"insert_last", "insert_last", "delete_last", "blank_end", "emptied"})
	var d *draft
	switch what {
	case "insert_first", "insert_last":
		d = g.insertAtEdge(what == "insert_first")
	case "tiny":
		d = g.edit(ask{min: 1, max: 4, ops: 1, swap: true})
	case "delete_last":
		d = g.edit(ask{min: 3, max: 12, remove: true})
	default:
		d = g.edit(ask{min: 2, max: 14})
	}
	if d == nil {
		return nil
	}
	d.note(what)
	above, below := g.between(0, 3), g.between(0, 3)
	switch what {
	case "whole", "emptied":
		above, below = 0, 0
	case "first", "insert_first":
		above, below = 0, len(d.below)
	case "last", "insert_last", "delete_last", "blank_end":
		above, below = len(d.above), 0
	}
	d.above, d.below = d.above[len(d.above)-min(above, len(d.above)):], d.below[:min(below, len(d.below))]
	last := d.rows[len(d.rows)-1]
	switch what {
	case "emptied":
		d.rows = slices.DeleteFunc(d.rows, func(r row) bool { return !r.op.before })
		for i := range d.rows {
			d.rows[i].op = deleted
		}
		return d.finish()
	case "delete_last":
		if last.op != deleted {
			return nil
		}
	case "blank_end":
		// SEARCH and REPLACE end with a blank line that the file does not have.
		if last.op != kept || blank(last.text) {
			return nil
		}
		d.rows = append(d.rows, rowOf(invented, ""))
		return d.finishBent()
	case "insert_last":
		if g.chance(0.3) {
			// The file ends with blank lines.
			d.below = slices.Repeat([]string{""}, g.between(1, 3))
		}
	}
	if len(d.below) == 0 && g.chance(0.4) && !blank(last.text) && last.op != deleted {
		d.bytes.noFinal = true
		d.acceptFinalNL = last.op != kept
		d.note("no_final")
	}
	if g.variant(1, 2) == 0 {
		return d.finish()
	}
	if !g.anyOf(dedentAll, indentShift, tabsSpaces, trailingAdded, innerWidened,
		keptTypo, blankDropped, missingLine)(g, d) {
		return nil
	}
	// In a block of a few lines a slip leaves little to go by.
	d.refuseOK = len(d.before()) < 4
	return d.finishBent()
}

// insertAtEdge adds lines before the first or after the last line of a window, and changes nothing
// else.
func (g *gen) insertAtEdge(top bool) *draft {
	s := g.source()
	n := g.between(1, 6)
	d, start := g.anyWindow(s, n)
	if d == nil {
		return nil
	}
	at, in := n-1, indentOf(d.rows[n-1].text)
	if top {
		at, in = -1, indentOf(d.rows[0].text)
	}
	g.insertAfter(d, at, g.statement(d, in))
	return g.judge(d, start, start+n, ask{})
}
