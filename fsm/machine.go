package fsm

import (
	"slices"
)

// State is where in a block the machine is.
type State uint8

const (
	// Outside of any block.
	Outside State = iota
	// InSearch is between the opener and the first line that may be the divider.
	InSearch
	// InReplace is after it. More dividers may follow: which one counts is decided at the end.
	InReplace
)

var stateNames = [...]string{"outside", "search", "replace"}

// String returns the state in lower case.
func (s State) String() string { return stateNames[s] }

// Event is what a line means to the machine.
type Event uint8

const (
	// Content belongs to the block, be it text or a marker that does not count here.
	Content Event = iota
	// Head belongs to the block's head: a hint, or the separator after the hints.
	Head
	// Closed is the block's closer; the line is the block's last one.
	Closed
	// Reopened is an opener as the block's own: the block ended before it, without its closer.
	Reopened
	// Dropped says that a tentative block was a merge conflict and no edit.
	Dropped
)

// Pos locates a line as the caller counts: its number, and the bytes [Start, End) that it takes,
// line end included.
type Pos struct {
	Line, Start, End int
}

// Split is a divider line that may be the one between SEARCH and REPLACE.
type Split struct {
	Pos
	// Own says that the divider looks like the block's opener: same length, same prefix.
	Own bool
	// Depth counts the nested conflicts around it.
	Depth int
	// HintAfter says that a hint follows, or the separator of a block with hints, which belongs
	// before the divider.
	HintAfter bool
}

// Machine follows one block at a time from its opener to its end. The zero value is outside.
//
// The opener's length and prefix are the block's own. The first closer like it ends the block.
// Markers of another length or prefix are content first; [Machine.Closer] offers the one that may
// end the block all the same when no closer of its own comes.
type Machine struct {
	state       State
	opener      Mark
	at          Pos
	prefix      []byte
	head        int // last line of the head
	body        int // offset of the first byte after the head
	hinted      bool
	escapes     bool
	sep         Pos
	hasSep      bool
	hints       [2]int
	nest        []nested
	splits      []Split
	closer      Pos
	closes      Mark // the mark of closer; Kind is Text while there is none
	alone       bool // closer ends the block if nothing follows
	stray       Pos  // see Stray
	strays      bool
	inLine      bool // closer has the block's prefix
	passed      bool // an opener of other blocks followed closer
	innerOpener bool // see HasInnerOpener
}

// maxTracked bounds what the machine remembers of one block, well above what a block may have and
// be understood. Of more dividers it keeps the first ones and the last.
const maxTracked = 256

type nested struct {
	length   int
	prefix   int
	dividers int // how many there were before it
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

// Feed reads a line that is not Text. Text need not be fed.
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
		m.passed = m.passed || m.closes.Kind == Closer && m.alone && m.inLine && sameMargin
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
			m.stray, m.strays = at, true
		}
		m.closeWithMore(k, at, own)
	case Closer:
		return m.close(k, at, own)
	case Divider:
		m.divide(k, at, own)
	}
	return Content
}

// separate takes a separator: below Roo's head it ends that, and below a divider with a hint it is
// the one of the head.
func (m *Machine) separate(at Pos, sameMargin bool) Event {
	switch {
	case m.hasSep || !sameMargin:
	case m.state == InSearch && at.Line == m.head+1:
		m.sep, m.hasSep = at, true
		return Head
	case m.head > m.at.Line && m.afterDivider(at):
		m.splits[len(m.splits)-1].HintAfter = true // the head is Roo's, whose separator it is
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

// afterDivider reports whether the line at hand is the first one of REPLACE.
func (m *Machine) afterDivider(at Pos) bool {
	return m.state == InReplace && at.Line == m.splits[len(m.splits)-1].Line+1
}

func (m *Machine) divide(k Mark, at Pos, own bool) {
	if !own && !m.opener.Dialect.dividerLength(k.Length) {
		return
	}
	m.state = InReplace
	if own && !m.passed {
		m.closes = Mark{} // the length is kept to after all
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
			return Reopened // the closer before ended the block: its length was never kept to
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
		m.alone, m.inLine = m.mayClose(k, own), samePrefix
		m.closes.Prefix, m.closes.Rest = nil, nil
	}
	return Content
}

// closeWithMore notes a closer like the block's own with more text on its line. Content may have
// such a line, so it ends the block only if another block follows before the block's own closer.
func (m *Machine) closeWithMore(k Mark, at Pos, own bool) {
	if own && m.state == InReplace && m.closes.Kind == Text && k.Dialect != NoDialect &&
		m.opener.Dialect.closes(k.Dialect) {
		m.closer, m.closes, m.alone, m.inLine = at, k, false, true
		m.closes.Kind, m.closes.Prefix, m.closes.Rest = Closer, nil, nil
	}
}

// usualLength is the length of markers that nobody chose on purpose.
const usualLength = 7

// mayClose decides whether a closer unlike the opener may end the block with nothing but the end of
// the input after it. A writer who uses unusual markers in opener and divider does so because
// shorter markers are content, so then only a longer run, less indentation or another label counts
// as a slip.
func (m *Machine) mayClose(k Mark, own bool) bool {
	return own || !m.ownDivider() || k.Length > m.opener.Length ||
		k.Length == m.opener.Length && len(k.Prefix) < len(m.prefix)
}

// closedBefore reports whether the opener k shows that a closer unlike the block's opener ended the
// block: in content a closer comes after its opener, not before. A block whose opener has an
// unusual length may still have a closer of that length.
func (m *Machine) closedBefore(k Mark) bool {
	return m.opener.Length <= usualLength && m.closes.Kind == Closer && m.inLine &&
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

// pop ends the innermost conflict that k's length and prefix fit, and those inside that were never
// closed. Only now the dividers in between are known to be nested.
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

// Opener returns the block's opener and where it is. Its Prefix is valid until the next Open.
func (m *Machine) Opener() (Mark, Pos) { return m.opener, m.at }

// Hints returns the hinted lines, 1-based; 0 if there are none.
func (m *Machine) Hints() (start, end int) { return m.hints[0], m.hints[1] }

// Hinted reports whether the head has a hint, with a number or without.
func (m *Machine) Hinted() bool { return m.hinted }

// Separator returns the "-------" that follows the head directly. It is certainly the separator
// only after a hint.
func (m *Machine) Separator() (Pos, bool) { return m.sep, m.hasSep }

// Body returns the offset of the first byte after opener and hints; a separator is part of the
// body.
func (m *Machine) Body() int { return m.body }

// Escapes reports whether the block has escaped markers.
func (m *Machine) Escapes() bool { return m.escapes }

// Closer returns the first closer that is unlike the opener and yet ends the block when another
// block follows; atEnd says that it also ends the block at the end of the input.
func (m *Machine) Closer() (at Pos, atEnd, ok bool) {
	return m.closer, m.alone, m.closes.Kind == Closer
}

// Stray returns the last line of REPLACE that is like a closer and ends no conflict inside:
// probably a closer that was written wrong.
func (m *Machine) Stray() (Pos, bool) { return m.stray, m.strays }

// HasInnerOpener reports whether the block has the opener of another block inside. It may be
// content; if the block's markers have an unusual length, it certainly is.
func (m *Machine) HasInnerOpener() bool { return m.innerOpener }

// Splits returns the lines before offset end that may divide the block, in the order of the text.
// If there are any like the opener, those only.
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

// Rank sorts dividers by how likely they are without knowledge of the file: outside of nested
// conflicts first, then the earliest.
func Rank(list []Split) {
	slices.SortStableFunc(list, func(a, b Split) int { return a.Depth - b.Depth })
}
