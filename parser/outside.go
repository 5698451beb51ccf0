package parser

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/envelope"

	"github.com/srpatch/srpatch/parser/internal/jsontext"

	"github.com/srpatch/srpatch/parser/internal/filename"

	"github.com/srpatch/srpatch/fsm"
)

// outsideLine reads a line outside of blocks that begins like something other than prose.
func (s *Scanner) outsideLine(at fsm.Pos) {
	raw := s.in.buf[at.Start:at.End]
	if s.beginThought(raw, at) {
		return
	}
	if s.out.ahead.block != nil {
		s.out.lookAhead(raw, at)
	}
	if s.attempt.json.lines > 0 && s.followJSON(raw, at) {
		return
	}
	if s.fenceLine(raw, at) {
		s.attempt.call.lines = 0
		s.watchLabels(at)
		if s.startFencedDiff(raw, at) {
			return
		}
		if s.ctx.shellEnd != at.Line {
			s.out.uses.put(prose, at.Line, at.Line)
		}
		return
	}
	s.ctx.headingLine(raw)
	k := fsm.Classify(raw)
	switch k.Kind {
	case fsm.Opener:
		if s.mayOpen(k, at) {
			s.open(k, at)
			return
		}
	case fsm.Closer:
		if s.req.knows(k.Dialect) {
			s.strayCloser(raw, at)
			s.attempt.marker = markerAttempt{}
			return
		}
	case fsm.NearOpener:
		if s.req.knowsMarkers() {
			s.out.ignoreNextCloser = true
			b := s.ctx.bind(fsm.Mark{}, at)
			s.ctx.inherit(b.path, b.names, b.inherited)
			s.out.refuse(s.out.malformedOpener(k, at.Line), at.Line, at.Line)
			return
		}
	case fsm.Divider:
		s.block.lastDivider = at.Line
	}
	if s.req.knowsMarkers() && s.watchMarkers(k, raw, at) {
		return
	}
	if !s.req.bare && s.startEnvelope(raw, at) {
		return
	}
	if s.attempt.json.lines == 0 {
		if s.beginJSON(raw, at.Line); s.attempt.json.lines > 0 && s.followJSON(raw, at) {
			return
		}
	}
	if (s.attempt.call.lines > 0 || mayCall(raw)) && s.watchCall(raw, at) {
		return
	}
	if s.in.eof && at.End == s.in.end && cutOpener(raw) {
		s.out.refuse(s.out.cutOpener(raw, at.Line), at.Line, at.Line)
		return
	}
	if tag := foreignTag(raw); tag != "" && !s.req.bare && s.req.format == "" {
		s.out.refuse(s.out.foreignCall(tag, at.Line), at.Line, at.Line)
		return
	}
	if s.watchTags(raw, at) || s.watchWords(raw, at) {
		return
	}
	if bytes.HasPrefix(raw, []byte(`"`)) && s.ctx.top() == nil && !s.req.bare && s.req.format == "" && envelope.ContainsBlock(raw) {
		d := Diagnostic(envelope.QuotedBlock(raw, at.Line))
		d.Remedy = s.out.remedy(d.Remedy, fsm.Aider)
		s.out.refuse(&d, at.Line, at.Line)
		return
	}
	s.out.uses.put(prose, at.Line, at.Line)
}

// cutOpener reports whether the last line of a reply is the beginning of an opener: that of a block, or of an edit in another
// format.
func cutOpener(raw []byte) bool {
	begins := func(opener string, least int) bool {
		return len(raw) >= least && len(raw) < len(opener) && strings.HasPrefix(opener, string(raw))
	}
	for d := range fsm.Dialects() {
		opener, least := d.Opener(7), 5
		if opener[0] == '-' {
			least = 9 // the sign alone is a rule
		}
		if !d.Tentative() && begins(opener, least) {
			return true
		}
	}
	return begins("*** Begin Patch", 5) || begins("<apply_diff>", 7) || begins("<old_text>", 5) || begins("<original_code ", 6)
}

// foreignTag is the tag at the beginning of a line if it shows a call of an editing tool in a format that is not understood;
// "" if there is none.
func foreignTag(raw []byte) string {
	text := bytes.TrimLeft(raw, " \t")
	for _, tag := range [...]string{"<write_to_file>", "<insert_content>", "<search_and_replace>", "<insert_edit_into_file>", "<replace_string_in_file>",
		"<edit_file>", "<create_file>"} {
		if bytes.HasPrefix(text, []byte(tag)) {
			return tag
		}
	}
	if bytes.HasPrefix(text, []byte("<invoke ")) { // all of a call on one line
		for part := range bytes.SplitAfterSeq(text, []byte(">")) {
			if !bytes.HasPrefix(part, []byte("<parameter")) {
				continue
			}
			if tag := foreignTag(part); tag != "" {
				return tag
			}
		}
	}
	for _, begin := range [...]string{`<parameter name="`, "<parameter="} {
		rest, ok := bytes.CutPrefix(text, []byte(begin))
		if !ok {
			continue
		}
		if name := rest[:max(0, bytes.IndexAny(rest, "\">"))]; isEditArgument(string(name)) {
			return string(text[:bytes.IndexByte(text, '>')+1])
		}
	}
	return ""
}

// isEditArgument reports whether an argument of that name occurs in calls of editing tools, and in no other calls.
func isEditArgument(name string) bool {
	role := jsontext.Roles(name)
	return role&jsontext.Old != 0 && role&jsontext.Strong != 0 || role == jsontext.FileText
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
	s.unwatch()
	s.out.opensWhilePending()
	s.block.binding = s.ctx.bind(k, at)
	s.ctx.heading = heading{}
	s.block.m.Open(k, at)
}

// strayCloser reports a closer outside of blocks, unless it belongs to an attempt that was refused already.
func (s *Scanner) strayCloser(raw []byte, at fsm.Pos) {
	if s.out.refusePending(at.Line) {
		s.ctx.outside = at.End
		return
	}
	if s.out.ignoreNextCloser {
		s.out.ignoreNextCloser = false
		s.out.uses.put(diagnosed, at.Line, at.Line)
		return
	}
	if s.attempt.marker.sure || s.attempt.marker.divided {
		s.reportMarker(at)
		return
	}
	s.out.refuse(s.out.unexpectedCloser(raw, at), at.Line, at.Line)
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
	if r := envelope.Rejected(s.env.current); r != nil && len(faults) == 0 && s.attempt.json.lines == 0 {
		s.watchJSON(r)
	}
	s.env.current = nil
	if len(blocks)+len(faults) > 0 {
		s.attempt.call = callAttempt{}
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
