package parser

import (
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/attempt"
)

// otherSpeaker reports whether the line at hand is not the model's, and accounts for it.
func (s *Scanner) otherSpeaker(at fsm.Pos) bool {
	before, over := s.log.Speaker(), s.log.Ended()
	other := s.log.Line(s.in.buf[at.Start:at.End], at.Line, s.ctx.top() != nil)
	if s.log.Ended() && !over {
		s.endAnswer()
	}
	if s.log.Speaker() != before {
		s.thought = thought{blocks: s.out.blocks}
	}
	if other {
		s.out.uses.put(prose, at.Line, at.Line)
		s.ctx.outside = at.End
	}
	return other
}

// endAnswer forgets what does not carry over to the next answer: names and fences.
func (s *Scanner) endAnswer() {
	s.ctx.inherited, s.ctx.inheritedNames, s.ctx.inheritedLabels, s.ctx.heading, s.ctx.fences = "", nil, nil, heading{}, s.ctx.fences[:0]
	s.watch.Notice(attempt.Speaks)
}

// endTurn gives up the block at hand, which has no closer up to offset end, if someone else begins to speak inside of it.
func (s *Scanner) endTurn(end int) bool {
	at, ok := s.log.Interrupted(s.in.buf[s.block.m.Body():end])
	if !ok {
		return false
	}
	offset := s.block.m.Body() + at.Offset
	if end, ok := s.block.secondDivider(s.block.m.Splits(offset), offset); ok {
		s.complete(end)
		return true
	}
	s.reject(truncated, offset, offset)
	s.log.Resume(at, s.in.line-1)
	return true
}
