package eval

import (
	"slices"
	"strings"
)

// record is a line and what is deeper below it, a closing line included: lines from to end-1 of a
// source.
type record struct{ from, end int }

// recordAt returns the record that line i begins; ok is false if it begins none of a few lines.
func (s *source) recordAt(i int) (record, bool) {
	in := indentOf(s.lines[i])
	end := i + 1
	for end < len(s.lines) && (blank(s.lines[end]) || len(indentOf(s.lines[end])) > len(in)) {
		end++
	}
	for end > i+1 && blank(s.lines[end-1]) {
		end--
	}
	if end < len(s.lines) && indentOf(s.lines[end]) == in && end > i+1 && !telling(s.lines[end]) &&
		!blank(s.lines[end]) {
		end++
	}
	return record{i, end}, telling(s.lines[i]) && end-i >= 3 && end-i <= 20
}

// twinsOf returns the records of the file with most lines of r's body, but another head.
func (s *source) twinsOf(r record) []record {
	var out []record
	head := s.lines[r.from]
	for i := range s.lines {
		if i >= r.from && i < r.end || indentOf(s.lines[i]) != indentOf(head) ||
			distance(squeeze(s.lines[i]), squeeze(head)) < 3 {
			continue
		}
		t, ok := s.recordAt(i)
		if !ok || alike(s.signs[i], s.signs[r.from]) < 0.3 {
			continue
		}
		same, all := 0, 0
		for k := r.from + 1; k < r.end; k++ {
			if s.telling[k] {
				all++
				if count(s.lines[t.from+1:t.end], s.lines[k:k+1], squeeze) > 0 {
					same++
				}
			}
		}
		if all >= 2 && same*10 >= all*6 {
			out = append(out, t)
		}
	}
	return out
}

// nearHead reports whether another line of the file contains r's head, or differs from it by a
// slip. It may then be meant.
func (s *source) nearHead(r record) bool {
	head := squeeze(s.lines[r.from])
	for i, l := range s.lines {
		if l = squeeze(l); i != r.from && (strings.Contains(l, head) || distance(l, head) < 3) {
			return true
		}
	}
	return false
}

// recordGone blocks must be refused: they change a record that is gone, and similar ones are there.
// The lines that the edit changes occur in those, too. Only the head tells them apart.
func recordGone(g *gen) *Case {
	s := g.source()
	if len(s.lines) < 10 {
		return nil
	}
	r, ok := s.recordAt(g.rng.IntN(len(s.lines)))
	if !ok || isComment(s, s.lines[r.from]) || count(s.lines, s.lines[r.from:r.from+1], squeeze) > 1 {
		return nil
	}
	twins := s.twinsOf(r)
	if len(twins) == 0 {
		return nil
	}
	d := g.window(s, r.from, r.end)
	if d == nil || s.nearHead(r) {
		return nil
	}
	t := pick(g.rng, twins)
	var shared []int
	for i := 1; i < len(d.rows); i++ {
		if telling(d.rows[i].text) && count(s.lines[t.from:t.end], []string{d.rows[i].text}, squeeze) > 0 {
			shared = append(shared, i)
		}
	}
	if len(shared) == 0 {
		return nil
	}
	i := pick(g.rng, shared)
	if g.variant(0, 3) == 0 {
		g.insertAfter(d, i, g.statement(d, d.indentAfter(i)))
		d.note("insert")
	} else {
		g.rewrite(d, i)
		d.note("change")
	}
	d.note(map[bool]string{true: "of_several", false: "twin"}[len(twins) > 1])
	if !d.sideHasOp(added) {
		return nil
	}
	if g.chance(0.3) && !g.anyOf(dedentAll, trailingAdded, innerWidened, keptTypo)(g, d) {
		return nil
	}
	d.vanish()
	d.refuse = true
	g.maybeHint(d, 0.3, 0)
	return d.finishBent()
}

// lineGrown files have a longer version of a line that the block changes. A refusal is right, and
// so is changing the part the block knows. A name that has grown is another name.
func lineGrown(g *gen, d *draft) *Case {
	i := slices.IndexFunc(d.rows, func(r row) bool { return r.op == deleted })
	if i+1 >= len(d.rows) || d.rows[i+1].op != added || i+2 < len(d.rows) &&
		d.rows[i+2].op == added || d.src.lang.name == "prose" {
		return nil
	}
	from, to := &d.rows[i], &d.rows[i+1]
	in, body := indentOf(from.text), strings.TrimSpace(from.text)
	if len(squeeze(body)) < 6 || indentOf(to.text) != in || isComment(d.src, from.text) ||
		d.occursNear(from.text) || d.sideHasOp(kept) && len(d.rows) < 3 {
		return nil
	}
	grow := func(l string) string { return l }
	last := body[len(body)-1]
	d.note(choose(g, 0, []string{"end", "begin", "remark", "name", "argument"}))
	switch d.variant {
	case "end":
		tail := pick(g.rng, []string{" + " + g.ident(), " || " + g.ident() + "()", "." + g.ident() + "(3)"})
		grow = func(l string) string { return l + tail }
	case "begin":
		head := pick(g.rng, []string{"return ", "await ", g.ident() + " = "})
		grow = func(l string) string { return in + head + l[len(in):] }
	case "remark":
		if d.src.lang.comment == "" {
			return nil
		}
		tail := "  " + d.src.lang.comment + g.word() + " " + g.word() + d.src.lang.commentEnd
		grow = func(l string) string { return l + tail }
	case "name":
		if !wordRune(rune(last)) || strings.Contains(join(slices.Concat(d.above, d.below)), body) {
			return nil // that may be it
		}
		from.text += pick(g.rng, []string{"s", "_old", "Of", "2"})
		return d.finishTrap()
	case "argument":
		k := strings.LastIndexByte(from.text, ')')
		if k <= 0 || from.text[k-1] == '(' {
			return nil
		}
		// In the middle of the line, its place is clear, but not whether the new line should have
		// it.
		from.text = from.text[:k] + ", " + g.ident() + from.text[k:]
		j := strings.LastIndexByte(to.text, ')')
		if j <= 0 || to.text[j:] != from.search[k:] {
			return d.finishTrap()
		}
		more := from.text[k : len(from.text)-len(from.search[k:])]
		to.text = to.text[:j] + more + to.text[j:]
		d.refuseOK = true
		return d.finishBent()
	}
	from.text, to.text = grow(from.text), grow(to.text)
	d.refuseOK = true
	return d.finishBent()
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
