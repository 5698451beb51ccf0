package eval

import "slices"

// Kind is a way in which a block and its file differ, or a situation of the block.
type Kind struct {
	Name string
	// make tries once. It returns nil if the place that it tried gives no sound case.
	make func(g *gen) *Case
	// bounds, if set, replace the bounds for all kinds.
	bounds *kindBounds
}

// kindBounds are what a kind has to reach: the least share of right answers, and the greatest share
// of wrong ones. strict is the greatest share of wrong ones under policy strict, for kinds that are
// wrong under every policy.
type kindBounds struct{ right, wrong, strict float64 }

// within returns bounds for a kind that is never wrong under policy strict.
func within(right, wrong float64) *kindBounds { return &kindBounds{right: right, wrong: wrong} }

// enoughOwn is the number of cases that a kind needs for its own bounds to mean something. With
// fewer, a single one is too much.
const enoughOwn = 400

// Kinds returns all kinds. Each gets the same share of the cases.
func Kinds() []Kind {
	plain := ask{min: 3, max: 24}
	// Some remarks that no list has pass for comments on the code around them, under every policy.
	words := &kindBounds{right: 0.95, wrong: 0.04, strict: 0.04}
	// Traps, which only need to be noticed, and edits that are hard to place.
	trap, common := within(0.995, 0.005), within(0.95, 0.005)
	return []Kind{
		{Name: "exact", make: exact},
		{Name: "indentation", make: bent(plain, dedentAll, indentShift, tabsSpaces, tabsSpaces, searchDedented,
			levelOff)},
		{Name: "blanks", make: bent(ask{min: 5, max: 24}, trailingAdded, trailingLost, innerWidened,
			innerCollapsed, innerTabs, blankAdded, blankDropped, leadingBlank)},
		{Name: "typography", make: bent(plain, smartQuotes, smartQuotes, nbsp, dashes, fullWidth)},
		{Name: "copied_marks",
			make: bent(plain, entities, overescapedQuotes, overescapedBackslashes, lineNumbers, lineNumbers)},
		{Name: "elided", make: elided, bounds: within(0.90, 0.01)},
		{Name: "reflowed", make: edited(ask{min: 6, max: 24}, reflowed), bounds: within(0.88, 0.003)},
		{Name: "line_count", make: bent(ask{min: 7, max: 24, edges: true}, missingLine,
			missingLines, commentsLeftOut, extraLine, extraLine)},
		{Name: "typo", make: bent(ask{min: 4, max: 20}, keptTypo, deletedTypo, commentSlip, otherCase)},
		{Name: "cut_line", make: bent(ask{min: 4, max: 20}, cutFirst, cutFirst, cutLast)},
		{Name: "dup_no_hint", make: dupNoHint},
		{Name: "dup_hint", make: dupHint},
		{Name: "near_twin", make: nearTwin},
		{Name: "already_applied", make: edited(ask{min: 4, max: 20}, alreadyApplied)},
		{Name: "stale", make: stale},
		{Name: "drift", make: edited(ask{min: 7, max: 32}, drift)},
		{Name: "several_slips", make: edited(ask{min: 7, max: 30, margin: 0.8}, severalSlips)},
		{Name: "twin_gone", make: twinGone},
		{Name: "twin_identifier", make: edited(ask{min: 4, max: 20}, twinIdentifier)},
		{Name: "glued", make: edited(ask{min: 3, max: 7, margin: 0.8, fits: longer(60)}, glued)},
		{Name: "short_slip", make: edited(ask{min: 1, max: 2, ops: 1, swap: true, margin: 0.7}, shortSlip)},
		{Name: "line_prefix", make: edited(ask{min: 1, max: 5, ops: 1, swap: true}, linePrefix)},
		{Name: "wrapped", make: edited(ask{min: 4, max: 20}, wrapped)},
		{Name: "swapped_context", make: bent(ask{min: 7, max: 24}, swapped, swapped, sortedLines)},
		{Name: "long_block", make: longBlock},
		{Name: "unicode", make: edited(ask{min: 4, max: 20}, unicodeText)},
		{Name: "file_bytes", make: edited(ask{min: 3, max: 20}, fileBytes)},
		{Name: "edges", make: edges},
		{Name: "replies", make: replies},
		{Name: "omission", make: omission, bounds: words},
		{Name: "fragment", make: fragment, bounds: within(0.84, 0.003)},
		{Name: "record_gone", make: recordGone, bounds: trap},
		{Name: "second_run", make: edited(ask{min: 3, max: 16}, secondRun), bounds: within(0.985, 0.01)},
		{Name: "double_bends", make: doubleBends, bounds: common},
		{Name: "elided_ends", make: elidedEnds, bounds: within(0.95, 0.01)},
		{Name: "corrections", make: corrections, bounds: common},
		{Name: "shared_slip", make: sharedSlip, bounds: within(0.93, 0.01)},
		{Name: "slip_or_twin", make: slipOrTwin, bounds: trap},
		{Name: "short_drift", make: shortDrift, bounds: within(0.90, 0.001)},
	}
}

