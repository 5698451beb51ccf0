package eval

import (
	"slices"
	"strings"
)

// partlyDone files already contain the first or last lines that the block adds. Adding the rest and
// refusing are both right.
func partlyDone(g *gen, d *draft) *Case {
	at := d.where(func(r row) bool { return r.op == added })
	if len(at) < 2 || at[len(at)-1]-at[0] != len(at)-1 || at[0] == 0 || at[len(at)-1] == len(d.rows)-1 {
		return nil
	}
	n := g.between(1, len(at)-1)
	some := at[:n]
	d.note("begin")
	if g.variant(0, 2) == 0 {
		some = at[len(at)-n:]
		d.variant = "end"
	}
	if !slices.ContainsFunc(some, func(i int) bool { return telling(d.rows[i].text) }) ||
		slices.ContainsFunc(at, func(i int) bool { return blank(d.rows[i].text) }) {
		return nil // unclear which lines are there already
	}
	for _, i := range at {
		if d.some(func(r row) bool {
			return r.op != added && telling(r.text) && squeeze(r.text) == squeeze(d.rows[i].text)
		}) {
			return nil // unclear which of the two it is
		}
	}
	for _, i := range some {
		d.rows[i].op = present
	}
	if g.variant(1, 2) == 0 {
		// The deleted lines are gone, too.
		for _, i := range d.where(func(r row) bool { return r.op == deleted }) {
			d.rows[i].op = misread
		}
		d.note("dropped")
	}
	d.refuseOK = true
	if g.chance(0.3) && !g.anyOf(dedentAll, trailingAdded, innerWidened)(g, d) {
		return nil
	}
	return d.finishBent()
}

// unseenLine files have a line directly above or below the change that the block doesn't know.
func unseenLine(g *gen) *Case {
	if g.variant(0, 4) == 0 {
		return edited(ask{min: 6, max: 20, ops: 1}, grownUnit)(g)
	}
	d := g.edit(ask{min: 5, max: 20, ops: 1, edges: true})
	if d == nil || d.src.lang.name == "prose" {
		return nil
	}
	from, to := -1, -1
	for i, r := range d.rows {
		if r.op == added || r.op == deleted {
			if from < 0 {
				from = i
			}
			to = i
		}
	}
	if from < 2 || to > len(d.rows)-3 {
		return nil
	}
	swapped := d.rows[from].op == deleted && d.rows[to].op == added
	unseen := rowOf(unsaid, g.line(d, indentOf(d.rows[from].text)))
	if !telling(unseen.text) ||
		d.some(func(r row) bool { return squeeze(r.text) == squeeze(unseen.text) }) {
		return nil
	}
	d.atBorder = true
	above := g.chance(0.4)
	if above {
		d.note("above")
		if swapped && joined(d.rows[from].text, false) != joined(d.added()[0], false) {
			d.refuse = true
		}
		d.rows = slices.Insert(d.rows, from, unseen)
	} else {
		d.note("below")
		lines := d.lines(func(o op) bool { return o.before && !o.after }, fileText)
		if swapped && joined(lines[len(lines)-1], true) != joined(d.rows[to].text, true) {
			d.refuse = true
		}
		d.rows = slices.Insert(d.rows, to+1, unseen)
	}
	switch {
	case d.refuse:
		d.note("other_joint")
	case swapped:
		d.note("swapped")
		d.refuseOK = len(d.added()) != len(d.lines(func(o op) bool { return o.before && !o.after }, fileText))
	default:
		// An insertion may belong on either side of the line. After a deletion, the rest of a list
		// is unclear.
		d.refuseOK = true
		d.note("one_sided")
		if !d.sideHasOp(deleted) {
			d.refuse = false
			c := d.finishBent()
			if c == nil {
				return nil
			}
			c.Accept = []map[string]string{{c.Path: otherSide(d, unseen.text)}}
			return c
		}
	}
	return d.finishBent()
}

// added returns the lines that the edit adds.
func (d *draft) added() []string {
	return d.lines(func(o op) bool { return o == added }, fileText)
}

// otherSide returns the resulting file with the added lines on the other side of the unseen line.
func otherSide(d *draft, unseen string) string {
	o := *d
	o.rows = slices.Clone(d.rows)
	i := slices.IndexFunc(o.rows, func(r row) bool { return r.op == unsaid && r.text == unseen })
	r := o.rows[i]
	o.rows = slices.Delete(o.rows, i, i+1)
	k := slices.IndexFunc(o.rows, func(r row) bool { return r.op == added })
	if i <= k {
		for k < len(o.rows) && o.rows[k].op == added {
			k++
		}
	}
	o.rows = slices.Insert(o.rows, k, r)
	return o.result()
}

// joined returns the sign at a line's end or beginning that joins it to the next line or the one
// above. It returns 0 if there is none, or if the line may have a comment.
func joined(l string, end bool) byte {
	l = strings.TrimSpace(l)
	switch {
	case l == "" || strings.Contains(l, "//") || strings.Contains(l, "*") || strings.Contains(l, "# "):
	case end && strings.IndexByte(`,([{+|&=:\`, l[len(l)-1]) >= 0:
		return l[len(l)-1]
	case !end && strings.IndexByte(",.|&?)]}", l[0]) >= 0:
		return l[0]
	}
	return 0
}

// grownUnit files have gained lines in the unit that the block's last line ends. The block adds
// lines after that.
func grownUnit(g *gen, d *draft) *Case {
	if len(d.below) == 0 {
		return nil
	}
	n := len(d.rows)
	last, above := d.rows[n-1], d.rows[n-2]
	if last.op != kept || above.op != kept || telling(last.text) || blank(last.text) ||
		blank(above.text) || len(indentOf(last.text)) >= len(indentOf(above.text)) {
		return nil
	}
	var more []row
	for range g.between(1, 2) {
		more = append(more, rowOf(unsaid, g.line(d, indentOf(above.text))))
	}
	d.rows = slices.Insert(d.rows, n-1, more...)
	g.insertAfter(d, len(d.rows)-1, g.statement(d, indentOf(last.text)))
	d.note("grown_unit")
	d.refuseOK = true
	return d.finishBent()
}

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
