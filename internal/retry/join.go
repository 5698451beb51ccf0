package retry

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/parser"
)

// Edit is a block and what became of it in the tree as it is, by itself: as a block of the reply alone, or of the answer alone.
type Edit struct {
	Block parser.Block
	// File is what it was bound to; "" if it names no file that is there.
	File string
	// Refused: it has no place. Overlap: because another block changes the same lines.
	Refused, Overlap bool
	// Made: the file is already as it makes it.
	Made bool
	// Whole: it gives all of the file's text.
	Whole bool
	// Lines are those of its place, 1-based and inclusive; nil where that is not known.
	Lines *[2]int
}

// Attempt is an edit of the reply that was not understood.
type Attempt struct {
	// Line is where in the reply it is, 1-based.
	Line int
	// Path is the file that it names; "" for none.
	Path string
	// Text is what the reply has there, as far as that is known.
	Text []byte
}

// How says what a block of the answer is for.
type How string

const (
	// Corrects: it takes the place of a refused block, or of an attempt, by its file and its text.
	Corrects How = "corrects"
	// ByOrder: the same, and nothing but the order of the blocks says so.
	ByOrder How = "by-order"
	// Repeats: it is a block of the reply that was not refused.
	Repeats How = "repeats"
	// Rewrites: it takes the place of a block that was not refused, and changes the same lines in another way.
	Rewrites How = "rewrites"
	// Adds: it is new.
	Adds How = "adds"
)

// Use is what a block of the answer is used for.
type Use struct {
	How How
	// Of is the index of the block of the reply; -1 for none.
	Of int
	// Attempt is the index of the attempt; -1 for none.
	Attempt int
	// Covers are the indices of further blocks of the reply whose lines it changes as well: it replaces them.
	Covers []int
}

// These say how much alike a refused block and its correction are: in one file; where the refused one named none that is there;
// and where both name files that are there, but different ones. Of an attempt a part may be all that is known, so that it takes more than one in
// its own file.
const (
	alike        = 0.5
	alikeAnyFile = 0.6
	alikeOther   = 0.8
)

// ofFile is how much likeness it is worth that both are for one file.
const ofFile = 0.15

// unlike is below what two edits have so little in common that their order does not make one the correction of the other.
const unlike = 0.2

// fewTokens is how many tokens of an attempt do not say which file it is for.
const fewTokens = 2

// maxPairs bounds how many pairs of a refused block and one of the answer are compared. Beyond that those are that come at about the same
// place in the order.
const maxPairs = 1_000_000

// Match says what each block of the answer is for. No two are for the same one.
func Match(reply []Edit, attempts []Attempt, answer []Edit) []Use {
	m := newMatching(reply, attempts, answer)
	m.repeated()
	m.whole()
	m.placed()
	m.corrected()
	m.covered()
	m.alternatives()
	m.ordered()
	return m.uses
}

// unit is something that was refused: a block, or an attempt.
type unit struct {
	of, attempt int
	file        string
	text        bag     // of an attempt
	content     content // of a block
}

type matching struct {
	reply, answer []Edit
	units         []unit
	contents      []content // of the answer
	uses          []Use
	taken         []bool  // of the reply
	met           []bool  // of the units
	pending       [][]int // by block of the answer: those of the reply whose lines it changes along with others
}

func newMatching(reply []Edit, attempts []Attempt, answer []Edit) *matching {
	m := &matching{reply: reply, answer: answer, taken: make([]bool, len(reply))}
	t := newTokens()
	for i := range reply {
		if b := &reply[i]; b.Refused {
			m.units = append(m.units, unit{of: i, attempt: -1, file: b.File, content: t.content(b.Block.Search, b.Block.Replace)})
		}
	}
	for i, a := range attempts {
		text := t.attempt(a.Text)
		m.units = append(m.units, unit{of: -1, attempt: i, file: a.Path, text: text})
	}
	m.met, m.pending = make([]bool, len(m.units)), make([][]int, len(answer))
	for i := range answer {
		m.contents = append(m.contents, t.content(answer[i].Block.Search, answer[i].Block.Replace))
		m.uses = append(m.uses, Use{Adds, -1, -1, nil})
	}
	return m
}

func (m *matching) use(answer int, how How, of int) {
	m.uses[answer] = Use{how, of, -1, nil}
	m.taken[of] = true
}

func (m *matching) meet(answer int, how How, u int) {
	m.uses[answer] = Use{how, m.units[u].of, m.units[u].attempt, nil}
	m.met[u] = true
	if m.units[u].of >= 0 {
		m.taken[m.units[u].of] = true
	}
}

// unitOf is the unit of a refused block of the reply.
func (m *matching) unitOf(of int) int {
	return slices.IndexFunc(m.units, func(u unit) bool { return u.of == of })
}

// repeated finds the blocks of the answer that the reply has, and that were not refused.
func (m *matching) repeated() {
	same := map[string][]int{} // the blocks of the reply with a text
	for i := range m.reply {
		if !m.reply[i].Refused {
			key := textOf(&m.reply[i].Block)
			same[key] = append(same[key], i)
		}
	}
	for a := range m.answer {
		edit := &m.answer[a]
		for _, i := range same[textOf(&edit.Block)] {
			if !m.taken[i] && (m.reply[i].File == edit.File || edit.Block.Path == "") {
				m.use(a, Repeats, i)
				break
			}
		}
	}
	m.madeAgain()
}