// edited makes cases of edits that fit a.
func edited(a ask, of func(*gen, *draft) *Case) func(*gen) *Case {
	return func(g *gen) *Case {
		if d := g.edit(a); d != nil {
			return of(g, d)
		}
		return nil
	}
}

// bent makes cases with one slip each. A third of them have a line number, right or wrong.
func bent(a ask, slips ...slip) func(*gen) *Case {
	return edited(a, func(g *gen, d *draft) *Case { return g.finishHinted(choose(g, 0, slips).on(g, d)) })
}

// maybeHint gives the block its line number with probability right, or else another with
// probability wrong.
func (g *gen) maybeHint(d *draft, right, wrong float64) {
	switch {
	case g.chance(right):
		d.rightHint()
	case wrong > 0 && g.chance(wrong):
		g.wrongHint(d)
	}
}

// finishHinted is finishBent, sometimes with a line number.
func (g *gen) finishHinted(d *draft) *Case {
	if d != nil {
		g.maybeHint(d, 0.25, 0.1)
	}
	return d.finishBent()
}

// finishBent returns nil if d is nil, if the block fits as it is, or if SEARCH and REPLACE agree on a
// line that the edit changes.
func (d *draft) finishBent() *Case {
	if d == nil || count(d.content(), d.search(), verbatim) > 0 || d.looksKept() {
		return nil
	}
	return d.finish()
}

// finishTrap is finishBent for a block that must be refused.
func (d *draft) finishTrap() *Case {
	d.refuse = true
	return d.finishBent()
}

// looksKept reports whether a line that the edit changes, for example in its depth, is the same in
// SEARCH and REPLACE.
func (d *draft) looksKept() bool {
	return d.some(func(r row) bool {
		return r.op == deleted && telling(r.text) && d.some(func(a row) bool {
			return a.op == added && a.replace == r.search && a.text != r.text
		})
	})
}

// exact blocks occur exactly once in the file. Line numbers, even wrong ones, change nothing.
func exact(g *gen) *Case {
	a := ask{min: 1, max: 24, margin: 0.99}
	v := choose(g, 0, []string{"change", "change", "insert", "delete", "delete_all"})
	a.insert, a.remove = v == "insert", v == "delete"
	d := g.edit(a)
	if d == nil {
		return nil
	}
	if v == "delete_all" {
		d.rows = d.rows[:0]
		d.rows = append(d.rows, rowsOf(deleted, d.src.lines[len(d.above):len(d.src.lines)-len(d.below)])...)
	}
	d.note(v)
	switch g.rng.IntN(3) {
	case 0:
		d.rightHint()
	case 1:
		g.wrongHint(d)
	}
	if count(d.content(), d.search(), verbatim) != 1 {
		return nil
	}
	return d.finish()
}

// elided leaves lines out of both sides, with an ellipsis.
func elided(g *gen) *Case {
	return g.finishHinted(g.elision())
}

