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
// first n edits of the answer that weren't understood count as new tries at them. The answer after
// this one drops these tries, because it's asked for the edits themselves again.
func (r *Reply) Join(name string, answer *parser.Reply, text []byte) (*Answered, error) {
	skips := skipsIn(text, answer)
	if len(answer.Blocks)+len(answer.Diagnostics)+len(skips) == 0 {
		return nil, apply.ErrNoEdits
	}
	a := Answered{notes: map[int]string{}}
	a.Moved = len(r.Blocks)+len(r.Attempts) == 0 // any edit is progress for a reply without edits
	r.Attempts = slices.DeleteFunc(slices.Clone(r.Attempts), func(t report.Located) bool { return t.Again })
	numbers := numbersIn(text, answer)
	r.skip(skips, numbers, &a)
	m := newMatching(r, answer, numbers)
	m.matchByNumber()
	m.matchByLines()
	m.matchByWords()
	r.putIn(m, &a)
	for _, id := range r.Refused {
		a.notes[id] = warning.Unanswered.Say(
			"the answer has no block for this one, and no line \"skip block %d\"", id)
	}
	open := len(r.Refused) + len(r.Attempts)
	own := report.Locate(name, answer, text)
	for i := range own {
		own[i].Again = i < open
	}
	r.Attempts, r.answered, r.plan = append(r.Attempts, own...), a, nil
	return &a, nil
}

// addNotes adds the notes about the answer to the warnings of reports. That a block has no answer
// only matters if the block is refused again.
func (a *Answered) addNotes(reports []apply.BlockReport) {
	for i := range reports {
		b, note := &reports[i], a.notes[reports[i].ID]
		unanswered := strings.HasPrefix(note, warning.Unanswered.Say(""))
		if note != "" && (!unanswered || b.Status == apply.BlockFailed) {
			b.Warnings = append(b.Warnings, note)
		}
	}
}

