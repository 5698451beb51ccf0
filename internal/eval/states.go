package eval

import (
	"slices"
	"strconv"
	"strings"
)

// alreadyApplied files already contain the block's result. Doing nothing and refusing are both
// right.
func alreadyApplied(g *gen, d *draft) *Case {
	d.settleAll()
	if count(d.content(), d.replace(), verbatim) != 1 {
		return nil
	}
	if g.variant(1, 3) == 0 &&
		!g.anyOf(dedentAll, indentShift, trailingAdded, keptTypo, blankDropped, missingLine)(g, d) {
		return nil
	}
	return d.finish()
}

// settleAll makes all changes of the block to the file, so that it may be refused.
func (d *draft) settleAll() {
	d.note(map[bool]string{true: "changed", false: "inserted"}[d.sideHasOp(deleted)])
	for i := range d.rows {
		switch r := &d.rows[i]; r.op {
		case added:
			r.op = present
		case deleted:
			r.op = misread
		}
	}
	d.refuseOK = true
}

// secondRun files have the block's result, but a formatter has changed the quotes of its strings.
// Doing nothing and refusing are both right.
func secondRun(g *gen, d *draft) *Case {
	if d.src.lang.name == "prose" {
		return nil
	}
	d.settleAll()
	if count(d.content(), d.replace(), verbatim) != 1 {
		return nil
	}
	turned := false
	for i := range d.rows {
		r := &d.rows[i]
		if !r.op.before || !r.op.replace {
			continue
		}
		if to := otherQuotes(r.text); to != r.text {
			r.text = to
			turned = turned || r.op == present
		}
	}
	if !turned {
		return nil
	}
	if count(d.content(), d.search(), verbatim) > 0 {
		return nil // exact text is taken as it is meant
	}
	return d.finish()
}

// otherQuotes swaps the quotes of a line's strings, if no string contains a quote.
func otherQuotes(l string) string {
	if strings.ContainsAny(l, "\\`") || strings.Contains(l, `"`) && strings.Contains(l, "'") {
		return l
	}
	return quoted.ReplaceAllStringFunc(l, func(q string) string {
		other := map[byte]string{'"': "'", '\'': `"`}[q[0]]
		return other + q[1:len(q)-1] + other
	})
}

// stale blocks name lines that the file lacks. They must be refused.
func stale(g *gen) *Case {
	switch g.variant(0, 4) {
	case 0:
		return edited(ask{min: 3, max: 20, margin: 0.65}, staleDeleted)(g)
	case 1:
		return edited(ask{min: 3, max: 20}, staleOtherFile)(g)
	}
	d := g.edit(ask{min: 3, max: 20, swap: true})
	if d == nil {
		return nil
	}
	at := d.where(func(r row) bool { return r.op == deleted && telling(r.text) })
	if len(at) == 0 {
		return nil
	}
	i := pick(g.rng, at)
	r := &d.rows[i]
	l := r.text
	if d.occursNear(l) || isComment(d.src, l) || d.src.lang.name == "prose" {
		// In prose, another word may just be a slip of memory.
		return nil
	}
	switch g.variant(1, 4) {
	case 0:
		d.note("number")
		l = g.replaceOne(l, numberWord,
			g.otherNumber)
	case 1:
		d.note("identifier")
		l = g.replaceOne(l, identifier, g.otherUnlessKeyword)
		if distance(l, r.text) < 3 {
			return nil
		}
	case 2:
		d.note("rewritten")
		l = g.statement(d, indentOf(l))[0]
	default:
		d.note("line_gone")
		if len(d.search()) < 3 || count(d.content(), []string{r.text}, squeeze) != 1 {
			return nil
		}
		r.op = misread
		return d.finishTrap()
	}
	if l == r.text || d.some(func(x row) bool { return x.op == added && squeeze(x.text) == squeeze(l) }) {
		return nil
	}
	r.text = l
	d.refuse = true
	g.maybeHint(d, 0.2, 0)
	return d.finishBent()
}

// staleDeleted blocks have lines that the file has lost.
func staleDeleted(g *gen, d *draft) *Case {
	d.vanish()
	d.above = d.above[:max(0, len(d.above)-g.between(0, 3))]
	d.below = d.below[min(len(d.below), g.between(0, 3)):]
	d.note("deleted")
	d.refuse = true
	if len(d.content()) < 10 {
		return nil
	}
	return d.finishBent()
}

// staleOtherFile blocks are for another file.
func staleOtherFile(g *gen, d *draft) *Case {
	s := g.source()
	if s.lang != d.src.lang || s.path == d.src.path {
		return nil
	}
	// Join both to see what in the second file resembles the block.
	both := &source{lines: slices.Concat(d.before(), s.lines), signs: nil}
	for _, l := range both.lines {
		both.signs = append(both.signs, sign(l))
		both.telling = append(both.telling, telling(l))
	}
	if both.rival(0, len(d.before())) > 0.65 {
		return nil
	}
	d.vanish()
	d.src, d.above, d.below = s, s.lines, nil
	d.note("other_file")
	return d.finishTrap()
}

