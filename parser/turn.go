package parser

import (
	"fmt"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// otherSpeaker reports whether the line at hand is not the model's, and accounts for it.
func (s *scanner) otherSpeaker(at fsm.Pos) bool {
	before, over := s.log.Speaker(), s.log.Ended()
	other := s.log.Line(s.in.buf[at.Start:at.End], at.Line, s.ctx.top() != nil)
	if s.log.Ended() && !over {
		s.endAnswer()
	}
	if s.log.Speaker() != before {
		s.quote.finish(&s.out)
		s.quote = quote{blocks: s.out.blocks}
	}
	if other {
		if s.log.MayBeAnswer() && fsm.Classify(s.in.buf[at.Start:at.End]).Kind == fsm.Opener {
			s.out.refuse(editOfUser(s.in.buf[at.Start:at.End], at.Line), at.Line, at.Line)
		}
		s.out.uses.put(inQuote, at.Line, at.Line)
		s.ctx.outside = at.End
	}
	return other
}

// editOfUser is the diagnostic of an edit below what reads as the label of a chat's user, and may
// be a heading: "## User", in an answer about the class of that name.
func editOfUser(opener []byte, line int) *Diagnostic {
	return &Diagnostic{Code: diagnosis.ChatLog, Line: line, Found: fmt.Sprintf("%q below a heading that may be the user's label", mdline.Excerpt(opener)),
		Expected: "edits in the answer alone",
		Remedy:   "remove that heading if the edit is part of the answer; if this is the log of a chat, read its last answer"}
}

// endAnswer forgets what does not carry over to the next answer: names and fences.
func (s *scanner) endAnswer() {
	s.ctx.inherited, s.ctx.inheritedNames, s.ctx.inheritedLabels, s.ctx.heading, s.ctx.fences = "", nil, nil, heading{}, s.ctx.fences[:0]
}

// endTurn gives up the block at hand, which has no closer up to offset end, if someone else begins
// to speak inside of it.
func (s *scanner) endTurn(end int) bool {
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