// elision returns an edit with lines left out of both sides, and an ellipsis in their place. Both
// pieces around it occur once.
func (g *gen) elision() *draft {
	d := g.edit(ask{min: 9, max: 40})
	if d == nil {
		return nil
	}
	// A model leaves out the longest run of kept lines.
	from, to := 0, 0
	for i := 0; i < len(d.rows); {
		j := i
		for j < len(d.rows) && d.rows[j].op == kept {
			j++
		}
		if j-i > to-from {
			from, to = i, j
		}
		i = max(j, i+1)
	}
	if to-from < 5 {
		return nil
	}
	from, to = from+g.between(1, 2), to-g.between(1, 2)
	if to-from < 2 || from < 2 || len(d.rows)-to < 2 {
		return nil
	}
	lang := d.src.lang
	mark := indentOf(d.rows[from].text) + lang.comment +
		pick(g.rng, []string{"...", "... existing code ...", "... rest of the code ...",
			"... unchanged ..."}) + lang.commentEnd
	if lang.comment == "" || !lang.offside && g.chance(0.3) {
		mark = "..."
	}
	for _, piece := range [][]row{d.rows[:from], d.rows[to:]} {
		s := (&draft{rows: piece}).search()
		if !slices.ContainsFunc(s, telling) || count(d.content(), s, squeeze) != 1 {
			return nil
		}
	}
	for i := from; i < to; i++ {
		d.rows[i].op = unsaid
	}
	head := append([]row{}, d.rows[:from]...)
	d.rows = append(append(head, rowOf(invented, mark)), d.rows[from:]...)
	d.note("..." + map[bool]string{true: "bare"}[mark == "..."])
	return d
}

// severalSlips makes two to four slips in one block.
func severalSlips(g *gen, d *draft) *Case {
	if !g.manySlips(d, g.between(2, 4)) {
		return nil
	}
	return g.finishHinted(d)
}

// manySlips makes n slips, each of a different family, in an order in which none undoes another.
func (g *gen) manySlips(d *draft, n int) bool {
	families := [][]slip{
		{keptTypo, deletedTypo, commentSlip},
		{missingLine, extraLine, swapped},
		{blankAdded, blankDropped},
		{smartQuotes, entities, nbsp},
		{dedentAll, indentShift, tabsSpaces},
		{trailingAdded, innerWidened, innerCollapsed},
	}
	left := len(families)
	for _, f := range families {
		if g.rng.IntN(left) < n {
			if !pick(g.rng, f)(g, d) {
				return false
			}
			n--
		}
		left--
	}
	return true
}

// shortSlip makes slips in blocks of one or two lines.
func shortSlip(g *gen, d *draft) *Case {
	if len(d.src.lines) < 40 {
		return nil
	}
	for _, r := range d.rows {
		if r.op.search && len(squeeze(r.text)) < 12 {
			return nil
		}
	}
	slips := []slip{dedentAll, indentShift, trailingAdded, innerWidened, smartQuotes, entities,
		tabsSpaces, deletedTypo, keptTypo}
	k := g.variant(0, len(slips))
	if !slips[k](g, d) {
		return nil
	}
	// With a misspelt line and hardly any other to go by, a refusal is as good.
	d.refuseOK = k >= 7
	return g.finishHinted(d)
}

// longBlock has sixty to two hundred lines, several edits, and slips in places.
func longBlock(g *gen) *Case {
	d := g.edit(ask{min: 60, max: 200, ops: g.between(2, 6), fits: longer(90)})
	if d == nil {
		return nil
	}
	for range g.between(2, 7) {
		if !g.anyOf(keptTypo, keptTypo, commentSlip, missingLine, extraLine,
			blankDropped, blankAdded, swapped)(g, d) {
			return nil
		}
	}
	d.variant = "scattered"
	if g.chance(0.3) && !g.anyOf(dedentAll, indentShift, tabsSpaces, trailingAdded)(g, d) {
		return nil
	}
	return g.finishHinted(d)
}
