package eval

import "slices"

// corrections are replies with a block twice: once wrong, and once right.
func corrections(g *gen) *Case {
	return choose(g, 0, []func(*gen) *Case{misplaced, misplaced, ambiguousFirst,
		edited(ask{min: 4, max: 14}, bentAndExact), otherChange,
		edited(ask{min: 4, max: 14, ops: 1, swap: true, edges: true}, otherRecord)})(g)
}

// misplaced: the first block has lines around its change that the file never had; the second is
// right, and replaces it.
func misplaced(g *gen) *Case {
	d, wrong := g.wrongContext()
	if d == nil {
		return nil
	}
	return d.answer(g, "misplaced", []said{wrong, sayDraft(d)}, d.result())
}

// wrongContext returns an edit, and the same edit with other lines around it, which fits nowhere.
// The lines it deletes occur once in the file.
func (g *gen) wrongContext() (*draft, said) {
	d := g.edit(ask{min: 4, max: 14, ops: 1, swap: true, edges: true})
	if d == nil || !d.changesOnlyLine() {
		return nil, said{}
	}
	b := *d
	b.rows = slices.Clone(d.rows)
	for i := range b.rows {
		if b.rows[i].op == kept {
			b.rows[i] = rowOf(invented, g.line(d, indentOf(b.rows[i].text)))
		}
	}
	if count(d.src.lines, b.search(), squeeze) > 0 || slices.Equal(b.search(), d.search()) {
		return nil, said{}
	}
	s := sayDraft(&b)
	s.hunk = nil // the line numbers of a diff would say where it goes
	return d, s
}

// ambiguousFirst: the first block fits two places, and the second, with more lines around it, fits
// one of them. Nothing says whether the other is meant, too.
func ambiguousFirst(g *gen) *Case {
	d, at := g.copies()
	if d == nil || len(at) != 2 || count(d.content(), d.search(), squeeze) != 2 ||
		len(d.above) == 0 || !telling(d.above[len(d.above)-1]) {
		return nil
	}
	line := d.above[len(d.above)-1]
	full := *d
	full.above = d.above[:len(d.above)-1]
	full.rows = slices.Insert(slices.Clone(d.rows), 0, rowOf(kept, line))
	if count(d.content(), full.search(), squeeze) != 1 {
		return nil
	}
	first, second := sayDraft(d), sayDraft(&full)
	first.hunk, second.hunk = nil, nil
	return d.answer(g, "ambiguous_first", []said{first, second}, "")
}

// bentAndExact: the same change with slips and without, in either order.
func bentAndExact(g *gen, d *draft) *Case {
	if count(d.content(), d.search(), verbatim) != 1 {
		return nil
	}
	b := *d
	b.rows = slices.Clone(d.rows)
	if !g.anyOf(dedentAll, indentShift, trailingAdded, innerWidened, keptTypo,
		missingLine)(g, &b) || count(d.content(), b.search(), verbatim) > 0 {
		return nil
	}
	blocks := []said{sayDraft(&b), sayDraft(d)}
	for i := range blocks {
		blocks[i].hunk = nil
	}
	g.shuffle(blocks)
	return d.answer(g, "bent_and_exact", blocks, d.result())
}

// otherChange: the second block changes the same line to something else, so the first is no draft
// of it.
func otherChange(g *gen) *Case {
	d, wrong := g.wrongContext()
	if d == nil {
		return nil
	}
	o := *d
	o.rows = slices.Clone(d.rows)
	for i := range o.rows {
		if o.rows[i].op == added {
			o.rows[i] = rowOf(added, g.line(d, indentOf(o.rows[i].text)))
			if squeeze(o.rows[i].text) == squeeze(d.rows[i].text) {
				return nil
			}
		}
	}
	if !o.sideHasOp(added) {
		return nil
	}
	return d.answer(g, "other_change", []said{wrong, sayDraft(&o)}, "")
}

// otherRecord: the first block makes the same change in a record that is gone, the second in one
// like it. The first is no draft of the second.
func otherRecord(g *gen, d *draft) *Case {
	name := d.onlyDefined()
	if name == "" {
		return nil
	}
	s := sibling{name, g.otherName(name)}
	if distance(s.from, s.to) < 3 || d.src.words[s.to] {
		return nil
	}
	first := sayDraft(d)
	first.search, first.replace, first.hunk = s.of(first.search), s.of(first.replace), nil
	if slices.Equal(first.search, d.search()) ||
		d.some(func(r row) bool { return r.op != kept && renamed(r.text, s.from, s.to) != r.text }) {
		return nil
	}
	return d.answer(g, "other_record", []said{first, sayDraft(d)}, "")
}
