package eval

import (
	"slices"
	"strings"
)

// The slips in this file bend the indentation of parts of a block: its first line, one line, or
// only SEARCH. The right result stays certain because other lines show it. If none does, a slip
// reports false.

// firstLineCut blocks begin after the indentation of their first line, as text copied from the
// middle of a line does.
func firstLineCut(g *gen) *Case {
	d := g.topEdit(choose(g, 0, []string{"changed", "kept", "before", "after"}))
	if d == nil {
		return nil
	}
	switch choose(g, 1, []string{"both", "both", "search", "search", "replace"}) {
	case "both":
		return g.finishHinted(slip(firstCutBoth).on(g, d))
	case "search":
		return g.finishHinted(slip(firstCutSearch).on(g, d))
	}
	i := d.first(op.inReplace)
	in := indentOf(d.rows[i].text)
	if in == "" {
		return nil
	}
	d.rows[i].replace = d.rows[i].replace[len(in):]
	d.note("replace")
	return d.finishAsWritten()
}

// topEdit edits the first line of its window, or next to it; with how "kept" anywhere else.
func (g *gen) topEdit(how string) *draft {
	if how == "kept" {
		d := g.edit(ask{min: 3, max: 16})
		if d == nil || d.rows[0].op != kept || d.rows[1].op == added {
			return nil
		}
		d.note(how)
		return d
	}
	s := g.source()
	n := g.between(1, 14)
	d, start := g.anyWindow(s, n)
	if d == nil {
		return nil
	}
	switch how {
	case "changed":
		g.rewrite(d, 0)
	case "before":
		g.insertAfter(d, -1, g.statement(d, indentOf(d.rows[0].text)))
	case "after":
		g.insertAfter(d, 0, g.statement(d, d.indentAfter(0)))
	}
	if n > 6 && g.chance(0.3) {
		g.change(d, ask{})
	}
	d.note(how)
	return g.judge(d, start, start+n, ask{})
}

func (o op) inSearch() bool  { return o.search }
func (o op) inReplace() bool { return o.replace }

// first returns the row of a side's first line.
func (d *draft) first(side func(op) bool) int {
	return slices.IndexFunc(d.rows, func(r row) bool { return side(r.op) })
}

// outermost returns the indentation that all lines of a side share in the file.
func (d *draft) outermost(side func(op) bool) string { return sharedIndent(d.lines(side, fileText)) }