// madeAgain finds the blocks of the answer that make a change that one of the reply has made already, with other lines around it.
func (m *matching) madeAgain() {
	made := map[string][]int{}
	for i := range m.reply {
		if g := &m.reply[i]; g.Made {
			key := g.File + "\x00" + changeOf(&g.Block)
			made[key] = append(made[key], i)
		}
	}
	for a := range m.answer {
		edit := &m.answer[a]
		if m.uses[a].How != Adds || !edit.Made {
			continue
		}
		for _, i := range made[edit.File+"\x00"+changeOf(&edit.Block)] {
			if !m.taken[i] {
				m.use(a, Repeats, i)
				break
			}
		}
	}
}

// whole finds the blocks of the answer that give a file as a whole which one of the reply gives, and that was not refused.
func (m *matching) whole() {
	for a := range m.answer {
		edit := &m.answer[a]
		if m.uses[a].How != Adds || !edit.Whole {
			continue
		}
		i := slices.IndexFunc(m.reply, func(e Edit) bool { return e.Whole && !e.Refused && !e.Made && e.File == edit.File })
		if i >= 0 && !m.taken[i] {
			m.use(a, Rewrites, i)
		}
	}
}

// changeOf is the lines that a block drops and adds, whatever lines are around them.
func changeOf(b *parser.Block) string {
	var key strings.Builder
	before, after := trimmedLines(b.Search), trimmedLines(b.Replace)
	for _, c := range linediff.Diff(before, after) {
		fmt.Fprintf(&key, "%q%q", before[c.A0:c.A1], after[c.B0:c.B1])
	}
	return key.String()
}

// textOf is the same for blocks that say the same of one file, blanks at the ends of lines and the last line end aside.
func textOf(b *parser.Block) string {
	var key strings.Builder
	fmt.Fprintf(&key, "%s\x00%s", b.Op, b.NewPath)
	for _, side := range [...][]byte{b.Search, b.Replace} {
		key.WriteByte(0)
		for line := range bytes.Lines(side) {
			key.Write(bytes.TrimRight(line, " \t\r\n"))
			key.WriteByte('\n')
		}
	}
	return key.String()
}

// corrected finds corrections by file and likeness: the pairs that are most alike first.
func (m *matching) corrected() {
	type pair struct {
		unit, answer int
		score        float64
	}
	var pairs []pair
	reach := maxPairs / max(1, len(m.units))
	for u := range m.units {
		for a := range m.answer {
			if m.uses[a].How != Adds || max(u-a, a-u) > reach {
				continue
			}
			if score := m.score(u, a); score > 0 {
				pairs = append(pairs, pair{u, a, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.score, x.score) })
	for _, p := range pairs {
		if !m.met[p.unit] && m.uses[p.answer].How == Adds {
			m.meet(p.answer, Corrects, p.unit)
		}
	}
}

// score is how well a block of the answer fits what was refused; 0 if it does not.
func (m *matching) score(u, a int) float64 {
	unit, edit := &m.units[u], &m.answer[a]
	score := 0.0
	switch {
	case unit.attempt < 0 && len(unit.content.any)+len(m.contents[a].any) == 0: // files are deleted or moved
		if m.reply[unit.of].Block.Op == edit.Block.Op {
			score = 1
		}
	case unit.attempt < 0:
		score = unit.content.likeness(&m.contents[a])
	case len(unit.text) > fewTokens, unit.file == edit.File:
		score = max(unit.text.contains(m.contents[a].any), m.contents[a].any.contains(unit.text)) // lines are missing, or come in
	}
	least := alikeOther
	switch {
	case unit.file == edit.File, edit.Block.Path == "", edit.Block.Inherited:
		least = alike
	case unit.file == "":
		least = alikeAnyFile
	}
	if unit.attempt >= 0 {
		least = max(least, alikeAnyFile)
	}
	if score < least {
		return 0
	}
	if unit.file == edit.File {
		score += ofFile
	}
	return score
}

// maxFiles is in how many files the order is asked.
const maxFiles = 100

// ordered pairs what is left in the order in which it comes, where there is as much of the one as of the other: for each file,
// and then for what was refused because it named none.
func (m *matching) ordered() {
	var files []string
	for _, u := range m.units {
		if u.file != "" && !slices.Contains(files, u.file) && len(files) < maxFiles {
			files = append(files, u.file)
		}
	}
	for _, file := range files {
		m.pairUp(func(u *unit) bool { return u.file == file }, func(e *Edit) bool { return e.File == file || e.Block.Path == "" })
	}
	m.pairUp(func(u *unit) bool { return u.file == "" }, func(*Edit) bool { return true })
}

func (m *matching) pairUp(refused func(*unit) bool, answers func(*Edit) bool) {
	var units, edits []int
	for u := range m.units {
		if !m.met[u] && refused(&m.units[u]) {
			units = append(units, u)
		}
	}
	for a := range m.answer {
		if m.uses[a].How == Adds && !m.answer[a].Made && answers(&m.answer[a]) {
			edits = append(edits, a)
		}
	}
	if len(units) != len(edits) {
		return
	}
	for i, u := range units {
		if m.isUnlike(u, edits[i]) {
			continue
		}
		m.meet(edits[i], ByOrder, u)
	}
}

// isUnlike reports whether a block of the answer has next to nothing of what was refused, as far as that is known.
func (m *matching) isUnlike(u, a int) bool {
	unit := &m.units[u]
	text := unit.text
	if unit.attempt < 0 {
		text = unit.content.any
	}
	return len(text) > fewTokens && text.likeness(m.contents[a].any) < unlike && text.contains(m.contents[a].any) < unlike
}
