package eval

import "strings"

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
