package retry

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
)

// Answered says how an answer relates to the reply.
type Answered struct {
	// Skipped describes the edits that the answer drops, and those that it can't drop.
	Skipped []string
	// Moved is set if a block of the answer corrects a refused one, if the answer drops an edit, or
	// if the reply had none.
	Moved bool

	notes map[int]string // by block
}

// Answer takes the model's answer. Its blocks replace those that they correct, and new ones come
// last. A line of its own such as "skip block 2" drops an edit. If the answer has no edit, no
// attempt at one, and no such line, it returns [apply.ErrNoEdits] and changes nothing.
func (r *Reply) Answer(text []byte) (*Answered, error) {
	return r.Join("", parser.Parse(text, r.opts...), text)
}

// Join is [Reply.Answer] for an answer that was parsed from text, the content of the file name.
//
// A block of the answer takes the place of the refused one whose number it names; else of the one
// that it resembles; else of the one whose words it has. If n edits are still open after that, the
// first n edits of the answer that weren't understood count as new tries at them: the next answer
// drops these attempts.
func (r *Reply) Join(name string, answer *parser.Reply, text []byte) (*Answered, error) {
	skips := skipsIn(text, answer)
	if len(answer.Blocks)+len(answer.Diagnostics)+len(skips) == 0 {
		return nil, apply.ErrNoEdits
	}
	a := Answered{Moved: len(r.Blocks)+len(r.Attempts) == 0, notes: map[int]string{}}
	r.Attempts = slices.DeleteFunc(slices.Clone(r.Attempts), func(t Attempt) bool { return t.Again })
	numbers := numbersIn(text, answer)
	r.skip(skips, numbers, &a)
	m := newMatching(r, answer, numbers)
	m.numbered()
	m.alike()
	m.byWords()
	r.take(m, &a)
	for _, id := range r.Refused {
		a.notes[id] = warning.Unanswered.Say(
			"the answer has no block for this one, and no line \"skip block %d\"", id)
	}
	open := len(r.Refused) + len(r.Attempts)
	own := attempts(answer, report.Locate(name, answer, text))
	for i := range own {
		own[i].Again = i < open
	}
	r.Attempts, r.answered, r.plan = append(r.Attempts, own...), a, nil
	return &a, nil
}

// note adds to reports how the answer relates to their blocks.
func (a *Answered) note(reports []apply.BlockReport) {
	for i := range reports {
		b, unanswered := &reports[i], warning.Unanswered.Say("")
		note := a.notes[b.ID]
		if note != "" && (b.Status == apply.BlockFailed || !strings.HasPrefix(note, unanswered)) {
			b.Warnings = append(b.Warnings, note)
		}
	}
}

// take puts the blocks of the answer in their places, as the targets of m say, and adds notes to a.
// A block gets the number of the one that it replaces. Blocks that are new, or correct attempts,
// come last. Edits that are corrected are no longer refused, and no longer attempts.
func (r *Reply) take(m *matching, a *Answered) {
	next, turn := 1, 1 // the number and the turn of new blocks: the answer is a turn of its own
	for _, b := range slices.Concat(r.Blocks, r.Made) {
		next, turn = max(next, b.ID+1), max(turn, b.Turn+1)
	}
	blocks := slices.Clone(r.Blocks)
	understood := map[int]bool{} // by the index of the attempt
	answered := map[int]bool{}   // by the number of the block
	at := map[int]int{}          // indexes in blocks, by number
	for i := range blocks {
		at[blocks[i].ID] = i
	}
	for i, b := range m.answer {
		t := m.uses[i]
		switch {
		case t == nil: // new
			b.ID, b.Turn = next, turn+b.Turn
		case t.attempt >= 0:
			understood[t.attempt], a.Moved = true, true
			b.Path = cmp.Or(b.Path, t.path)
			b.ID, b.Turn = next, turn+b.Turn
		default:
			old := *t.block
			id := old.ID
			if m.repeats(i, t) {
				b.ID = id
				r.Before = append(r.Before, b)
				continue
			}
			if b.Path == "" || b.Inherited && t.open { // its own name is missing, or a guess
				b.Path, b.RawPath, b.Labels = old.Path, old.RawPath, old.Labels
				b.Inherited = old.Inherited || len(b.Names) > 0 // names in the answer are nearer
				b.Names = append(slices.Clip(b.Names), old.Names...)
			}
			a.Moved = a.Moved || t.open
			b.ID, b.Turn = id, old.Turn
			r.Before = append(r.Before, old)
			blocks[at[id]], answered[id] = b, true
			if !t.open {
				a.notes[id] = warning.Rewritten.Say("the answer changes these lines differently " +
					"from the reply, and replaces that change")
			}
		}
		// The answer says "Block 1" above a block that corrects block 2.
		if n := m.numbers[i]; n != "" && t != nil && n != t.name && t.name != "" {
			a.notes[b.ID] = warning.Misnumbered.Say("the answer calls this %s, but its lines match %s",
				n, t.name)
		}
		if m.onlyWords[i] {
			a.notes[b.ID] = warning.ByOrder.Say("matched to this edit only by the words it adds; check it")
		}
		if t == nil || t.attempt >= 0 {
			blocks = append(blocks, b)
			next++
		}
	}
	r.Blocks = blocks
	r.Refused = slices.DeleteFunc(slices.Clone(r.Refused), func(id int) bool { return answered[id] })
	var left []Attempt
	for i := range r.Attempts {
		if !understood[i] {
			left = append(left, r.Attempts[i])
		}
	}
	r.Attempts = left
}

