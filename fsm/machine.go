package fsm

import (
	"slices"
)

// State says where in a block the machine is.
type State uint8

const (
	// Outside is outside of any block.
	Outside State = iota
	// InSearch is after the opener, before the first line that may be the divider.
	InSearch
	// InReplace is after that line. More dividers may follow; which one counts is decided at the
	// end.
	InReplace
)

var stateNames = [...]string{"outside", "search", "replace"}

// String returns the state in lower case.
func (s State) String() string { return stateNames[s] }

// Event says what a line means to the machine.
type Event uint8

const (
	// Content belongs to the block: text, or a marker that does not count here.
	Content Event = iota
	// Head belongs to the block's head: a hint, or the separator after the hints.
	Head
	// Closed is the block's closer and its last line.
	Closed
	// Reopened is an opener like the block's own. The block ended before it, without its closer.
	Reopened
	// Dropped says that a tentative block was a merge conflict, not an edit.
	Dropped
)

// Pos is the position of a line: its number, and its bytes [Start, End), line end included.
type Pos struct {
	Line, Start, End int
}

// Split is a line that may be the divider between SEARCH and REPLACE.
type Split struct {
	Pos
	// Own says that the divider matches the block's opener in length and prefix.
	Own bool
	// Depth is the number of nested conflicts around it.
	Depth int
	// HintAfter says that a hint follows, or the separator of a block with hints. Both belong
	// before SEARCH.
	HintAfter bool
}

// Machine tracks one block at a time from its opener to its end. The zero value is outside.
//
// The block's markers have the opener's length and prefix. The first such closer ends the block.
// Other markers are content at first. If the block's own closer never comes, [Machine.Closer]
// returns another one that may end the block.
type Machine struct {
	state        State
	opener       Mark
	at           Pos
	prefix       []byte
	head         int // last line of the head
	body         int // offset of the first byte after the head
	hinted       bool
	escapes      bool
	sep          Pos
	hasSep       bool
	hints        [2]int
	nest         []nested
	splits       []Split
	closer       Pos
	closes       Mark // the mark of closer; its Kind is Text while there is none
	endsAtEOF    bool // closer also ends the block at the end of the input
	stray        Pos  // see Stray
	hasStray     bool
	samePrefix   bool // closer has the block's prefix
	openerPassed bool // another opener followed closer
	innerOpener  bool // see HasInnerOpener
}

// maxTracked limits the conflicts and dividers that are remembered for a block. A block
// that is understood never has so many. Of more dividers, the first ones and the last are kept.
const maxTracked = 256

type nested struct { // an open conflict inside the block
	length   int
	prefix   int
	dividers int // number of dividers before it
}

// State returns where the machine is.
func (m *Machine) State() State { return m.state }

// Open begins a block at an Opener.
func (m *Machine) Open(opener Mark, at Pos) {
	*m = Machine{
		state: InSearch, opener: opener, at: at, prefix: append(m.prefix[:0], opener.Prefix...),
		head: at.Line, body: at.End, nest: m.nest[:0], splits: m.splits[:0],
		hints: [2]int{opener.Start, opener.End}, hinted: opener.Start > 0 || opener.End > 0,
	}
	m.opener.Prefix, m.opener.Rest = m.prefix, nil
}

// Reset leaves the block.
func (m *Machine) Reset() { m.state = Outside }

