package parser

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// openEnvelope is the envelope that is being read. current is nil if there is none.
type openEnvelope struct {
	current envelope.Envelope
	start   int // offset of its first line
	line    int // number of its first line
	size    int
	binding binding
	bound   bool // binding is known
	fenced  bool // the first line opens the fence around the envelope
}

// begin begins the envelope e in the line at.
func (v *openEnvelope) begin(e envelope.Envelope, at fsm.Pos) {
	v.current, v.start, v.line, v.size, v.bound, v.fenced = e, at.Start, at.Line, 0, false, false
}

// bind finds the file that the reply names above the envelope. It is called only when a block
// without a name needs it, because many lines that look like the start of an envelope aren't one.
func (v *openEnvelope) bind(ctx *context) {
	if !v.bound {
		v.binding, v.bound = ctx.bind(fsm.Mark{}, fsm.Pos{Line: v.line, Start: v.start}), true
	}
}

// startEnvelope begins an envelope if the line looks like the first line of one. It reports whether
// the line was taken, either by the envelope or by a quote: an envelope in a text that is only
// shown begins a quote instead.
func (s *scanner) startEnvelope(raw []byte, at fsm.Pos) bool {
	if at.Start < s.block.conflict && (bytes.HasPrefix(raw, []byte("@@")) ||
		bytes.HasPrefix(raw, []byte("*** ")) && !bytes.HasPrefix(raw, []byte("*** Begin"))) {
		return false // the line belongs to an abandoned block that is read again, see drop
	}
	e := envelope.Start(s.in.buf[at.Start:], at.Line, "", inner{})
	if e == nil {
		return false
	}
	if f := s.ctx.top(); f != nil && (f.code && envelope.IsToolCall(e) || envelope.IsLabelled(e)) {
		return false // in a fence, these are examples
	}
	if s.quoteContent(fsm.Mark{}, at) {
		return true // the edit is part of a quote
	}
	s.env.begin(e, at)
	s.envelopeLine(at)
	return true
}

// startFencedDiff begins an envelope if the line opens a fence for a diff and a file is named next
// to the fence. It reports whether the line was taken, either by the envelope or by a quote: a
// fence in a text that is only shown begins a quote instead. A diff without a file name next to it
// only shows changes, unless the text above says that a file is deleted.
func (s *scanner) startFencedDiff(at fsm.Pos) bool {
	f := s.ctx.top()
	if f == nil || f.line != at.Line || !f.diff || s.req.bare {
		return false // the line doesn't open a fence for a diff
	}
	b := s.ctx.bind(fsm.Mark{}, fsm.Pos{Line: at.Line + 1, Start: at.End})
	if b.direct && s.quoteContent(fsm.Mark{}, at) {
		return true // the edit is part of a quote
	}
	start, _ := s.ctx.labelAbove(at)
	deletes := !b.direct && filename.SaysDelete(s.in.buf[start:at.Start])
	if !b.direct && !deletes {
		return false
	}
	s.env.begin(envelope.StartFencedDiff(s.in.buf[at.Start:], at.Line, deletes), at)
	s.env.binding, s.env.bound, s.env.fenced = b, true, true
	s.envelopeLine(at)
	return true
}

// envelopeLine passes a line to the current envelope and ends the envelope if the line does. An
// envelope that is too large is refused, unless it is of a kind without a limit.
func (s *scanner) envelopeLine(at fsm.Pos) {
	s.env.size += at.End - at.Start + envelope.LineCost
	done := s.env.current.Line()
	if s.env.size > s.req.maxBlock && !envelope.ReadsAhead(s.env.current) {
		s.env.current = nil
		s.ctx.outside = at.End
		s.out.refuse(s.oversizeEnvelope(at.Line), s.env.line, at.Line)
	} else if done {
		s.endEnvelope()
	}
}

// maxLookAgain is the maximum size, in bytes, of a fence that is read again after its envelope gave
// no edits.
const maxLookAgain = 16 << 10