// putIn updates r with the blocks of the answer. m says which edit each of them is for. A block
// replaces that edit under its number; what it replaced moves to Before. Blocks that are new, or
// that correct attempts, come last. A block that only repeats one that wasn't refused is just added
// to Before. Edits that are corrected are no longer in Refused or Attempts. putIn sets a.Moved, and
// adds to a.notes what a user should check.
func (r *Reply) putIn(m *matching, a *Answered) {
	// New blocks get the next number, and the next turn, because the answer is a turn of its own.
	next, turn := 1, 1
	for _, b := range slices.Concat(r.Blocks, r.Made) { // Made are those that are written
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
		t := m.targetOf[i]
		switch {
		case t == nil || t.block == nil: // new, or corrects an attempt
			if t != nil {
				understood[t.attempt], a.Moved = true, true
				b.Path = cmp.Or(b.Path, t.path)
			}
			b.ID, b.Turn = next, turn+b.Turn
			blocks = append(blocks, b)
			next++
		default: // replaces or repeats a block
			old := *t.block
			id := old.ID
			if m.repeats(i, t) {
				b.ID = id
				r.Before = append(r.Before, b)
				continue
			}
			// The block has no name, or only the one of a block above it in the answer.
			if b.Path == "" || b.Inherited {
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
		if n := m.numbers[i]; n != "" && t != nil && n != t.name {
			a.notes[b.ID] = warning.Misnumbered.Say("the answer calls this %s, but its lines match %s",
				n, t.name)
		}
		if m.byWordsOnly[i] {
			a.notes[b.ID] = warning.ByOrder.Say("matched to this edit only by the words it adds; check it")
		}
	}
	r.Blocks = blocks
	r.Refused = slices.DeleteFunc(slices.Clone(r.Refused), func(id int) bool { return answered[id] })
	var left []report.Located
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
	name, path string        // the name as the message has it, such as "block 2" or "line 14"
	// open is set if the message asks for a correction. written is set if the block is written.
	open, written bool
	// allAsked is set if nothing was refused, but the message asks to look at all blocks again: a
	// check of the result has failed. assigned is set once a block of the answer is for this
	// target.
	allAsked, assigned bool
}

// content is an edit in the form in which edits are compared.
type content struct {
	// lines are its distinctive lines: those with a word, with "-" in front of those of SEARCH and
	// "+" in front of those of REPLACE.
	lines map[string]bool
	// search is all of SEARCH. change has the lines that are dropped and added, hunk by hunk.
	// dropped has only the dropped ones, or is "" if there are none.
	search, change, dropped string
	// searched is how many of the lines belong to SEARCH.
	searched int
	// words are all of its words. adds are those that only REPLACE has; if there are none, those
	// that only SEARCH has, or else all.
	words, adds map[string]bool
}

// matching finds what the blocks of an answer are for. All slices but targets and pairs have one
// element for each block.
type matching struct {
	answer   []parser.Block
	contents []content
	numbers  []string // what is above each block, such as "block 2"; "" for nothing
	targets  []*target
	pairs    []pair // what each block may be for, the best match of all first
	// targetOf is what each block is for, or nil if it's new or not decided yet.
	targetOf []*target
	// byWordsOnly is set for a block that was matched by words, and so may be for another edit.
	byWordsOnly []bool
}

// pair is a block of the answer, by its index, and what it may be for.
type pair struct {
	answer, score int
	target        *target
}

// maxSharing is how many edits may share a line before the line no longer tells them apart.
const maxSharing = 256

// newMatching returns a matching with all blocks and attempts of the reply as targets, and all
// pairs that are similar enough, but no decisions. numbers are those of numbersIn.
func newMatching(r *Reply, answer *parser.Reply, numbers []string) *matching {
	m := &matching{answer: answer.Blocks, numbers: numbers}
	m.targetOf, m.byWordsOnly = make([]*target, len(m.answer)), make([]bool, len(m.answer))
	allAsked := len(r.Refused)+len(r.Attempts) == 0 // a check of the result failed
	add := func(blocks []parser.Block, written bool) {
		for i := range blocks {
			b := &blocks[i]
			m.targets = append(m.targets, &target{content: contentOf(b), block: b, attempt: -1,
				name: fmt.Sprint("block ", b.ID), path: b.Path, written: written,
				allAsked: !written && allAsked, open: !written && slices.Contains(r.Refused, b.ID)})
		}
	}
	add(r.Blocks, false /* written */)
	add(r.Made, true /* written */)
	for i := range r.Attempts {
		t := &target{attempt: i, path: r.Attempts[i].Known.Path, open: true}
		t.name, t.lines = fmt.Sprint("line ", r.Attempts[i].Line), map[string]bool{}
		for line := range bytes.Lines(r.Attempts[i].Text) {
			if fsm.Classify(line).Kind == fsm.Text { // not a marker
				t.addLine("-", line) // the side is unknown
				t.addLine("+", line)
			}
		}
		m.targets = append(m.targets, t)
	}
	m.pairUp()
	return m
}

// pairUp sets contents and pairs: what each block of the answer may be for, the best match of all
// first, and open edits first among equals. To compare only edits that have something in common, it
// looks targets up by their lines, and by keyOf for blocks without such lines.
func (m *matching) pairUp() {
	with := map[string][]int{} // indexes of the targets with a line, such as "+return x", or a key
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
			if len(with[line]) <= maxSharing { // it tells edits apart
				for _, t := range with[line] {
					shared[t]++
				}
			}
		}
		for _, at := range slices.Sorted(maps.Keys(shared)) {
			if t := m.targets[at]; t.mayBeFor(b, &c, shared[at]) {
				m.pairs = append(m.pairs, pair{i, t.score(b, &c, shared[at]), t})
			}
		}
	}
	slices.SortStableFunc(m.pairs, func(a, b pair) int {
		rank := map[bool]int{true: 1} // 1 for an open edit, 0 for any other
		return cmp.Or(cmp.Compare(b.score, a.score), rank[b.target.open]-rank[a.target.open])
	})
}

// keyOf returns what pairUp looks a block up by besides its lines, which may be too common or have
// no word: the lines that it changes. A block without SEARCH, such as one that creates or moves a
// file, is looked up by the file's base name, because the answer may correct the directory, the
// content or the action. c is the content of b.
func keyOf(b *parser.Block, c *content) string {
	if c.search == "" {
		return "file " + path.Base(b.Path)
	}
	return "change " + c.change
}

