package retry

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/internal/text"
)

// Two blocks that change the same lines cannot both be applied, and the answer is what the model says now. A block of which the answer changes
// some lines only stays: it is refused, and the model asked again.

// lines is a range of lines of the file that an edit drops, end exclusive; where it only adds, the place between two lines.
type lines struct {
	from, to int
	added    []byte
}

// changed are the lines of the file that an edit changes; nil where the lines of SEARCH are not those of its place, one by one.
func changed(e *Edit) (out []lines) {
	if e.Lines == nil {
		return nil
	}
	a, b := slices.Collect(bytes.Lines(e.Block.Search)), slices.Collect(bytes.Lines(e.Block.Replace))
	if len(a) != e.Lines[1]-e.Lines[0]+1 {
		return nil
	}
	for _, c := range linediff.Diff(linediff.Slice(a), linediff.Slice(b)) {
		out = append(out, lines{e.Lines[0] + c.A0, e.Lines[0] + c.A1, bytes.Join(b[c.B0:c.B1], nil)})
	}
	return out
}

// placed finds what the blocks of the answer are for by the lines of the file that they change. A block that changes the lines of a
// refused one, which overlaps with another, corrects it, and takes the place of the other as well. One that changes just the lines of
// blocks that were not refused repeats or rewrites them. One that changes more may correct a refused one besides: its text says which.
func (m *matching) placed() {
	byFile := map[string][]int{}
	places := make([][]lines, len(m.reply))
	for i := range m.reply {
		if places[i] = changed(&m.reply[i]); places[i] != nil {
			byFile[m.reply[i].File] = append(byFile[m.reply[i].File], i)
		}
	}
	t := newTokens()
	for a := range m.answer {
		if m.uses[a].How != Adds {
			continue
		}
		edit := &m.answer[a]
		mine := changed(edit)
		var whole []lines // what those have that it covers
		var covered []int
		for _, i := range byFile[edit.File] {
			if g := &m.reply[i]; !m.taken[i] && mine != nil && g.Lines[0] <= edit.Lines[1] && edit.Lines[0] <= g.Lines[1] && t.cover(mine, places[i]) {
				covered, whole = append(covered, i), append(whole, places[i]...)
			}
		}
		if len(covered) == 0 {
			continue
		}
		refused := slices.IndexFunc(covered, func(i int) bool { return m.reply[i].Refused })
		switch {
		case refused >= 0:
			first := covered[refused]
			m.meet(a, Corrects, m.unitOf(first))
			m.replace(a, slices.Delete(covered, refused, refused+1))
		case len(covered) == 1 && slices.EqualFunc(mine, whole, lines.same):
			m.use(a, Repeats, covered[0])
		case t.cover(whole, mine):
			m.use(a, Rewrites, covered[0])
			m.replace(a, covered[1:])
		default:
			m.pending[a] = covered
		}
	}
}

// replace notes which further blocks of the reply one of the answer takes the place of.
func (m *matching) replace(a int, covered []int) {
	for _, i := range covered {
		if m.taken[i] {
			continue
		}
		m.taken[i] = true
		m.uses[a].Covers = append(m.uses[a].Covers, i)
		if u := m.unitOf(i); u >= 0 {
			m.met[u] = true
		}
	}
}

// covered settles what is to be said of blocks that change the lines of some that were not refused, and more.
func (m *matching) covered() {
	for a, covered := range m.pending {
		covered = slices.DeleteFunc(covered, func(i int) bool { return m.taken[i] })
		if len(covered) > 0 && m.uses[a].How == Adds {
			m.use(a, Rewrites, covered[0])
			covered = covered[1:]
		}
		m.replace(a, covered)
	}
}

// alternatives settles blocks with one SEARCH that cannot all be applied, if one block of the answer has that SEARCH, and is for one of them.
func (m *matching) alternatives() {
	for i := range m.reply {
		if !m.reply[i].Overlap {
			continue
		}
		answers := withSearchOf(m.answer, &m.reply[i])
		if len(answers) != 1 {
			continue
		}
		use, twins := &m.uses[answers[0]], withSearchOf(m.reply, &m.reply[i])
		if use.How != Adds && slices.Contains(twins, use.Of) {
			m.replace(answers[0], twins)
		}
	}
}

// withSearchOf are the indices of the edits that have the file and the SEARCH of another one, except for those that are made.
func withSearchOf(edits []Edit, other *Edit) (same []int) {
	for i := range edits {
		e := &edits[i]
		if !e.Made && e.File == other.File && bytes.Equal(bytes.TrimSpace(e.Block.Search), bytes.TrimSpace(other.Block.Search)) {
			same = append(same, i)
		}
	}
	return same
}

func (l lines) same(other lines) bool {
	return l.from == other.from && l.to == other.to && bytes.Equal(l.added, other.added)
}

// cover reports whether each of some lines is among others. What is only added is if the others add something like it there.
func (t tokens) cover(whole, parts []lines) bool {
	for _, p := range parts {
		if !slices.ContainsFunc(whole, func(w lines) bool {
			return w.from <= p.from && p.to <= w.to && (p.from < p.to || t.addsLike(w.added, p.added))
		}) {
			return false
		}
	}
	return len(parts) > 0
}

// addsLike reports whether what is added is like a part: in its words, or as it defines all that the part does. Two of one name cannot both be meant.
func (t tokens) addsLike(added, part []byte) bool {
	if t.content(nil, added).any.likeness(t.content(nil, part).any) >= alike {
		return true
	}
	all, some := defined(added), defined(part)
	return len(some) > 0 && !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) })
}

// defined are the beginnings of the lines that define something, up to its name: what is before it tells methods of different types apart.
func defined(added []byte) (beginnings []string) {
	for line := range bytes.Lines(added) {
		name := text.Definition(line)
		if name == nil {
			continue
		}
		var to []byte
		for t := range text.EachToken(line) {
			to = append(append(to, t...), ' ')
			if bytes.Equal(t, name) {
				break
			}
		}
		beginnings = append(beginnings, string(to))
	}
	return beginnings
}