// target is what a block of the answer may be for: a block of the reply, or an attempt.
type target struct {
	content
	block      *parser.Block // nil for an attempt
	attempt    int           // the index of the attempt, or -1 for a block
	name, path string        // the name as the message has it, such as "block 2"
	// open is set if the message asks for a correction. made is set if the block is written.
	open, made bool
	// asked is set if nothing was refused, but all of the reply should be looked at again. taken is
	// set once a block of the answer is for this target.
	asked, taken bool
}

// content is an edit in the form in which edits are compared.
type content struct {
	// lines are its distinctive lines: those with a word, with "-" in front of those of SEARCH and
	// "+" in front of those of REPLACE.
	lines map[string]bool
	// search is all of SEARCH, change is what is dropped and added, and dropped is the first part
	// of that.
	search, change, dropped string
	// searched is how many of the lines belong to SEARCH.
	searched int
	// words are all of its words. adds are those that only REPLACE has; if there are none, those
	// that only SEARCH has, or else all.
	words, adds map[string]bool
}

// matching finds what the blocks of an answer are for.
type matching struct {
	answer    []parser.Block
	contents  []content
	numbers   []string // what is above each block, such as "block 2"; "" for nothing
	targets   []*target
	pairs     []pair
	uses      []*target // nil: it is new
	onlyWords []bool
}

// pair is a block of the answer and what it may be for.
type pair struct {
	answer, score int
	target        *target
}

// maxAlike is how many edits may share a line before the line no longer tells them apart.
const maxAlike = 256

// newMatching returns a matching with all blocks and attempts of the reply as targets, and all
// pairs that are similar enough, but no decisions. numbers are those of numbersIn.
func newMatching(r *Reply, answer *parser.Reply, numbers []string) *matching {
	m := &matching{answer: answer.Blocks, numbers: numbers}
	m.uses, m.onlyWords = make([]*target, len(m.answer)), make([]bool, len(m.answer))
	asked := len(r.Refused)+len(r.Attempts) == 0
	add := func(blocks []parser.Block, made bool) {
		for i := range blocks {
			b := &blocks[i]
			m.targets = append(m.targets, &target{content: contentOf(b), block: b, attempt: -1,
				name: fmt.Sprint("block ", b.ID), path: b.Path, made: made, asked: !made && asked,
				open: !made && slices.Contains(r.Refused, b.ID)})
		}
	}
	add(r.Blocks, false)
	add(r.Made, true)
	for i := range r.Attempts {
		t := &target{attempt: i, path: r.Attempts[i].Known.Path, open: true}
		t.name, t.lines = fmt.Sprint("line ", r.Attempts[i].Diagnostic.Line), map[string]bool{}
		for line := range bytes.Lines(r.Attempts[i].Text) {
			if fsm.Classify(line).Kind == fsm.Text {
				t.add("-", line)
				t.add("+", line)
			}
		}
		m.targets = append(m.targets, t)
	}
	m.pairUp()
	return m
}

// pairUp finds what each block of the answer may be for, the best match of all first. To compare
// only edits that have something in common, it looks targets up by their lines and by keyOf.
func (m *matching) pairUp() {
	with := map[string][]int{} // the targets that have a line, or the key
	for i, t := range m.targets {
		for line := range t.lines {
			with[line] = append(with[line], i)
		}
		if t.block != nil {
			with[keyOf(t.block, &t.content)] = append(with[keyOf(t.block, &t.content)], i)
		}
	}
	for i := range m.answer {
		b, c := &m.answer[i], contentOf(&m.answer[i])
		m.contents = append(m.contents, c)
		shared := map[int]int{} // by target: how many lines it has in common with the block
		for _, t := range with[keyOf(b, &c)] {
			shared[t] = 0
		}
		for line := range c.lines {
			if len(with[line]) <= maxAlike {
				for _, t := range with[line] {
					shared[t]++
				}
			}
		}
		for _, at := range slices.Sorted(maps.Keys(shared)) {
			if t := m.targets[at]; t.mayBe(b, &c, shared[at]) {
				m.pairs = append(m.pairs, pair{i, t.score(b, &c, shared[at]), t})
			}
		}
	}
	slices.SortStableFunc(m.pairs, func(a, b pair) int {
		open := map[bool]int{true: 1}
		return cmp.Or(cmp.Compare(b.score, a.score), open[b.target.open]-open[a.target.open])
	})
}

