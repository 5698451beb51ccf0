package fsm

import (
	"slices"
)

// State is the machine's position relative to a block.
type State uint8

const (
	// Outside is outside any block.
	Outside State = iota
	// InSearch is after the opener, before the first line that may be the divider.
	InSearch
	// InReplace is after the first line that may be the divider. More such lines may follow; the
	// parser chooses one at the end of the block.
	InReplace
)

var stateNames = [...]string{"outside", "search", "replace"}

// String returns the name of the state in lower case.
func (s State) String() string { return stateNames[s] }

// Event is what a line means to the machine.
type Event uint8

const (
	// Content is part of the block's text, or a marker that has no effect yet.
	Content Event = iota
	// Head is part of the block's head: a hint, or the separator after the hints.
	Head
	// Closed is the block's closer, its last line.
	Closed
	// Reopened is a line that shows that the block ended earlier, without its own closer. Usually
	// it is the opener of the next block.
	Reopened
	// Dropped means that a tentative block was a merge conflict, not an edit.
	Dropped
)

// Pos is the position of a line: its number, and its byte range [Start, End), including the line
// end.
type Pos struct {
	Line, Start, End int
}

// Split is a line that may be the divider between SEARCH and REPLACE.
type Split struct {
	Pos
	// Own says that the line matches the block's opener in length and prefix.
	Own bool
	// Depth is the number of nested conflicts around the line.
	Depth int
	// HintAfter says that the next line is a hint, or the separator of a block with hints. Both
	// belong before SEARCH.
	HintAfter bool
}

// Machine tracks one block at a time from its opener to its end. The zero value is outside any
// block.
//
// A block's own markers have its opener's length and prefix. The first such closer ends the block.
// Other markers first count as content. If the block's own closer never comes, [Machine.Closer]
// returns another one that may end the block.
type Machine struct {
	state        State
	opener       Mark
	openerPos    Pos
	prefix       []byte
	head         int    // number of the head's last line, without the separator
	body         int    // offset of the first byte after that line
	hinted       bool   // see Hinted
	escapes      bool   // see Escapes
	sep          Pos    // see Separator
	hasSep       bool   // sep is set
	hints        [2]int // see Hints
	nest         []nested
	splits       []Split
	closer       Pos
	closes       Mark // the mark of closer; its Kind is Text if there is none yet
	endsAtEOF    bool // the end of the input makes closer the block's end
	stray        Pos  // see Stray
	hasStray     bool
	samePrefix   bool // closer has the block's prefix
	openerPassed bool // another opener followed closer
	innerOpener  bool // see HasInnerOpener
}

// maxTracked limits the conflicts and dividers recorded for a block. No block that can be divided
// has so many. If there are more dividers, only the first ones and the last one are kept.
const maxTracked = 256

type nested struct { // an open conflict inside the block
	length   int
	prefix   int
	dividers int // number of dividers before it
}

// State returns the machine's state.
func (m *Machine) State() State { return m.state }

// Open begins a block at an Opener.
func (m *Machine) Open(opener Mark, at Pos) {
	*m = Machine{
		state: InSearch, opener: opener, openerPos: at, prefix: append(m.prefix[:0], opener.Prefix...),
		head: at.Line, body: at.End, nest: m.nest[:0], splits: m.splits[:0],
		hints: [2]int{opener.Start, opener.End}, hinted: opener.Start > 0 || opener.End > 0,
	}
	m.opener.Prefix, m.opener.Rest = m.prefix, nil
}

// Reset abandons the current block.
func (m *Machine) Reset() { m.state = Outside }

