package parser

import (
	"github.com/srpatch/srpatch/parser/internal/attempt"

	"github.com/srpatch/srpatch/fsm"
)

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

func (s *Scanner) mayOpen(d fsm.Dialect, at fsm.Pos) bool {
	return s.req.knows(d) && !(d.Tentative() && at.Start < s.block.conflict)
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
		s.out.endShell()
		s.thought.finish(&s.out)
		s.out.release()
		return false
	}
	return s.in.pos < s.in.end || len(s.out.queue) > 0
}
