package eval

import "slices"

// corrections are replies with a block twice: once wrong, and once right.
func corrections(g *gen) *Case {
	return choose(g, 0, []func(*gen) *Case{misplaced, misplaced, ambiguousFirst, bentAndExact,
		otherChange, otherRecord})(g)
}

// misplaced: the first block has lines around its change that the file never had; the second is
// right, and replaces it.
func misplaced(g *gen) *Case {
	d, wrong := g.wrongContext()
	if d == nil {
		return nil
	}
	p := d.src.path
	return g.answer("misplaced", []said{wrong, sayDraft(d)},
		map[string]string{p: join(d.src.lines)}, map[string]string{p: merged(d.src.lines, []*draft{d})})
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
			b.rows[i] = rowOf(invented, g.fill(d, pick(g.rng, d.src.lang.statements)[:1], indentOf(b.rows[i].text))[0])
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
	return g.answer("ambiguous_first", []said{first, second}, map[string]string{d.src.path: join(d.content())}, nil)
}

// bentAndExact: the same change with slips and without, in either order.
func bentAndExact(g *gen) *Case {
	d := g.edit(ask{min: 4, max: 14})
	if d == nil || count(d.content(), d.search(), verbatim) != 1 {
		return nil
	}
	b := *d
	b.rows = slices.Clone(d.rows)
	if !pick(g.rng, []slip{dedentAll, indentShift, trailingAdded, innerWidened, keptTypo,
		missingLine, firstCutBoth})(g, &b) || count(d.content(), b.search(), verbatim) > 0 {
		return nil
	}
	blocks := []said{sayDraft(&b), sayDraft(d)}
	for i := range blocks {
		blocks[i].hunk = nil
	}
	g.shuffle(blocks)
	p := d.src.path
	return g.answer("bent_and_exact", blocks, map[string]string{p: join(d.src.lines)},
		map[string]string{p: merged(d.src.lines, []*draft{d})})
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
			o.rows[i] = rowOf(added, g.fill(d, pick(g.rng, d.src.lang.statements)[:1], indentOf(o.rows[i].text))[0])
			if squeeze(o.rows[i].text) == squeeze(d.rows[i].text) {
				return nil
			}
		}
	}
	if !o.sideHasOp(added) {
		return nil
	}
	return g.answer("other_change", []said{wrong, sayDraft(&o)}, map[string]string{d.src.path: join(d.src.lines)}, nil)
}

// otherRecord: the first block makes the same change in a record that is gone, the second in one
// like it. The first is no draft of the second.
func otherRecord(g *gen) *Case {
	d := g.edit(ask{min: 4, max: 14, ops: 1, swap: true, edges: true})
	if d == nil {
		return nil
	}
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
		slices.ContainsFunc(d.rows,
			func(r row) bool { return (r.op == added || r.op == deleted) && renamed(r.text, s.from, s.to) != r.text }) {
		return nil
	}
	return g.answer("other_record", []said{first, sayDraft(d)}, map[string]string{d.src.path: join(d.src.lines)}, nil)
}
