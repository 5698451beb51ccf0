package eval

import "slices"

// leavesRecordOut reports whether a line like one of SEARCH's is left out. The block may then end
// at that record.
func (d *draft) leavesRecordOut() bool {
	search := d.search()
	return d.some(func(r row) bool {
		like := func(l string) bool { return alike(sign(squeeze(l)), sign(squeeze(r.text))) > 0.4 }
		return r.op == unsaid && telling(r.text) && slices.ContainsFunc(search, like)
	})
}

// elidedEnds blocks have an ellipsis. The piece after it occurs twice below the piece before it.
func elidedEnds(g *gen) *Case {
	d := g.elision()
	if d == nil {
		return nil
	}
	mark := slices.IndexFunc(d.rows, func(r row) bool { return r.op == invented })
	next := mark + 1
	for next < len(d.rows) && d.rows[next].op == unsaid {
		next++
	}
	tail := (&draft{rows: d.rows[next:]}).before()
	edits := slices.ContainsFunc(d.rows[next:], func(r row) bool { return r.op != kept })
	depth := func(l string) int { return len(indentOf(l)) }
	if blank(d.rows[mark-1].text) || len(tail) == 0 || !telling(tail[0]) {
		return nil
	}
	if slices.ContainsFunc(tail, func(l string) bool {
		return !blank(l) && depth(l) < max(1, depth(d.rows[mark].text)) || isDefinition(l)
	}) {
		return nil // the first end closes the unit, so the second is another unit's
	}
	deeper := g.variant(1, 2) == 0
	floor := max(depth(d.rows[mark].text), depth(tail[0]))
	if !deeper {
		// Depth favours no earlier end only if all lines are as deep as those around the ellipsis.
		floor = max(floor, depth(d.rows[mark-1].text))
	}
	for _, r := range d.rows[mark+1 : next] {
		if !blank(r.text) && depth(r.text) < floor || isDefinition(r.text) {
			return nil // another unit begins in the lines left out
		}
	}
	d.refuseOK = d.leavesRecordOut()
	shallow := func(l string) bool { return !blank(l) && depth(l) < floor }
	if !deeper && (slices.ContainsFunc(tail, shallow) || d.refuseOK && edits) {
		return nil
	}
	var copied []row
	for _, l := range tail {
		if deeper && !blank(l) {
			l = d.src.unit + l
		}
		copied = append(copied, rowOf(unsaid, l))
	}
	if deeper {
		// A copy a level deeper does not end the ellipsis.
		d.note("deeper")
		d.rows = slices.Insert(d.rows, next-1, copied...)
		return d.finishBent()
	}
	d.note("level")
	d.rows = slices.Insert(d.rows, next-1, copied...)
	if edits {
		d.refuse, d.meant = true, true
		d.note("edited")
	}
	return d.finishBent()
}
