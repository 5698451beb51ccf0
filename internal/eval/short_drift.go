package eval

import (
	"slices"
	"strings"
)

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

// shortDriftTwin blocks are like those of shortDrift, but the file has, or had, another place like
// theirs.
func shortDriftTwin(g *gen) *Case {
	d, i := g.drifting(ask{min: 2, max: 4, ops: 1, swap: true, margin: 0.75})
	if d == nil {
		return nil
	}
	if isComment(d.src, d.rows[i].text) {
		return nil // a word of it is no name
	}
	was := d.before()
	v := choose(g, 0, []string{"record_gone", "record", "same_change", "number_gone"})
	d.note(v)
	switch v {
	case "record":
		// The twin has the changed lines, too, and another name in a kept line. Either may be
		// meant.
		s, ok := g.siblingOf(d, func(with []row) bool { return !hasDeleted(with) })
		if !ok {
			return nil
		}
		twin := s.of(was)
		if _, ok := g.plant(d, twin, 4); !ok || !g.drifts(d, i) {
			return nil
		}
		if now := words(d.rows[i].text); !slices.ContainsFunc(words(d.rows[i].search),
			func(w string) bool { return !slices.Contains(now, w) }) {
			return nil // the place still has the block's name
		}
		names := slices.DeleteFunc(allWords(was), func(w string) bool { return slices.Contains(allWords(twin), w) })
		now := allWords(d.before())
		if slices.ContainsFunc(names, func(w string) bool { return slices.Contains(now, w) }) {
			return nil // or has it in another line, which the drift has left
		}
		d.refuse = true
	case "same_change":
		// The changed lines occur elsewhere, too, with other lines around them.
		var lines []string
		for _, r := range d.rows {
			switch {
			case r.op == deleted:
				lines = append(lines, r.text)
			case r.op == kept:
				lines = append(lines, g.line(d, indentOf(r.text)))
			}
		}
		if _, ok := g.plant(d, lines, 4); !ok || !g.drifts(d, i) {
			return nil
		}
		d.refuseOK = true
	case "record_gone", "number_gone":
		// Two records with the same line in them: the block's own is gone.
		name, ok := g.recordName(d, i, v == "number_gone")
		if !ok {
			return nil
		}
		d.rows[i].text = name
		twin := slices.Clone(was)
		for k := range twin {
			if twin[k] == was[rowBefore(d, i)] {
				twin[k], _ = g.recordName(d, i, v == "number_gone")
			}
		}
		if twin[rowBefore(d, i)] == name || slices.Equal(twin, was) {
			return nil
		}
		if _, ok := g.plant(d, twin, 4); !ok || strings.Contains(squeeze(join(d.content())), squeeze(join(was))) {
			return nil // or the file has the record a third time, in lines of another length
		}
		d.refuse = true
	}
	return d.finishBent()
}

// allWords returns the words of some lines.
func allWords(lines []string) []string { return words(strings.Join(lines, "\n")) }

// rowBefore returns the index of row i among the window's lines in the file.
func rowBefore(d *draft, i int) int {
	n := 0
	for _, r := range d.rows[:i] {
		if r.op.before {
			n++
		}
	}
	return n
}

// recordName returns row i with another name or number.
func (g *gen) recordName(d *draft, i int, number bool) (string, bool) {
	was := d.rows[i].search
	to := was
	if number {
		to = g.replaceOne(was, numberWord, func(n string) string { return n + string(rune('1'+g.rng.IntN(9))) })
	} else {
		to = g.replaceOne(was, identifier, g.otherUnlessKeyword)
	}
	return to, to != was && !strings.EqualFold(to, was)
}