// keyOf returns the same key for blocks that make the same change, or that are about a whole file
// with the same name.
func keyOf(b *parser.Block, c *content) string {
	if c.search == "" {
		return "file " + path.Base(b.Path)
	}
	return "change " + c.change
}

// mayBe reports whether block b, with content c, may be for a target. shared is the number of lines
// that they have in common. For an open target, that must be half of the lines of the smaller edit
// or, in the same file, a quarter. A block that was not refused is only replaced by one that
// changes the same lines at the same place, unless the message asks for the whole reply again.
func (t *target) mayBe(b *parser.Block, c *content, shared int) bool {
	least := min(len(t.lines), len(c.lines))
	if !t.open {
		// A block that is written can only be repeated, unlike one that waits for the others.
		rewritten := !t.made && t.rewrittenBy(b, c) || t.asked && shared > 0 && 2*shared >= least
		return t.isIn(b) && (rewritten || t.sameAs(b, c))
	}
	if t.block != nil && t.search+t.change+c.search+c.change == "" { // files are deleted or moved
		return t.isIn(b) && t.block.Op == b.Op
	}
	return shared > 0 && (2*shared >= least || t.isIn(b) && 4*shared >= least)
}

// score returns how well block b, with content c, matches a target for which it may be. It counts
// the lines that they share, twice as much if SEARCH is the same, and prefers the same file.
func (t *target) score(b *parser.Block, c *content, shared int) int {
	score := 2 * shared
	if t.search != "" && t.search == c.search {
		score *= 2
	}
	if t.isIn(b) {
		score++
		if t.open && t.block != nil && len(b.Replace) > 0 && bytes.Equal(b.Replace, t.block.Replace) {
			score += 4 * len(t.lines) // a model that corrects SEARCH repeats REPLACE
		}
	}
	return score
}

// isIn reports whether a block may be for the target's file: one of the paths is missing, is
// inherited from an earlier block, or ends with the other, as "src/a.go" ends with "a.go".
func (t *target) isIn(b *parser.Block) bool {
	one, other := path.Clean(t.path), path.Clean(b.Path)
	return t.path == "" || b.Path == "" || b.Inherited || one == other ||
		strings.HasSuffix(one, "/"+other) || strings.HasSuffix(other, "/"+one)
}

// sameAs reports whether a block makes the target's change at the target's place.
func (t *target) sameAs(b *parser.Block, c *content) bool {
	return t.block.Op == b.Op && t.block.NewPath == b.NewPath && t.change == c.change && t.around(c)
}

// rewrittenBy reports whether a block drops the same lines as the target at the same place,
// whatever it adds, or whether both give a whole file.
func (t *target) rewrittenBy(b *parser.Block, c *content) bool {
	whole := func(b *parser.Block) bool { return b.Op == parser.OpCreate || b.Op == parser.OpWrite }
	return t.dropped != "" && t.dropped == c.dropped && t.around(c) || whole(t.block) && whole(b)
}

// around reports whether one of two SEARCHes contains all distinctive lines of the other, so both
// are at one place. If one has no such lines, the SEARCHes must be equal.
func (t *target) around(c *content) bool {
	if min(t.searched, c.searched) == 0 {
		return t.search == c.search
	}
	n := 0
	for line := range c.lines {
		if line[0] == '-' && t.lines[line] {
			n++
		}
	}
	return n == min(t.searched, c.searched)
}

// numbered matches the blocks that have a number above them. The number doesn't count if the block
// has nothing in common with that edit, but shares lines with another one, because models also
// count their own blocks: the answer's "block 1" may correct block 3.
func (m *matching) numbered() {
	paired := make([]bool, len(m.answer)) // the block resembles some edit
	resembles := map[pair]bool{}          // without scores
	for _, p := range m.pairs {
		paired[p.answer] = true
		resembles[pair{p.answer, 0, p.target}] = true
	}
	for i, number := range m.numbers {
		if number == "" {
			continue
		}
		for _, t := range m.targets {
			if t.name != number || t.taken || t.made {
				continue
			}
			if resembles[pair{i, 0, t}] || t.open && !paired[i] {
				m.use(i, t)
			}
		}
	}
}

// use records that block i of the answer is for t.
func (m *matching) use(i int, t *target) { m.uses[i], t.taken = t, true }

