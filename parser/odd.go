package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// oddBlock follows a block whose opener has too few signs for one, 3 or 4, or more than 9. Such a
// line alone is no opener. It is one where divider and closer have as many signs: then nothing else
// can be meant, and everything between them is content. Where they have not, the opener is
// reported, and what follows it is read as if there was none.
type oddBlock struct {
	open    bool
	mark    fsm.Mark
	line    []byte // of the opener
	outside int    // ctx.outside before it
	inner   int    // blocks with usual markers that are open inside
	content bool   // there was one, so that its markers are content
}

const (
	fewSigns  = 3
	usualFew  = 5  // from here on the grammar knows them itself
	usualMany = 9  // up to here
	manySigns = 40 // more are a rule
)

// isOddOpener reports whether a line that is nearly an opener has but the wrong number of signs.
func isOddOpener(k *fsm.Mark) bool {
	n := k.Length
	few, many := n >= fewSigns && n < usualFew, n > usualMany && n <= manySigns
	return (few || many) && string(bytes.TrimRightFunc(k.Rest, text.Invisible)) == k.Dialect.Opener(n)
}

// mayOpenOdd reports whether an odd opener may open a block where it is.
func (s *scanner) mayOpenOdd(k *fsm.Mark) bool {
	return isOddOpener(k) && s.mayOpen(k.Dialect, fsm.Pos{}) && !s.in.exhausted()
}

// openOdd opens the block of an opener with an odd number of signs.
func (s *scanner) openOdd(k fsm.Mark, at fsm.Pos) {
	odd := oddBlock{open: true, line: bytes.Clone(k.Rest), outside: s.ctx.outside}
	k.Rest = nil
	s.open(k, at)
	odd.mark, _ = s.block.m.Opener()
	s.block.odd = odd
}

// insideOdd reads a line of the block at hand that may be a marker.
func (s *scanner) insideOdd(at fsm.Pos) {
	raw := s.in.buf[at.Start:at.End]
	opener, _ := s.block.m.Opener()
	n, d := opener.Length, opener.Dialect
	bare, ok := bytes.CutPrefix(raw, opener.Prefix)
	own := string(bytes.TrimRightFunc(bare, text.Invisible))
	k := fsm.Classify(raw)
	switch {
	case ok && own == d.Divider(n):
		s.block.m.Feed(fsm.Mark{Kind: fsm.Divider, Dialect: d, Length: n, Prefix: opener.Prefix}, at)
	case ok && own == d.Closer(n) && s.block.m.State() == fsm.InReplace:
		if search := s.block.m.Splits(at.Start)[0].Start; n < usualFew && text.Blank(s.in.buf[s.block.m.Body():search]) {
			s.giveUpOdd() // nothing in a file can show that this is a block
			return
		}
		s.complete(ending{body: at.Start, block: at.End})
	case k.Kind == fsm.Hint || k.Kind == fsm.Separator || k.Kind == fsm.Escaped:
		s.block.m.Feed(k, at)
	case k.Kind == fsm.Opener && n > usualMany:
		s.block.odd.inner++
		s.block.odd.content = true
	case k.Kind == fsm.Closer && n > usualMany && s.block.odd.inner > 0:
		s.block.odd.inner--
	case k.Kind == fsm.Closer, k.Kind == fsm.Opener && !d.Tentative() && k.Dialect != fsm.Cline, k.Kind == fsm.NearOpener && (n < usualFew || k.Length == n):
		s.giveUpOdd()
	}
}

// cutOffOdd ends the block at hand with the input.
func (s *scanner) cutOffOdd() {
	if s.block.odd.content || s.block.odd.mark.Length > usualMany && s.block.m.State() == fsm.InReplace {
		s.reject(truncated, len(s.in.buf), len(s.in.buf))
		return
	}
	s.giveUpOdd()
}

// giveUpOdd reports the opener of the block at hand, which is none, and reads on below it.
func (s *scanner) giveUpOdd() {
	odd := s.block.odd
	_, at := s.block.m.Opener()
	s.block.odd = oddBlock{}
	s.block.m.Reset()
	s.out.ignoreNextCloser = true
	s.ctx.inherit(s.block.binding.path, s.block.binding.names, s.block.binding.inherited)
	odd.mark.Rest = odd.line
	s.out.refuseOf(inMarkers, s.out.malformedOpener(odd.mark, at.Line), at.Line, at.Line)
	s.rewind(at.End, at.Line+1)
	s.ctx.outside = odd.outside
}
