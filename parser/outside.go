package parser

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/parser/internal/attempt"
	"github.com/srpatch/srpatch/parser/internal/envelope"

	"github.com/srpatch/srpatch/parser/internal/filename"

	"github.com/srpatch/srpatch/fsm"
)

// outsideLine reads a line outside of blocks that begins like something other than prose.
func (s *Scanner) outsideLine(at fsm.Pos) {
	l := s.take(at)
	raw := l.Raw
	if s.beginThought(raw, at) {
		return
	}
	if s.out.ahead.block != nil {
		s.out.lookAhead(raw, at)
	}
	if s.ask(attempt.AtFirst, l) {
		return
	}
	if s.fenceLine(raw, at) {
		s.ask(attempt.AtFence, l)
		if s.startFencedDiff(raw, at) {
			return
		}
		if s.ctx.shellEnd != at.Line {
			s.out.uses.put(prose, at.Line, at.Line)
		}
		return
	}
	s.ctx.headingLine(raw)
	if s.markerLine(l) || s.ask(attempt.AtMarker, l) {
		return
	}
	if !s.req.bare && s.startEnvelope(raw, at) {
		return
	}
	if s.ask(attempt.AtText, l) {
		return
	}
	s.out.uses.put(prose, at.Line, at.Line)
}

// markerLine reads a line that may be a marker. It reports whether it is one.
func (s *Scanner) markerLine(l *attempt.Line) bool {
	l.Mark = fsm.Classify(l.Raw)
	switch k := l.Mark; k.Kind {
	case fsm.Opener:
		if s.mayOpen(k, l.At) {
			s.open(k, l.At)
			return true
		}
	case fsm.Closer:
		if s.req.knows(k.Dialect) {
			s.strayCloser(l)
			return true
		}
	case fsm.NearOpener:
		if s.req.knowsMarkers() {
			s.out.ignoreNextCloser = true
			b := s.ctx.bind(fsm.Mark{}, l.At)
			s.ctx.inherit(b.path, b.names, b.inherited)
			s.out.refuse(s.out.malformedOpener(k, l.At.Line), l.At.Line, l.At.Line)
			return true
		}
	case fsm.Divider:
		s.block.lastDivider = l.At.Line
	}
	return false
}

// knows reports whether blocks of the dialect are to be read.
func (r *request) knows(d fsm.Dialect) bool {
	if r.format == "" {
		return true
	}
	want, ok := fsm.DialectNamed(r.format)
	return ok && want == d
}

// knowsMarkers reports whether blocks between markers are read, in any dialect.
func (r *request) knowsMarkers() bool {
	if r.format == "" {
		return true
	}
	_, ok := fsm.DialectNamed(r.format)
	return ok
}

func (s *Scanner) mayOpen(k fsm.Mark, at fsm.Pos) bool {
	return s.req.knows(k.Dialect) && !(k.Dialect.Tentative() && at.Start < s.block.conflict)
}

func (s *Scanner) open(k fsm.Mark, at fsm.Pos) {
	if s.block.lastDivider == at.Line-1 && s.block.lastDivider > 0 && !k.Dialect.Tentative() {
		s.block.lastDivider = 0
		s.out.emit(Item{Diagnostic: s.out.strayDivider(at.Line - 1)})
		s.out.uses.put(diagnosed, at.Line-1, at.Line-1)
	}
	s.out.ignoreNextCloser = false
	s.watch.Notice(attempt.Begins)
	s.out.opensWhilePending()
	s.block.binding = s.ctx.bind(k, at)
	s.ctx.heading = heading{}
	s.block.m.Open(k, at)
}

// strayCloser reports a closer outside of blocks, unless it belongs to an attempt that was refused already.
func (s *Scanner) strayCloser(l *attempt.Line) {
	at := l.At
	if s.out.refusePending(at.Line) {
		s.ctx.outside = at.End
		s.watch.ForgetMarker(0)
		return
	}
	if s.out.ignoreNextCloser {
		s.out.ignoreNextCloser = false
		s.out.uses.put(diagnosed, at.Line, at.Line)
		s.watch.ForgetMarker(0)
		return
	}
	if f, ended := s.watch.Close(l); ended {
		s.found(f, at)
		return
	}
	s.out.refuse(s.out.unexpectedCloser(l.Raw, at), at.Line, at.Line)
}

// refuse reports lines of the reply that were not understood.
func (out *output) refuse(d *Diagnostic, first, last int) {
	out.emit(Item{Diagnostic: d})
	out.uses.put(diagnosed, first, last)
	out.ctx.markFenceHasEdit()
}

func (s *Scanner) startEnvelope(raw []byte, at fsm.Pos) bool {
	if at.Start < s.block.conflict && (bytes.HasPrefix(raw, []byte("@@")) ||
		bytes.HasPrefix(raw, []byte("*** ")) && !bytes.HasPrefix(raw, []byte("*** Begin"))) {
		return false // a hunk without its head is just a line of the block that was cut off
	}
	e := envelope.Start(raw, at.Line, s.req.format, inner{})
	if e == nil {
		return false
	}
	s.begin(e, at)
	s.envelopeLine(at)
	return true
}