// mayBeFor reports whether block b of the answer, with content c, may be for target t. shared is
// the number of common lines. For an open target, that must be half of the lines of the smaller
// edit or, in the same file, a quarter. A block that was not refused is only replaced by one that
// changes the same lines at the same place, unless the message asks for all blocks again.
func (t *target) mayBeFor(b *parser.Block, c *content, shared int) bool {
	least := min(len(t.lines), len(c.lines))
	half := shared > 0 && 2*shared >= least
	quarter := shared > 0 && 4*shared >= least
	neitherHasText := t.search+t.change+c.search+c.change == ""
	switch {
	case !t.open:
		// A block that is written can only be repeated, unlike one that waits for the others.
		rewritten := !t.written && t.rewrittenBy(b, c) || t.allAsked && half
		return t.inSameFile(b) && (rewritten || t.sameAs(b, c))
	case t.block != nil && neitherHasText: // files are deleted or moved
		return t.inSameFile(b) && t.block.Op == b.Op
	}
	return half || quarter && t.inSameFile(b)
}

// score returns how well block b, with content c, matches target t, if mayBeFor allows the pair. It
// counts the lines that they share, twice as much if SEARCH is the same. It prefers the same file,
// and there the refused block that has the same REPLACE.
func (t *target) score(b *parser.Block, c *content, shared int) int {
	score := 2 * shared
	if t.search != "" && t.search == c.search {
		score *= 2
	}
	if t.inSameFile(b) {
		score++
		refused := t.open && t.block != nil
		if refused && len(b.Replace) > 0 && bytes.Equal(b.Replace, t.block.Replace) {
			score += 4 * len(t.lines) // a model that corrects SEARCH repeats REPLACE
		}
	}
	return score
}

// inSameFile reports whether a block may be for the target's file. The paths are equal, one ends
// with the other, as "src/a.go" ends with "a.go", one is missing, or the block inherits its path
// from an earlier block.
func (t *target) inSameFile(b *parser.Block) bool {
	one, other := path.Clean(t.path), path.Clean(b.Path)
	return t.path == "" || b.Path == "" || b.Inherited || one == other ||
		strings.HasSuffix(one, "/"+other) || strings.HasSuffix(other, "/"+one)
}

// sameAs reports whether a block makes the target's change at the target's place. Both may have
// other lines of the file around the change.
func (t *target) sameAs(b *parser.Block, c *content) bool {
	return t.block.Op == b.Op && t.block.NewPath == b.NewPath && t.change == c.change && t.atPlaceOf(c)
}

// rewrittenBy reports whether a block drops the same lines as the target at the same place,
// whatever it adds, or whether both give a whole file.
func (t *target) rewrittenBy(b *parser.Block, c *content) bool {
	whole := func(b *parser.Block) bool { return b.Op == parser.OpCreate || b.Op == parser.OpWrite }
	dropsSame := t.dropped != "" && t.dropped == c.dropped && t.atPlaceOf(c)
	return dropsSame || whole(t.block) && whole(b)
}