// Feed reads a line that is not Text. Lines of Text need not be fed.
func (m *Machine) Feed(k Mark, at Pos) Event {
	sameMargin := string(k.Prefix) == string(m.prefix)
	own := k.Length == m.opener.Length && sameMargin
	switch k.Kind {
	case Escaped:
		m.escapes = m.escapes || sameMargin
	case Hint:
		return m.hint(k, at)
	case Separator:
		return m.separate(at, sameMargin)
	case Opener:
		if own && k.Dialect == m.opener.Dialect || m.closedBefore(k) ||
			m.opener.Dialect.Tentative() && k.Length >= m.opener.Length {
			return Reopened
		}
		m.innerOpener = m.opener.Length <= usualLength
		m.openerPassed = m.openerPassed || m.closes.Kind == Closer && m.endsAtEOF && m.samePrefix && sameMargin
		m.push(k)
	case ConflictOpen:
		m.push(k)
	case ConflictClose:
		if m.pop(k) {
			return Content
		}
		if m.opener.Dialect.Tentative() && own {
			return Dropped
		}
		if own && m.state == InReplace {
			m.stray, m.hasStray = at, true
		}
		m.closeWithMore(k, at, own)
	case Closer:
		return m.close(k, at, own)
	case Divider:
		m.divide(k, at, own)
	}
	return Content
}

// separate reads a separator. Directly after the head it ends the head; directly after a divider,
// in a block with hint lines, it is misplaced.
func (m *Machine) separate(at Pos, sameMargin bool) Event {
	switch {
	case m.hasSep || !sameMargin:
	case m.state == InSearch && at.Line == m.head+1:
		m.sep, m.hasSep = at, true
		return Head
	case m.head > m.at.Line && m.afterDivider(at):
		m.splits[len(m.splits)-1].HintAfter = true // the separator of Roo's head
	}
	return Content
}

func (m *Machine) hint(k Mark, at Pos) Event {
	switch {
	case m.state == InSearch && at.Line == m.head+1 && !m.hasSep:
		m.head, m.body, m.hinted = at.Line, at.End, true
		m.hints[0], m.hints[1] = max(m.hints[0], k.Start), max(m.hints[1], k.End)
		return Head
	case m.afterDivider(at):
		m.splits[len(m.splits)-1].HintAfter = true
	}
	return Content
}

// afterDivider reports whether the line at is the first one of REPLACE.
func (m *Machine) afterDivider(at Pos) bool {
	return m.state == InReplace && at.Line == m.splits[len(m.splits)-1].Line+1
}

func (m *Machine) divide(k Mark, at Pos, own bool) {
	if !own && !m.opener.Dialect.dividerLength(k.Length) {
		return
	}
	m.state = InReplace
	if own && !m.openerPassed {
		m.closes = Mark{} // the block's markers have one length after all
	}
	if len(m.splits) == maxTracked {
		m.splits[maxTracked-1] = Split{Pos: at, Own: own}
		return
	}
	m.splits = append(m.splits, Split{Pos: at, Own: own})
}

func (m *Machine) close(k Mark, at Pos, own bool) Event {
	fits := m.opener.Dialect.closes(k.Dialect)
	if own && fits {
		if m.closes.Kind == Closer && !m.ownDivider() {
			return Reopened // the earlier closer ended the block, whose markers differ in length
		}
		return Closed
	}
	if m.pop(k) {
		return Content
	}
	if m.opener.Dialect.Tentative() {
		if own {
			return Dropped
		}
		return Content
	}
	samePrefix := string(k.Prefix) == string(m.prefix)
	if m.closes.Kind == Text && m.state == InReplace &&
		(m.mayClose(k, own) || samePrefix && m.opener.Length <= usualLength) {
		m.closer, m.closes = at, k
		m.endsAtEOF, m.samePrefix = m.mayClose(k, own), samePrefix
		m.closes.Prefix, m.closes.Rest = nil, nil
	}
	return Content
}

// closeWithMore notes a closer like the block's own with more text on its line. That may be
// content, so it ends the block only if another block follows before the block's own closer.
func (m *Machine) closeWithMore(k Mark, at Pos, own bool) {
	if own && m.state == InReplace && m.closes.Kind == Text && k.Dialect != NoDialect &&
		m.opener.Dialect.closes(k.Dialect) {
		m.closer, m.closes, m.endsAtEOF, m.samePrefix = at, k, false, true
		m.closes.Kind, m.closes.Prefix, m.closes.Rest = Closer, nil, nil
	}
}

// usualLength is the usual length of markers. A writer who uses another one chose it on purpose.
const usualLength = 7