// startFencedDiff begins an envelope with the line at hand, if that opens a fence for a diff and the file is named next to it. A
// diff without a name next to it shows what changes and requests nothing, unless it shows a file that is deleted.
func (s *Scanner) startFencedDiff(raw []byte, at fsm.Pos) bool {
	f := s.ctx.top()
	if f == nil || f.line != at.Line || !f.diff || s.req.bare || s.req.format != "" && s.req.format != envelope.Diff {
		return false
	}
	b := s.ctx.bind(fsm.Mark{}, fsm.Pos{Line: at.Line + 1, Start: at.End})
	start, _ := s.ctx.labelAbove(at)
	deletes := !b.direct && filename.SaysDelete(s.in.buf[start:at.Start])
	if !b.direct && !deletes {
		return false
	}
	s.begin(envelope.StartFencedDiff(raw, deletes), at)
	s.env.binding, s.env.bound = b, true
	s.envelopeLine(at)
	return true
}

// openEnvelope is the envelope that is being read; current is nil outside of one.
type openEnvelope struct {
	current envelope.Envelope
	start   int // offset of its first line
	line    int // number of its first line
	size    int
	recent  [envelope.MaxUnread]int // offsets of the last lines
	binding binding
	bound   bool // binding is known
}

// begin makes the line at hand the first one of an envelope.
func (s *Scanner) begin(e envelope.Envelope, at fsm.Pos) {
	s.env.current, s.env.start, s.env.line, s.env.size, s.env.bound = e, at.Start, at.Line, 0, false
	s.env.recent = [envelope.MaxUnread]int{at.Start, at.Start, at.Start}
}

func (s *Scanner) envelopeLine(at fsm.Pos) {
	copy(s.env.recent[:], s.env.recent[1:])
	s.env.recent[envelope.MaxUnread-1] = at.Start
	s.env.size += at.End - at.Start + lineCost
	if s.env.current.Line(s.in.buf[at.Start:at.End], at.Line) {
		s.endEnvelope()
	} else if s.env.size > s.req.maxBlock && !envelope.BoundsItself(s.env.current) {
		s.env.current = nil
		s.ctx.outside = at.End
		s.out.refuse(s.oversizeEnvelope(at.Line), s.env.line, at.Line)
	}
}

// lineCost is about how many bytes an envelope needs to remember a line, along with its text.
const lineCost = 64

// bindEnvelope finds the file that the reply names above the envelope. It waits until the envelope has a block without a name,
// or until the text above has to make room, because many lines begin like an envelope and are none.
func (s *Scanner) bindEnvelope() {
	if !s.env.bound {
		s.env.binding, s.env.bound = s.ctx.bind(fsm.Mark{}, fsm.Pos{Line: s.env.line, Start: s.env.start}), true
	}
}

// endEnvelope emits the blocks and diagnostics of the envelope in the order of the reply, and reads the lines that it gave back.
func (s *Scanner) endEnvelope() {
	blocks, faults := s.env.current.Finish()
	offset, last := s.in.pos, s.in.line-1
	if n := s.env.current.Unread(); n > 0 {
		offset, last = s.env.recent[envelope.MaxUnread-n], last-n
	}
	if r := envelope.Rejected(s.env.current); r != nil && len(faults) == 0 {
		s.watch.Reject(r, &s.ctx)
	}
	s.env.current = nil
	if len(blocks)+len(faults) > 0 {
		s.watch.Notice(attempt.Gives)
		s.out.release()
	}
	if slices.ContainsFunc(blocks, func(b envelope.Block) bool { return b.Path == "" }) {
		s.bindEnvelope()
	}
	for i := range blocks {
		block := blockOf(&blocks[i])
		b := &block
		for len(faults) > 0 && faults[0].Line < b.Lines[0] {
			s.emitFault(faults[0])
			faults = faults[1:]
		}
		if b.Path == "" {
			s.env.binding.give(b)
		}
		if s.in.copies {
			b.Search, b.Replace = bytes.Clone(b.Search), bytes.Clone(b.Replace)
		}
		s.number(b)
		s.out.emit(Item{Block: b})
	}
	for _, f := range faults {
		s.emitFault(f)
	}
	s.out.uses.put(enveloped, s.env.line, last)
	outside := s.ctx.outside
	s.rewind(offset, last+1)
	if len(blocks)+len(faults) == 0 {
		s.ctx.outside = outside // nothing but prose: names above it still count
		return
	}
	s.ctx.heading = heading{}
	s.ctx.markFenceHasEdit()
}

func (s *Scanner) emitFault(f envelope.Fault) {
	d := Diagnostic(f)
	s.out.emit(Item{Diagnostic: &d})
}

// number gives a block the next number.
func (s *Scanner) number(b *Block) {
	s.out.blocks++
	b.ID, b.Turn = s.out.blocks, len(s.log.Turns())
	s.ctx.inherit(b.Path, b.Names, b.Inherited)
	s.ctx.inheritLabels(b)
}

// finish handles the end of the input. It reports whether lines were given back, so that reading continues.
func (s *Scanner) finish() bool {
	switch {
	case s.env.current != nil:
		s.endEnvelope()
	case s.block.m.State() != fsm.Outside:
		s.cutOff()
	default:
		s.out.endLookahead()
		s.endShell()
		s.endThought()
		s.out.release()
		return false
	}
	return s.in.pos < s.in.end || len(s.out.queue) > 0
}
