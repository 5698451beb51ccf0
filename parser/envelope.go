package parser

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
)

// openEnvelope is the envelope that is being read.
type openEnvelope struct {
	*envelope.Envelope
	at      fsm.Pos // of its first line
	binding binding
	bound   bool // binding is known
	fenced  bool // the first line opens the fence around the envelope
}

// bind finds the file that the reply names above the envelope. It is called only when a block
// without a name needs it, because many lines that look like the start of an envelope aren't one.
func (e *openEnvelope) bind(ctx *context) {
	if !e.bound {
		e.binding, e.bound = ctx.bind(fsm.Mark{}, e.at), true
	}
}

// readEnvelope reads an envelope if the line looks like the first line of one. It reports whether
// the line was taken, either by the envelope or by a quote: an envelope in a text that is only
// shown begins a quote instead.
func (s *scanner) readEnvelope(l *line) bool {
	raw, at := l.raw, l.at
	if s.req.bare || at.Start < s.block.conflict && (bytes.HasPrefix(raw, []byte("@@")) ||
		bytes.HasPrefix(raw, []byte("*** ")) && !bytes.HasPrefix(raw, []byte("*** Begin"))) {
		return false // only markers count, or the line belongs to an abandoned block that is read again
	}
	e := envelope.Start(s.in.buf[at.Start:], at.Line, readInner)
	if e == nil {
		return false
	}
	if f := s.ctx.top(); f != nil && (f.code && e.Tool || e.Label) {
		return false // in a fence, these are examples
	}
	if !s.quoteContent(fsm.Mark{}, at) { // otherwise the edit is part of a quote
		s.envelope(&openEnvelope{Envelope: e, at: at})
	}
	return true
}

// startFencedDiff reads an envelope if the line opens a fence for a diff and a file is named next
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
	deletes := !b.direct && filename.SaysDelete(s.ctx.labelAbove(at.Start))
	if !b.direct && !deletes {
		return false
	}
	e := envelope.StartFencedDiff(s.in.buf[at.Start:], at.Line, deletes)
	s.envelope(&openEnvelope{Envelope: e, at: at, binding: b, bound: true, fenced: true})
	return true
}

// envelope reads an envelope whose first line was read. Reading continues below it. If it
// is too large, it is refused. If it contains a line that is too long, it gives nothing, and reading
// continues with that line.
func (s *scanner) envelope(e *openEnvelope) {
	e.Read()
	for size, n := e.at.End-e.at.Start, 1; n < e.Lines; n++ {
		end, ok := s.in.next()
		if !ok || end-s.in.pos > s.req.maxLine {
			e.Blocks, e.Faults = nil, nil
			break
		}
		size += end - s.in.pos + envelope.LineCost
		s.in.pos = end
		s.in.line++
		if size > s.req.maxBlock && e.Limited {
			s.ctx.outside = end
			s.out.refuse(s.req.tooLarge(e.at.Line, s.in.line-1), e.at.Line, s.in.line-1)
			return
		}
	}
	s.endEnvelope(e)
}

// maxLookAgain is the maximum size, in bytes, of a fence that is read again after its envelope gave
// no edits.
const maxLookAgain = 16 << 10

// endEnvelope emits an envelope's blocks and diagnostics in the order of the reply.
func (s *scanner) endEnvelope(e *openEnvelope) {
	if s.isOfAnotherFile(e) { // it is part of the text of the element around it
		in := s.ctx.element
		s.rewind(e.at.End, e.at.Line+1)
		s.quotes.read(quote{inFile, in.closer, in.path, in.line, len(s.ctx.fences), e.at.Line})
		return
	}
	blocks, faults, end, last := e.Blocks, e.Faults, s.in.pos, s.in.line-1
	if slices.ContainsFunc(blocks, func(b Block) bool { return b.Path == "" }) {
		e.bind(&s.ctx)
	}
	for i := range blocks {
		b := &blocks[i]
		for len(faults) > 0 && faults[0].Line < b.Lines[0] {
			s.out.emitFault(&faults[0])
			faults = faults[1:]
		}
		if d := s.ctx.otherAction(e.at.Start, b.Lines[0], b); d != nil {
			s.out.emit(item{Diagnostic: d})
			continue
		}
		if b.Path == "" && b.Dialect == envelope.JSON && e.binding.inherited {
			// The previous call's file is not used, because this call may be for another one.
			s.out.emit(item{Diagnostic: &Diagnostic{Code: diagnosis.MissingName, Line: b.Lines[0],
				Found: "an edit without a path", Expected: envelope.ExpectedPath, Remedy: envelope.RemedyPath}})
			continue
		}
		if b.Path == "" {
			e.binding.applyTo(b)
		}
		s.count(b)
		if i+1 == len(blocks) && len(faults) == 0 {
			(&textBelow{s, b, end}).offerName()
		}
		s.out.emit(item{Block: b})
	}
	for i := range faults {
		s.out.emitFault(&faults[i])
	}
	if len(e.Blocks)+len(e.Faults) > 0 {
		s.out.uses.put(enveloped, e.at.Line, last)
		s.ctx.outside, s.ctx.heading = end, heading{}
		s.ctx.markFenceHasEdit()
		return
	}
	s.out.uses.put(prose, e.at.Line, last) // the lines only looked like an envelope
	if e.fenced && end-e.at.Start <= maxLookAgain {
		s.rewind(e.at.End, e.at.Line+1) // read the fence like any other
	}
}

// isOfAnotherFile reports whether any of the blocks is for a file other than the one named by the
// element around the envelope. If so, the envelope is part of that element's text.
func (s *scanner) isOfAnotherFile(e *openEnvelope) bool {
	another := func(b Block) bool { return b.Path != "" && !sameFile(s.ctx.element.path, b.Path) }
	return !s.req.shown && s.ctx.inElement(e.at.Start) && slices.ContainsFunc(e.Blocks, another)
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
	out.emit(item{Diagnostic: &f.Diagnostic, of: inEnvelope})
}

// readInner reads the marker blocks in a text inside an envelope. The text's first line has the
// number firstLine in the reply. The blocks have no Path, because names in the text don't count.
func readInner(text []byte, firstLine int) ([]Block, []envelope.Fault) {
	r := newScanner(text, firstLine, func(r *request) { r.bare = true }).reply()
	var faults []envelope.Fault
	for _, d := range r.Diagnostics {
		faults = append(faults, envelope.Fault{Diagnostic: d})
	}
	return r.Blocks, faults
}
