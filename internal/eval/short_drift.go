package eval

import "strings"

// shortDrift blocks have two to four lines. One that the edit keeps has changed in the file. The
// lines that the edit changes are there, and unique.
func shortDrift(g *gen) *Case {
	d, i := g.drifting(ask{min: 2, max: 4, ops: 1, swap: true, margin: 0.75})
	if d == nil || !d.changesOnlyLine() || !g.drifts(d, i) || !d.clearWithout(i) {
		return nil
	}
	return g.finishHinted(d)
}

// clearWithout reports whether a reader would know the place by what is left of the block when row
// i has drifted: the row is still like itself, or three quarters of what the block says are there,
// and it begins no record.
func (d *draft) clearWithout(i int) bool {
	r := d.rows[i]
	if r.op == kept && strings.HasPrefix(r.text, r.search) {
		return true // a comment was added
	}
	if i+1 < len(d.rows) && len(indentOf(d.rows[i+1].search)) > len(indentOf(r.search)) {
		return false
	}
	if r.op == kept && alike(sign(squeeze(r.text)), sign(squeeze(r.search))) > 0.7 {
		return true
	}
	left := 0
	for _, o := range d.rows {
		if o.op.before && o.op.search && o.text == o.search && telling(o.text) {
			left += len(squeeze(o.text))
		}
	}
	return left >= 3*len(squeeze(r.search))
}

// drifting returns an edit, and a line that it keeps and that names nothing.
func (g *gen) drifting(a ask) (*draft, int) {
	d := g.edit(a)
	if d == nil || len(d.src.lines) < 40 {
		return nil, 0
	}
	at := d.where(func(r row) bool { return r.op == kept && telling(r.text) && !isDefinition(r.text) })
	if len(at) == 0 {
		return nil, 0
	}
	return d, pick(g.rng, at)
}

// drifts gives the file another version of row i.
func (g *gen) drifts(d *draft, i int) bool {
	r := &d.rows[i]
	was := r.text
	switch g.variant(1, 8) {
	case 0:
		return translated(g, d, r) && r.text != was
	case 1:
		return annotated(g, d, r)
	case 2:
		d.note("commented")
		if isComment(d.src, r.text) || d.src.lang.comment == "" {
			return false
		}
		r.text += " " + d.src.lang.comment + g.word() + " " + g.word() + d.src.lang.commentEnd
	case 3:
		d.note("gone")
		r.op = invented
		return d.rows[0].op != invented || len(d.rows) > 2
	case 4:
		d.note("part_renamed")
		r.text = g.replaceOne(r.text, identifier, g.otherUnlessKeyword)
	default:
		d.note("rewritten")
		r.text = g.reworded(d.src, r.text)
	}
	return r.text != was
}
