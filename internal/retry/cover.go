package retry

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/linediff"
)

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

// covered finds the blocks of the reply whose lines the answer changes as well, in its own way or along with others: where two were to
// be made one, say. Both cannot be applied, and the answer is what the model says now. A block of which some lines are left stays: it is
// refused, and the model asked again.
func (m *matching) covered() {
	byFile := map[string][]int{}
	for i := range m.reply {
		if g := &m.reply[i]; !g.Refused && !m.taken[i] {
			byFile[g.File] = append(byFile[g.File], i)
		}
	}
	t := newTokens()
	places := map[int][]lines{} // of the reply's blocks
	for a := range m.answer {
		edit, use := &m.answer[a], &m.uses[a]
		if use.How == Repeats {
			continue
		}
		mine := changed(edit)
		for _, i := range byFile[edit.File] {
			g := &m.reply[i]
			if m.taken[i] || mine == nil || g.Lines == nil || g.Lines[0] > edit.Lines[1] || edit.Lines[0] > g.Lines[1] {
				continue
			}
			if _, ok := places[i]; !ok {
				places[i] = changed(g)
			}
			if !t.cover(mine, places[i]) {
				continue
			}
			m.taken[i] = true
			if use.How == Adds {
				use.How, use.Of = Rewrites, i
			} else {
				use.Covers = append(use.Covers, i)
			}
		}
	}
}

// cover reports whether each of some lines is among others. What is only added is if the others add something like it there.
func (t tokens) cover(whole, parts []lines) bool {
	for _, p := range parts {
		if !slices.ContainsFunc(whole, func(w lines) bool {
			return w.from <= p.from && p.to <= w.to && (p.from < p.to || t.content(nil, w.added).any.likeness(t.content(nil, p.added).any) >= alike)
		}) {
			return false
		}
	}
	return len(parts) > 0
}
