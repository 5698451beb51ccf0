package retry

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Edit is a block and what became of it in the tree as it is, by itself: as a block of the reply alone, or of the answer alone.
type Edit struct {
	Block parser.Block
	// File is what it was bound to; "" if it names no file that is there.
	File string
	// Refused: it has no place.
	Refused bool
	// Lines are those of its place, 1-based and inclusive; nil where that is not known.
	Lines *[2]int
}

// Attempt is an edit of the reply that was not understood.
type Attempt struct {
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
	// Covers are the indices of further blocks of the reply, not refused ones, whose lines it changes as well: those it replaces.
	Covers []int
}

// These say how much alike a refused block and its correction are: in one file; where the refused one named none that is there;
// and where both name files that are there, but different ones.
const (
	alike        = 0.5
	alikeAnyFile = 0.6
	alikeOther   = 0.8
)

// fewTokens is how many tokens of an attempt do not say which file it is for.
const fewTokens = 2

// maxPairs bounds how many pairs of a refused block and one of the answer are compared. Beyond that those are that come at about the same
// place in the order.
const maxPairs = 1_000_000

// Match says what each block of the answer is for. No two are for the same one.
func Match(reply []Edit, attempts []Attempt, answer []Edit) []Use {
	m := newMatching(reply, attempts, answer)
	m.repeated()
	m.corrected()
	m.covered()
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
	taken         []bool // of the reply
	met           []bool // of the units
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
	m.met = make([]bool, len(m.units))
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
		score = unit.text.contains(m.contents[a].any)
	}
	least := alikeOther
	switch {
	case unit.file == edit.File, edit.Block.Path == "", edit.Block.Inherited:
		least = alike
	case unit.file == "":
		least = alikeAnyFile
	}
	if score < least {
		return 0
	}
	if unit.file == edit.File {
		score++ // the file says more than the text
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
		if m.uses[a].How == Adds && answers(&m.answer[a]) {
			edits = append(edits, a)
		}
	}
	if len(units) != len(edits) {
		return
	}
	for i, u := range units {
		m.meet(edits[i], ByOrder, u)
	}
}