// drift blocks were written for an older file. Lines around the edit have changed since, but not
// those it edits. The result is that of a clean three-way merge.
func drift(g *gen, d *draft) *Case {
	// If the edit changes no unique line, the other lines must tell the place apart.
	if d.likeness() > 0.7 && !d.changesOnlyLine() {
		return nil
	}
	n := g.between(1, max(1, min(4, len(d.rows)/8)))
	for range n {
		at := d.loose(func(r row) bool { return !isDefinition(r.text) && r.search == r.text })
		// Stay away from lines that have drifted, too.
		at = slices.DeleteFunc(at, func(i int) bool {
			return d.rows[i-1].search != d.rows[i-1].text || d.rows[i+1].search != d.rows[i+1].text ||
				d.rows[i-1].op != kept || d.rows[i+1].op != kept
		})
		if len(at) == 0 {
			return nil
		}
		i := pick(g.rng, at)
		r := &d.rows[i]
		switch g.rng.IntN(6) {
		case 4:
			if !translated(g, d, r) {
				return nil
			}
		case 5:
			if !annotated(g, d, r) {
				return nil
			}
		case 0:
			d.rows = slices.Insert(d.rows, i,
				rowOf(unsaid, g.line(d, d.indentAfter(i))))
		case 1:
			if blank(r.text) {
				return nil
			}
			r.op = invented
		default:
			was := r.text
			if r.text = g.reworded(d.src, was); r.text == was {
				return nil
			}
		}
	}
	d.note("d" + strconv.Itoa(n))
	if g.chance(0.4) {
		d.hint = d.line()
		if k := g.between(0, 9); g.chance(0.6) && len(d.above) > 0 {
			var more []string
			for range k {
				more = append(more, d.src.lang.comment+g.word()+" "+g.word()+d.src.lang.commentEnd)
			}
			d.above = slices.Insert(slices.Clone(d.above), g.rng.IntN(len(d.above)), more...)
		}
		d.note("old_hint")
	}
	return d.finishBent()
}

// driftedLine changes a line in the file, away from the edit.
func driftedLine(g *gen, d *draft) bool {
	d.note("drifted")
	at := slices.DeleteFunc(d.loose(func(r row) bool { return telling(r.text) }),
		func(i int) bool { return isDefinition(d.rows[i].text) })
	if len(at) == 0 {
		return false
	}
	r := &d.rows[pick(g.rng, at)]
	was := r.text
	r.text = g.reworded(d.src, was)
	return r.text != was
}

// translated replaces a comment with words in another language.
func translated(g *gen, d *draft, r *row) bool {
	if !isComment(d.src, r.text) || d.src.lang.comment == "" {
		return false
	}
	r.text = indentOf(r.text) + d.src.lang.comment + pick(g.rng, foreign) + " " + g.word() + " " +
		g.word() + d.src.lang.commentEnd
	d.note("translated")
	return true
}

// annotated gives an argument in a line a type or a default.
func annotated(g *gen, d *draft, r *row) bool {
	to := g.replaceOne(r.text, callEnd, func(m string) string {
		return m[:1] + pick(g.rng, []string{": ", "=", " "}) + g.word() + m[1:]
	})
	if to == r.text || isComment(d.src, r.text) {
		return false
	}
	r.text = to
	d.note("annotated")
	return true
}

// changesOnlyLine reports whether the edit deletes or changes a line that occurs only once.
func (d *draft) changesOnlyLine() bool {
	return d.some(func(r row) bool {
		return r.op == deleted && telling(r.text) && count(d.src.lines, []string{r.text}, squeeze) == 1
	})
}

// wrapped files now have the block's lines, or some of them, one level deeper.
func wrapped(g *gen, d *draft) *Case {
	if d.src.lang.name == "prose" {
		return nil
	}
	from, to := 0, len(d.rows)
	if len(d.rows) > 7 && g.variant(0, 2) == 0 {
		// Only a part, from one loose line to another.
		at := d.loose(func(r row) bool { return !blank(r.text) })
		if len(at) < 2 {
			return nil
		}
		from, to = at[0], at[len(at)-1]+1
		next := to
		for next < len(d.rows) && blank(d.rows[next].text) {
			next++
		}
		if to-from < 3 || next < len(d.rows) && d.rows[next].op == added && d.src.lang.shut == "" {
			return nil // nothing ends the part, so lines added below may belong to it
		}
		d.note("part")
	} else {
		d.note("whole")
	}
	in := indentOf(d.rows[from].text)
	for i := from; i < to; i++ {
		r := &d.rows[i]
		if blank(r.text) {
			continue
		}
		if !strings.HasPrefix(r.text, in) {
			return nil
		}
		r.text = d.src.unit + r.text
	}
	lang := d.src.lang
	open, shut := g.fill(d, []string{lang.open}, in)[0], in+lang.shut
	if from == 0 && to == len(d.rows) {
		d.above = append(slices.Clone(d.above), open)
		if lang.shut != "" {
			d.below = slices.Insert(slices.Clone(d.below), 0, shut)
		}
	} else {
		if lang.shut != "" {
			d.rows = slices.Insert(d.rows, to, rowOf(unsaid, shut))
		}
		d.rows = slices.Insert(d.rows, from, rowOf(unsaid, open))
	}
	return g.finishHinted(d)
}