// Feed reads a line of any kind except Text, in a block. Text lines need not be fed. k is the
// line's mark, and at its position.
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
		next := own && k.Dialect == m.opener.Dialect || m.closedBefore(k)
		// A block that may be a merge conflict contains no edits.
		isConflict := m.opener.Dialect.Tentative() && k.Length >= m.opener.Length
		if next || isConflict {
			return Reopened // the opener begins the next block; otherwise it is content
		}
		m.innerOpener = m.opener.Length <= usualLength // a longer opener is meant to contain others
		if m.closes.Kind == Closer && m.endsAtEOF && m.samePrefix && sameMargin {
			m.openerPassed = true // dividers below may be another block's, so closer stays
		}
		m.push(k)
	case ConflictOpen:
		m.push(k)
	case ConflictClose:
		if m.pop(k) {
			return Content // the end of a conflict inside the block
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

// separate reads the separator in the line at and returns Head if it is directly after the opener
// and the hints. Otherwise it is content. In a block with hint lines, a separator directly after a
// divider was put below SEARCH by mistake, so separate sets the divider's HintAfter: the parser then
// doesn't divide the block there. sameMargin says that the separator has the opener's prefix; with
// another one, it is always content.
func (m *Machine) separate(at Pos, sameMargin bool) Event {
	hasHintLines := m.head > m.openerPos.Line
	switch {
	case m.hasSep || !sameMargin: // the head has its separator, or this is none
	case m.state == InSearch && at.Line == m.head+1:
		m.sep, m.hasSep = at, true
		return Head
	case hasHintLines && m.afterDivider(at):
		m.splits[len(m.splits)-1].HintAfter = true
	}
	return Content
}

// hint reads the hint k in the line at and returns Head if it is directly after the opener or
// another hint there. Otherwise it is content. A hint directly after a divider was put below SEARCH
// by mistake, so hint sets the divider's HintAfter, see separate.
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

// afterDivider reports whether the line at is the first line of REPLACE.
func (m *Machine) afterDivider(at Pos) bool {
	return m.state == InReplace && at.Line == m.splits[len(m.splits)-1].Line+1
}

// divide records a divider, so that REPLACE may begin below it. One that doesn't match the opener
// (own is false) counts only if the block's dialect allows its length.
func (m *Machine) divide(k Mark, at Pos, own bool) {
	if !own && !m.opener.Dialect.dividerLength(k.Length) {
		return
	}
	m.state = InReplace
	if own && !m.openerPassed {
		m.closes = Mark{} // the block's markers have the same length after all
	}
	if len(m.splits) == maxTracked { // keep the last divider
		m.splits[maxTracked-1] = Split{Pos: at, Own: own}
		return
	}
	m.splits = append(m.splits, Split{Pos: at, Own: own})
}

// close reads a closer. own says that it has the opener's length and prefix. With the label that
// fits the opener, too, it ends the block (Closed), unless an earlier one did (Reopened). Otherwise
// it may end a nested conflict. If not, the first likely one in REPLACE is recorded, because it may
// be meant for the block. A tentative block, which needs exactly its closer, is Dropped instead.
func (m *Machine) close(k Mark, at Pos, own bool) Event {
	fits := m.opener.Dialect.closes(k.Dialect)
	if own && fits {
		if m.closes.Kind == Closer && !m.ownDivider() {
			return Reopened // the earlier closer, of another length, ended the block
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
	endsAtEOF := m.mayClose(k, own)
	endsAtOpener := samePrefix && m.opener.Length <= usualLength
	if m.closes.Kind == Text && m.state == InReplace && (endsAtEOF || endsAtOpener) {
		m.closer, m.closes = at, k
		m.endsAtEOF, m.samePrefix = endsAtEOF, samePrefix
		m.closes.Prefix, m.closes.Rest = nil, nil
	}
	return Content
}

// closeWithMore records a closer that matches the opener but is followed by more text. The line may
// be content, so it ends the block only if another block begins before the block's own closer.
func (m *Machine) closeWithMore(k Mark, at Pos, own bool) {
	if own && m.state == InReplace && m.closes.Kind == Text && k.Dialect != NoDialect &&
		m.opener.Dialect.closes(k.Dialect) {
		m.closer, m.closes, m.endsAtEOF, m.samePrefix = at, k, false, true
		m.closes.Kind, m.closes.Prefix, m.closes.Rest = Closer, nil, nil
	}
}

// usualLength is the usual length of markers. A longer opener was chosen on purpose.
const usualLength = 7

// mayClose reports whether the closer k, which doesn't match the opener, may end the block at the
// end of the input. If the divider matches the opener, shorter markers are probably content. Then k
// counts only if it is longer than the opener, has a shorter prefix, or differs only in its label
// (own).
func (m *Machine) mayClose(k Mark, own bool) bool {
	return own || !m.ownDivider() || k.Length > m.opener.Length ||
		k.Length == m.opener.Length && len(k.Prefix) < len(m.prefix)
}

// closedBefore reports whether the opener k shows that an earlier closer, which doesn't match the
// block's opener, ended the block: in content, a closer comes after its opener, not before it. A
// block with a longer opener than usual may still get a closer of that length.
func (m *Machine) closedBefore(k Mark) bool {
	return m.opener.Length <= usualLength && m.closes.Kind == Closer && m.samePrefix &&
		string(k.Prefix) == string(m.prefix) && forms[k.Dialect].open == forms[m.opener.Dialect].open
}

// ownDivider reports whether a divider has the opener's length and prefix.
func (m *Machine) ownDivider() bool {
	return slices.ContainsFunc(m.splits, func(d Split) bool { return d.Own })
}

// push records that a conflict or a block begins inside the block.
func (m *Machine) push(k Mark) {
	if len(m.nest) == maxTracked {
		return
	}
	m.nest = append(m.nest, nested{length: k.Length, prefix: len(k.Prefix), dividers: len(m.splits)})
}

// pop ends the innermost conflict with k's length and prefix, and the unclosed conflicts inside it.
// It increases the depth of the dividers since that conflict's start, which are now known to be
// nested. It reports whether there is such a conflict.
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
func (m *Machine) Opener() (Mark, Pos) { return m.opener, m.openerPos }

// Hints returns the line numbers in the hints, 1-based; 0 if there are none.
func (m *Machine) Hints() (start, end int) { return m.hints[0], m.hints[1] }

// Hinted reports whether the head has a hint, with or without a number.
func (m *Machine) Hinted() bool { return m.hinted }

// Separator returns the "-------" line directly after the head. It is certain to be the separator
// only if a hint precedes it.
func (m *Machine) Separator() (Pos, bool) { return m.sep, m.hasSep }

// Body returns the offset of the first byte after the opener and the hints. A separator is part of
// the body.
func (m *Machine) Body() int { return m.body }

// Escapes reports whether the block contains escaped markers.
func (m *Machine) Escapes() bool { return m.escapes }

// Closer returns the first closer that doesn't match the opener but ends the block if another block
// follows. atEnd says that it ends the block at the end of the input, too.
func (m *Machine) Closer() (at Pos, atEnd, ok bool) {
	return m.closer, m.endsAtEOF, m.closes.Kind == Closer
}

// Stray returns the last line of REPLACE that looks like a closer but ends no nested conflict. It
// is probably a mistyped closer.
func (m *Machine) Stray() (Pos, bool) { return m.stray, m.hasStray }

// HasInnerOpener reports whether the block contains another opener, although its own opener is no
// longer than usual. The inner opener may be content.
func (m *Machine) HasInnerOpener() bool { return m.innerOpener }

// Splits returns the lines before offset end that may divide the block, in order. If any of them
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

// Rank sorts dividers by likelihood, without looking at the file: those outside nested conflicts
// come first, then those that come earlier.
func Rank(list []Split) {
	slices.SortStableFunc(list, func(a, b Split) int { return a.Depth - b.Depth })
}