// endEnvelope ends the current envelope and emits its blocks and diagnostics in the order of the
// reply.
func (s *scanner) endEnvelope() {
	blocks, faults := s.env.current.Finish()
	if s.isOfAnotherFile(blocks) { // it is part of the text of the element around it
		s.showEnvelope()
		return
	}
	s.env.current = nil
	if slices.ContainsFunc(blocks, func(b Block) bool { return b.Path == "" }) {
		s.env.bind(&s.ctx)
	}
	for i := range blocks {
		b := &blocks[i]
		for len(faults) > 0 && faults[0].Line < b.Lines[0] {
			s.out.emitFault(&faults[0])
			faults = faults[1:]
		}
		if d := s.ctx.otherAction(s.env.start, b.Lines[0], b); d != nil {
			s.out.emit(item{Diagnostic: d})
			continue
		}
		if b.Path == "" && b.Dialect == envelope.JSON && s.env.binding.inherited {
			s.out.emit(item{Diagnostic: s.namelessCall(b.Lines[0])})
			continue
		}
		if b.Path == "" {
			s.env.binding.applyTo(b)
		}
		s.number(b)
		if i+1 == len(blocks) && len(faults) == 0 {
			(&textBelow{s, b, s.in.pos}).offerName()
		}
		s.out.emit(item{Block: b})
	}
	for i := range faults {
		s.out.emitFault(&faults[i])
	}
	if len(blocks)+len(faults) > 0 {
		s.out.uses.put(enveloped, s.env.line, s.in.line-1)
		s.ctx.outside, s.ctx.heading = s.in.pos, heading{}
		s.ctx.markFenceHasEdit()
		return
	}
	s.out.uses.put(prose, s.env.line, s.in.line-1) // the lines only looked like an envelope
	if s.env.fenced && s.in.pos-s.env.start <= maxLookAgain {
		outside := s.ctx.outside
		s.rewind(s.in.lineEnd(s.env.start), s.env.line+1) // read the fence like any other
		s.ctx.outside = outside                           // names above it still count
	}
}

// isOfAnotherFile reports whether any of the blocks is for a file other than the one named by the
// element around the envelope. If so, the envelope is part of that element's text.
func (s *scanner) isOfAnotherFile(blocks []Block) bool {
	another := func(b Block) bool { return b.Path != "" && !sameFile(s.ctx.element.path, b.Path) }
	return !s.req.shown && s.ctx.inElement(s.env.start) && slices.ContainsFunc(blocks, another)
}

// showEnvelope drops the current envelope, because the element around it shows a file that contains
// such text. Reading continues below the quote of that file.
func (s *scanner) showEnvelope() {
	e, outside := s.ctx.element, s.ctx.outside
	s.env.current = nil
	s.rewind(s.in.lineEnd(s.env.start), s.env.line+1)
	s.ctx.outside = outside // rewind treats the line like the end of a block
	s.quotes.read(quote{inFile, e.closer, e.path, e.line, len(s.ctx.fences), s.env.line}, s.env.start)
}

// namelessCall returns the diagnostic for a call that names no file. The previous call's file is
// not used, because this call may be for a different one. The call is in the current envelope and
// begins in the given line.
func (s *scanner) namelessCall(line int) *Diagnostic {
	call := s.in.buf[s.env.start:s.in.pos]
	for range line - s.env.line {
		_, call, _ = bytes.Cut(call, []byte("\n"))
	}
	call, _, _ = bytes.Cut(call, []byte("\n"))
	return diagnosticOf(&envelope.Fault{Code: diagnosis.MissingName, Line: line,
		Found: mdline.Excerpt(call), Expected: envelope.ExpectedPath,
		Remedy: envelope.RemedyPath})
}

// emitFault reports a part of an envelope that was not understood. If the part may only show
// something (f.Doubt), the report is a notice, otherwise a diagnostic.
func (out *output) emitFault(f *envelope.Fault) {
	if f.Doubt != nil {
		out.emitNoticed(Noticed{
			Code: f.Code, Lines: [2]int{f.Line, f.Doubt.Last}, Path: f.Doubt.Path,
			What: f.Doubt.What,
		})
		return
	}
	out.emit(item{Diagnostic: diagnosticOf(f), of: inEnvelope})
}