// atPlaceOf reports whether t and c have SEARCHes for the same place: one contains all distinctive
// lines of the other. If one has no such lines, the SEARCHes must be equal.
func (t *target) atPlaceOf(c *content) bool {
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

// matchByNumber matches the blocks that have a number above them. The number doesn't count if the
// block has nothing in common with that edit, but shares lines with another one. Models also count
// their own blocks: the answer's "block 1" may correct block 3.
func (m *matching) matchByNumber() {
	resembles := map[pair]bool{}                // the pairs, without their scores
	resemblesAny := make([]bool, len(m.answer)) // the blocks that are in a pair
	for _, p := range m.pairs {
		resembles[pair{p.answer, 0, p.target}] = true
		resemblesAny[p.answer] = true
	}
	for i, number := range m.numbers { // "" is the name of no target
		for _, t := range m.targets {
			if t.name != number || t.assigned || t.written {
				continue
			}
			if resembles[pair{i, 0, t}] || t.open && !resemblesAny[i] {
				m.assign(i, t)
			}
		}
	}
}

// assign records that block i of the answer is for t, which is then no longer available.
func (m *matching) assign(i int, t *target) { m.targetOf[i], t.assigned = t, true }

// matchByLines matches blocks by the lines that they share, those that share most first.
func (m *matching) matchByLines() {
	for _, p := range m.pairs {
		if m.targetOf[p.answer] == nil && !p.target.assigned {
			m.assign(p.answer, p.target)
		}
	}
}

// matchByWords matches what is left: a block with an open edit of the same file, if neither fits
// another one. A block fits a refused block if it has most of the words that the latter adds. It
// fits any attempt.
func (m *matching) matchByWords() {
	edits := map[int][]*target{} // the edits that each block fits
	blocks := map[*target]int{}  // how many blocks fit each edit
	for i := range m.answer {
		for _, t := range m.targets {
			unmatched := m.targetOf[i] == nil && t.open && !t.assigned
			if unmatched && t.inSameFile(&m.answer[i]) &&
				(t.block == nil || m.contents[i].hasMost(t.adds)) {
				edits[i] = append(edits[i], t)
				blocks[t]++
			}
		}
	}
	for i, ts := range edits {
		if len(ts) == 1 && blocks[ts[0]] == 1 {
			m.assign(i, ts[0])
			m.byWordsOnly[i] = len(m.answer) > 1 // the only block of an answer needs no warning
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

// contentOf returns a block in the form in which edits are compared. Leading and trailing blanks of
// lines don't count.
func contentOf(b *parser.Block) content {
	c := content{lines: map[string]bool{}}
	before, after := trimmed(b.Search), trimmed(b.Replace)
	c.search = string(bytes.Join(before, []byte("\n")))
	for _, line := range before {
		c.addLine("-", line)
	}
	c.searched = len(c.lines)
	for _, line := range after {
		c.addLine("+", line)
	}
	from, to := wordsOf(b.Search), wordsOf(b.Replace)
	c.words = maps.Clone(from)
	maps.Copy(c.words, to)
	// The words that tell the edit apart are those that it adds or, if there are none, drops.
	if c.adds = without(to, from); len(c.adds) == 0 {
		c.adds = without(from, to)
	}
	if len(c.adds) == 0 {
		c.adds = c.words
	}
	var dropped, change strings.Builder
	for _, d := range linediff.Diff(before, after) {
		fmt.Fprintf(&dropped, "%q", before[d.A0:d.A1])
		fmt.Fprintf(&change, "%q%q", before[d.A0:d.A1], after[d.B0:d.B1])
	}
	c.change = change.String()
	if c.dropped = dropped.String(); strings.Trim(c.dropped, "[]") == "" { // "[][]": only insertions
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

// addLine adds a line of a side, "-" or "+", to the distinctive lines, if it has a word.
func (c *content) addLine(side string, line []byte) {
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

// numberAbove matches a line that begins with the name of an edit, such as "### Block 2:", even in
// a numbered list: "1. **Block 2**".
var numberAbove = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)^(?:[0-9]{1,3}[.)])?[ \t*_`#>-]*(block|line)[ \t]+([0-9]{1,9})\\b")
})

// numbersIn returns, for each block of an answer, the name of the edit that it should correct, such
// as "block 2" or "line 14". That's the nearest name between the block and the one before, or "".
// text is the answer.
func numbersIn(text []byte, answer *parser.Reply) []string {
	out := make([]string, len(answer.Blocks))
	lines, from := bytes.Split(text, []byte("\n")), 0 // from is the line after the block before
	for i := range answer.Blocks {
		at := answer.Blocks[i].Lines // 1-based, inclusive
		for n := min(at[0]-1, len(lines)) - 1; n >= max(from, 0) && out[i] == ""; n-- {
			if found := numberAbove().FindSubmatch(lines[n]); found != nil {
				id, _ := strconv.Atoi(string(found[2])) // at most nine digits
				out[i] = fmt.Sprintf("%s %d", bytes.ToLower(found[1]), id)
			}
		}
		from = max(from, at[1])
	}
	return out
}