// mayClose reports whether a closer unlike the opener may end the block at the end of the input. If
// opener and divider have an unusual length, the writer chose it because shorter markers are
// content. Then only a longer run, less indentation or another label counts as a slip.
func (m *Machine) mayClose(k Mark, own bool) bool {
	return own || !m.ownDivider() || k.Length > m.opener.Length ||
		k.Length == m.opener.Length && len(k.Prefix) < len(m.prefix)
}

// closedBefore reports whether the opener k shows that a closer unlike the block's opener ended the
// block: in content, a closer comes after its opener, not before. A block whose opener has an
// unusual length may still get a closer of that length.
func (m *Machine) closedBefore(k Mark) bool {
	return m.opener.Length <= usualLength && m.closes.Kind == Closer && m.samePrefix &&
		string(k.Prefix) == string(m.prefix) && forms[k.Dialect].open == forms[m.opener.Dialect].open
}

func (m *Machine) ownDivider() bool {
	return slices.ContainsFunc(m.splits, func(d Split) bool { return d.Own })
}

func (m *Machine) push(k Mark) {
	if len(m.nest) == maxTracked {
		return
	}
	m.nest = append(m.nest, nested{length: k.Length, prefix: len(k.Prefix), dividers: len(m.splits)})
}

// pop ends the innermost conflict with k's length and prefix, and the unclosed ones inside it. Only
// then are the dividers since its start known to be nested.
func (m *Machine) pop(k Mark) bool {
	for i, n := range slices.Backward(m.nest) {
		if n.length == k.Length && n.prefix == len(k.Prefix) {
			for j := n.dividers; j < len(m.splits); j++ {
				m.splits[j].Depth++
			}
			m.nest = m.nest[:i]
			return true
		}
	}
	return false
}

// Opener returns the block's opener and its position. The Prefix is valid until the next Open.
func (m *Machine) Opener() (Mark, Pos) { return m.opener, m.at }

// Hints returns the hinted lines, 1-based; 0 if there are none.
func (m *Machine) Hints() (start, end int) { return m.hints[0], m.hints[1] }

// Hinted reports whether the head has a hint, with a number or without.
func (m *Machine) Hinted() bool { return m.hinted }

// Separator returns the "-------" directly after the head. Only after a hint is it surely the
// separator.
func (m *Machine) Separator() (Pos, bool) { return m.sep, m.hasSep }

// Body returns the offset of the first byte after opener and hints. A separator is part of the
// body.
func (m *Machine) Body() int { return m.body }

// Escapes reports whether the block has escaped markers.
func (m *Machine) Escapes() bool { return m.escapes }

// Closer returns the first closer that is unlike the opener but ends the block if another block
// follows. atEnd says that it also ends the block at the end of the input.
func (m *Machine) Closer() (at Pos, atEnd, ok bool) {
	return m.closer, m.endsAtEOF, m.closes.Kind == Closer
}

// Stray returns the last line of REPLACE that looks like a closer and ends no conflict inside. It
// is probably a mistyped closer.
func (m *Machine) Stray() (Pos, bool) { return m.stray, m.hasStray }

// HasInnerOpener reports whether the block contains the opener of another block, although its
// markers have the usual length. The opener may be content.
func (m *Machine) HasInnerOpener() bool { return m.innerOpener }

// Splits returns the lines before offset end that may divide the block, in text order. If some
// match the opener, it returns only those.
func (m *Machine) Splits(end int) []Split {
	own := false
	for _, d := range m.splits {
		own = own || d.Own && d.Start < end
	}
	list := make([]Split, 0, len(m.splits))
	for _, d := range m.splits {
		if d.Start < end && d.Own == own {
			list = append(list, d)
		}
	}
	return list
}

// Rank sorts dividers by how likely they are, without looking at the file: those outside nested
// conflicts first, then the earliest.
func Rank(list []Split) {
	slices.SortStableFunc(list, func(a, b Split) int { return a.Depth - b.Depth })
}