// sharedIndent returns the indentation shared by all lines that are not blank.
func sharedIndent(lines []string) string {
	shared, first := "", true
	for _, l := range lines {
		if blank(l) {
			continue
		}
		in := indentOf(l)
		if first {
			shared, first = in, false
		}
		for !strings.HasPrefix(in, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	return shared
}

// inFileDepth counts the lines of SEARCH, other than that of row i, that are indented in the block
// as in the file.
func (d *draft) inFileDepth(i int) int {
	n := 0
	for k, r := range d.rows {
		in := indentOf(r.text)
		if k != i && r.op.search && r.op.before && !blank(r.text) && in != "" && indentOf(r.search) == in {
			n++
		}
	}
	return n
}

// firstCutBoth takes the indentation off the first line of both sides.
func firstCutBoth(_ *gen, d *draft) bool {
	d.note("cut_both")
	i, j := d.first(op.inSearch), d.first(op.inReplace)
	if j < 0 || blank(d.rows[j].text) || indentOf(d.rows[j].text) != indentOf(d.rows[i].text) || d.inFileDepth(i) == 0 {
		return false
	}
	in := indentOf(d.rows[i].text)
	d.rows[i].search = strings.TrimPrefix(d.rows[i].search, in)
	d.rows[j].replace = strings.TrimPrefix(d.rows[j].replace, in)
	return in != ""
}

// firstCutSearch takes it off the first line of SEARCH alone.
func firstCutSearch(_ *gen, d *draft) bool {
	d.note("cut_search")
	i, j := d.first(op.inSearch), d.first(op.inReplace)
	if j < 0 || blank(d.rows[j].text) || indentOf(d.rows[j].text) == "" {
		return false
	}
	in := indentOf(d.rows[i].text)
	if d.inFileDepth(i) == 0 && (len(d.search()) > 1 || indentOf(d.rows[j].text) != in) {
		return false
	}
	d.rows[i].search = strings.TrimPrefix(d.rows[i].search, in)
	return in != ""
}

// offSlips have a line of SEARCH a level short or long: one that the edit keeps or one that it
// changes, with REPLACE right or as wrong.
func offSlips() []slip {
	off := func(name string, among func(*draft) []int, both bool) slip {
		return func(g *gen, d *draft) bool {
			d.note(name)
			return g.offOne(d, among(d), both)
		}
	}
	with := func(o op) func(*draft) []int {
		return func(d *draft) []int { return d.where(func(r row) bool { return r.op == o }) }
	}
	return []slip{off("search_kept", with(kept), false), off("search_changed", with(deleted), false),
		off("both_kept", with(kept), true), off("both_changed", (*draft).changedAlone, true)}
}

// changedAlone lists the deleted rows that one added line of the same depth replaces.
func (d *draft) changedAlone() []int {
	opAt := func(i int) op {
		if i < 0 || i >= len(d.rows) {
			return kept
		}
		return d.rows[i].op
	}
	var out []int
	for i := range d.rows {
		if opAt(i-1) == kept && opAt(i) == deleted && opAt(i+1) == added && opAt(i+2) == kept &&
			indentOf(d.rows[i].text) == indentOf(d.rows[i+1].text) {
			out = append(out, i)
		}
	}
	return out
}

// offOne moves one of the rows by a level in SEARCH, and with both in REPLACE as well.
func (g *gen) offOne(d *draft, among []int, both bool) bool {
	among = slices.DeleteFunc(among, func(i int) bool {
		r := d.rows[i]
		return r.search != r.text || !telling(r.text) || d.inFileDepth(i) < 2
	})
	if len(among) == 0 {
		return false
	}
	i := pick(g.rng, among)
	r := &d.rows[i]
	if both && r.op == kept && i+1 < len(d.rows) && d.rows[i+1].op == added {
		return false // as deep as this line says, or as the others do
	}
	off := func(l string) string { return d.src.unit + l }
	if strings.HasPrefix(r.text, d.src.unit) && g.chance(0.6) {
		off = func(l string) string { return strings.TrimPrefix(l, d.src.unit) }
		d.note("short")
	} else {
		d.note("long")
	}
	r.search = off(r.search)
	switch {
	case both && r.op == kept:
		r.replace = r.search
	case both:
		d.rows[i+1].replace = off(d.rows[i+1].replace)
		in := indentOf(r.search)
		if slices.ContainsFunc(d.rows[i+2:], func(o row) bool { return o.op == added && indentOf(o.replace) == in }) &&
			!d.some(func(o row) bool { return o.op == kept && indentOf(o.text) == in }) {
			return false // other new lines are as deep as the bent one, and may be bent, too
		}
	}
	return true
}

// searchDedented blocks have SEARCH at one depth and REPLACE at another.
func searchDedented(g *gen) *Case {
	a := ask{min: 2, max: 16}
	if g.chance(0.2) {
		a = ask{min: 1, max: 1, swap: true}
	}
	d := g.edit(a)
	if d == nil {
		return nil
	}
	if g.variant(0, 5) == 0 {
		if !g.replaceMoved(d) {
			return nil
		}
		return d.finishAsWritten()
	}
	return g.finishHinted(choose(g, 1, []slip{searchAtMargin, searchAtMargin, searchShort, searchDeep}).on(g, d))
}

// replaceMoved has SEARCH as the file has it, and REPLACE at another depth.
func (g *gen) replaceMoved(d *draft) bool {
	in := d.outermost(op.inReplace)
	switch by := d.src.unit; {
	case g.chance(0.3):
		d.note("replace_deep")
		d.bendReplace(func(l string) string { return by + l })
		return true
	case in != by && strings.HasPrefix(in, by) && g.chance(0.5):
		in = by
		d.note("replace_short")
	default:
		d.note("replace_at_margin")
	}
	d.bendReplace(func(l string) string { return strings.TrimPrefix(l, in) })
	return in != ""
}

func (d *draft) bendReplace(f func(string) string) {
	for i := range d.rows {
		if r := &d.rows[i]; r.op.replace && !blank(r.replace) {
			r.replace = f(r.replace)
		}
	}
}

func (d *draft) bendSearch(f func(string) string) {
	for i := range d.rows {
		if r := &d.rows[i]; r.op.search && !blank(r.search) {
			r.search = f(r.search)
		}
	}
}

// replaceShowsDepth reports whether REPLACE shows that it has the file's depth: it keeps a line, or
// replaces one line with one. Its outermost line is as deep as SEARCH's in the file.
func (d *draft) replaceShowsDepth() bool {
	if d.outermost(op.inSearch) != d.outermost(op.inReplace) {
		return false
	}
	stays := d.where(func(r row) bool { return r.op == kept && telling(r.text) })
	return len(stays) > 0 || len(d.search()) == 1 && len(d.replace()) == 1
}

// searchAtMargin takes all shared indentation off SEARCH, and searchShort one level. searchDeep
// adds a level.
func searchAtMargin(_ *gen, d *draft) bool {
	d.note("search_at_margin")
	in := d.outermost(op.inSearch)
	d.bendSearch(func(l string) string { return strings.TrimPrefix(l, in) })
	return in != "" && d.replaceShowsDepth()
}

func searchShort(_ *gen, d *draft) bool {
	d.note("search_short")
	in, by := d.outermost(op.inSearch), d.src.unit
	d.bendSearch(func(l string) string { return strings.TrimPrefix(l, by) })
	return in != by && strings.HasPrefix(in, by) && d.replaceShowsDepth()
}

func searchDeep(_ *gen, d *draft) bool {
	d.note("search_deep")
	d.bendSearch(func(l string) string { return d.src.unit + l })
	return d.replaceShowsDepth()
}

// firstLineDeep blocks have the first line at the file's depth and the others at the margin.
func firstLineDeep(g *gen) *Case {
	d := g.edit(ask{min: 3, max: 16})
	if g.variant(0, 2) == 0 {
		d = g.topEdit(choose(g, 1, []string{"changed", "before", "after"}))
	}
	if d == nil || !firstDeep(g, d) {
		return nil
	}
	return g.finishHinted(d)
}

// firstDeep takes from all lines but each side's first the indentation that they share; SEARCH's
// own show how much.
func firstDeep(_ *gen, d *draft) bool {
	d.note("first_deep")
	i, j := d.first(op.inSearch), d.first(op.inReplace)
	if j < 0 || blank(d.rows[j].text) {
		return false
	}
	var said, all []string
	for k, r := range d.rows {
		if r.op.search && k != i {
			all = append(all, r.text)
			if r.op.before && !blank(r.text) {
				said = append(said, r.text)
			}
		}
		if r.op.replace && k != j {
			all = append(all, r.text)
		}
	}
	in := sharedIndent(all)
	if in == "" || len(said) < 2 || sharedIndent(said) != in || indentOf(d.rows[i].text) == "" ||
		indentOf(d.rows[j].text) == "" {
		return false
	}
	for k := range d.rows {
		r := &d.rows[k]
		if k != i {
			r.search = strings.TrimPrefix(r.search, in)
		}
		if k != j {
			r.replace = strings.TrimPrefix(r.replace, in)
		}
	}
	// A first line that moves by a level shows nothing if both sides now have it at the same depth.
	return d.rows[i].op != deleted ||
		!d.some(func(r row) bool { return r.op == added && r.replace == d.rows[i].search })
}

// finishAsWritten makes REPLACE as written the right result, because SEARCH occurs exactly in the
// file.
func (d *draft) finishAsWritten() *Case {
	for i := 0; i < len(d.rows); i++ {
		r := &d.rows[i]
		switch {
		case !r.op.replace || r.replace == r.text:
		case r.op == added:
			r.text = r.replace
		default:
			to := rowOf(added, r.replace)
			r.op = deleted
			i++
			d.rows = slices.Insert(d.rows, i, to)
		}
	}
	d.note("exact")
	if count(d.content(), d.search(), verbatim) != 1 {
		return nil
	}
	return d.finish()
}
