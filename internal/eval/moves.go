package eval

import "slices"

// moves are edits that move lines within the block, and edits among equal lines.
func moves(g *gen) *Case {
	return choose(g, 0, []func(*gen) *Case{moved, moved, moved, swappedByEdit, oneOfEqual, doubled,
		edited(ask{min: 4, max: 14, swap: true}, repeatsNext)})(g)
}

// still returns a window of kept lines that no other place resembles.
func (g *gen) still(lo, hi int) *draft {
	s := g.source()
	n := g.between(lo, hi)
	d, start := g.anyWindow(s, n)
	if d == nil {
		return nil
	}
	if s.rival(start, start+n) > 0.85 {
		return nil
	}
	return d
}

// distinct reports whether a line is telling and occurs once in the window.
func (d *draft) distinct(i int) bool {
	return telling(d.rows[i].text) && count(d.before(), []string{d.rows[i].text}, squeeze) == 1
}

// repeated returns a window of kept lines, and the first of n inner lines that the window has once
// each. A row o with the text of the first is after them.
func (g *gen) repeated(variant string, lo, hi, n int, o op) (*draft, int) {
	d := g.still(lo, hi)
	if d == nil {
		return nil, 0
	}
	i := g.between(1, len(d.rows)-1-n)
	for k := range n {
		if !d.distinct(i + k) {
			return nil, 0
		}
	}
	d.note(variant)
	d.rows = slices.Insert(d.rows, i+n, rowOf(o, d.rows[i].text))
	return d, i
}

// bentMove bends a block that moves lines, with slips that leave the bytes of those lines clear.
func (g *gen) bentMove(d *draft) *Case {
	if g.variant(1, 3) == 0 {
		return d.finish()
	}
	return g.finishHinted(g.anyOf(dedentAll, indentShift, tabsSpaces, keptTypo, blankDropped, missingLine,
		extraLine).on(g, d))
}

// moved: a line goes up or down by a few lines, sometimes with another indentation.
func moved(g *gen) *Case {
	d := g.still(6, 20)
	if d == nil {
		return nil
	}
	i, by := g.between(1, len(d.rows)-2), g.between(2, 6)
	to := i + by
	if g.chance(0.5) {
		to = i - by
	}
	if to < 1 || to > len(d.rows)-2 || !d.distinct(i) {
		return nil
	}
	l := d.rows[i].text
	d.note("moved")
	if g.chance(0.3) {
		if t := d.indentAfter(to) + l[len(indentOf(l)):]; t != l {
			l = t
			d.note("reindented")
		}
	}
	d.rows[i].op = deleted
	if to > i {
		to++
	}
	d.rows = slices.Insert(d.rows, to, rowOf(added, l))
	return g.bentMove(d)
}

// swappedByEdit: two neighbouring lines change places, and that is the edit.
func swappedByEdit(g *gen) *Case {
	d, i := g.repeated("swapped_by_edit", 5, 16, 2, added)
	if d == nil {
		return nil
	}
	d.rows[i].op = deleted
	return g.bentMove(d)
}

// oneOfEqual: of two equal neighbours one is deleted.
func oneOfEqual(g *gen) *Case {
	d, _ := g.repeated("one_of_equal", 4, 14, 1, deleted)
	if d == nil || g.variant(1, 3) == 0 {
		return d.finish()
	}
	return g.anyOf(dedentAll, indentShift, tabsSpaces, trailingAdded).on(g, d).finishBent()
}

// doubled: a line is written twice on purpose.
func doubled(g *gen) *Case {
	d, _ := g.repeated("doubled", 5, 14, 1, added)
	return d.finish()
}

// repeatsNext: REPLACE ends with the line that follows the match. It may be meant twice, or be a
// slip. The line twice, the line once and a refusal are all right; anything else is wrong.
func repeatsNext(g *gen, d *draft) *Case {
	if len(d.below) == 0 || !telling(d.below[0]) || d.rows[len(d.rows)-1].op != kept {
		return nil
	}
	once := d.result()
	d.note("repeats_next")
	d.rows = append(d.rows, rowOf(added, d.below[0]))
	d.refuseOK = true
	if g.variant(1, 2) == 0 && !g.anyOf(dedentAll, trailingAdded, keptTypo)(g, d) {
		return nil
	}
	c := d.finish()
	if c != nil {
		c.Accept = []map[string]string{{c.Path: once}}
	}
	return c
}