// alike matches blocks by the lines that they share, those that share most first.
func (m *matching) alike() {
	for _, p := range m.pairs {
		if m.uses[p.answer] == nil && !p.target.taken {
			m.use(p.answer, p.target)
		}
	}
}

// byWords matches what is left: a block with an open edit of the same file, if neither fits another
// one. A block fits a refused block if it has most of the words that this adds. It fits any
// attempt.
func (m *matching) byWords() {
	edits := map[int][]*target{} // the edits that each block fits
	blocks := map[*target]int{}  // how many blocks fit each edit
	for i := range m.answer {
		for _, t := range m.targets {
			if m.uses[i] == nil && t.open && !t.taken && t.isIn(&m.answer[i]) &&
				(t.block == nil || m.contents[i].hasMost(t.adds)) {
				edits[i] = append(edits[i], t)
				blocks[t]++
			}
		}
	}
	for i, ts := range edits {
		if len(ts) == 1 && blocks[ts[0]] == 1 {
			m.use(i, ts[0])
			m.onlyWords[i] = len(m.answer) > 1
		}
	}
}

// hasMost reports whether the edit has more than half of the words.
func (c *content) hasMost(words map[string]bool) bool {
	n := 0
	for w := range words {
		if c.words[w] {
			n++
		}
	}
	return 2*n > len(words)
}

// repeats reports whether block i of the answer only repeats the change of t, which was not
// refused.
func (m *matching) repeats(i int, t *target) bool {
	return !t.open && t.sameAs(&m.answer[i], &m.contents[i])
}

// contentOf returns a block in the form in which edits are compared. Blanks around lines don't
// count.
func contentOf(b *parser.Block) content {
	c := content{lines: map[string]bool{}}
	before, after := trimmed(b.Search), trimmed(b.Replace)
	c.search = string(bytes.Join(before, []byte("\n")))
	for _, line := range before {
		c.add("-", line)
	}
	c.searched = len(c.lines)
	for _, line := range after {
		c.add("+", line)
	}
	from, to := wordsOf(b.Search), wordsOf(b.Replace)
	c.words = maps.Clone(from)
	maps.Copy(c.words, to)
	for _, c.adds = range []map[string]bool{without(to, from), without(from, to), c.words} {
		if len(c.adds) > 0 { // the first of these that has any words
			break
		}
	}
	var dropped, change strings.Builder
	for _, d := range linediff.Diff(before, after) {
		fmt.Fprintf(&dropped, "%q", before[d.A0:d.A1])
		fmt.Fprintf(&change, "%q%q", before[d.A0:d.A1], after[d.B0:d.B1])
	}
	c.change = change.String()
	if c.dropped = dropped.String(); strings.Trim(c.dropped, "[]") == "" { // only insertions
		c.dropped = ""
	}
	return c
}

// without returns the words that are not among others.
func without(words, others map[string]bool) map[string]bool {
	left := maps.Clone(words)
	maps.DeleteFunc(left, func(w string, _ bool) bool { return others[w] })
	return left
}

// wordsOf returns the words of a side of a block.
func wordsOf(side []byte) map[string]bool {
	words := map[string]bool{}
	for w := range bytes.FieldsFuncSeq(side, func(r rune) bool { return !text.IsWordRune(r) }) {
		words[string(w)] = true
	}
	return words
}

// add adds a line of a side, "-" or "+", to the distinctive lines, if it has a word.
func (c *content) add(side string, line []byte) {
	if bytes.ContainsFunc(line, text.IsWordRune) {
		c.lines[side+string(bytes.TrimSpace(line))] = true
	}
}

// trimmed returns the lines of a side of a block, without the blanks around them.
func trimmed(side []byte) (out linediff.Slice) {
	for line := range bytes.Lines(side) {
		out = append(out, bytes.TrimSpace(line))
	}
	return out
}

// number matches the number above a block.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)^(?:[0-9]{1,3}[.)])?[ \t*_`#>-]*(block|line)[ \t]+([0-9]{1,9})\\b")
})

// numbersIn returns, for each block of an answer, the nearest number between it and the block
// before, such as "block 2" or "line 14", or "".
func numbersIn(text []byte, answer *parser.Reply) []string {
	out := make([]string, len(answer.Blocks))
	lines, from := bytes.Split(text, []byte("\n")), 0 // from is the line after the block before
	for i := range answer.Blocks {
		at := answer.Blocks[i].Lines
		for n := min(at[0]-1, len(lines)) - 1; n >= max(from, 0) && out[i] == ""; n-- {
			if found := number().FindSubmatch(lines[n]); found != nil {
				id, _ := strconv.Atoi(string(found[2])) // at most nine digits
				out[i] = fmt.Sprintf("%s %d", bytes.ToLower(found[1]), id)
			}
		}
		from = max(from, at[1])
	}
	return out
}
