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
	raw := s.buf[at.Start:at.End]
	if s.beginThought(raw, at) {
		return
	}
	if s.lookahead.block != nil {
		s.lookAhead(raw, at)
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
		if s.shellEnd != at.Line {
			s.uses.put(prose, at.Line, at.Line)
		}
		return
	}
	s.headingLine(raw)
	k := fsm.Classify(raw)
	switch k.Kind {
	case fsm.Opener:
		if s.mayOpen(k, at) {
			s.open(k, at)
			return
		}
	case fsm.Closer:
		if s.knows(k.Dialect) {
			s.strayCloser(raw, at)
			s.attempt.marker = markerAttempt{}
			return
		}
	case fsm.NearOpener:
		if s.knowsMarkers() {
			s.ignoreNextCloser = true
			b := s.bind(fsm.Mark{}, at)
			s.inherit(b.path, b.names, b.inherited)
			s.refuse(s.malformedOpener(k, at.Line), at.Line, at.Line)
			return
		}
	case fsm.Divider:
		s.lastDivider = at.Line
	}
	if s.knowsMarkers() && s.watchMarkers(k, raw, at) {
		return
	}
	if !s.bare && s.startEnvelope(raw, at) {
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
	if s.eof && at.End == s.end && cutOpener(raw) {
		s.refuse(s.cutOpener(raw, at.Line), at.Line, at.Line)
		return
	}
	if tag := foreignTag(raw); tag != "" && !s.bare && s.format == "" {
		s.refuse(s.foreignCall(tag, at.Line), at.Line, at.Line)
		return
	}
	if s.watchTags(raw, at) || s.watchWords(raw, at) {
		return
	}
	if bytes.HasPrefix(raw, []byte(`"`)) && s.top() == nil && !s.bare && s.format == "" && envelope.ContainsBlock(raw) {
		d := Diagnostic(envelope.QuotedBlock(raw, at.Line))
		d.Remedy = s.remedy(d.Remedy, fsm.Aider)
		s.refuse(&d, at.Line, at.Line)
		return
	}
	s.uses.put(prose, at.Line, at.Line)
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
func (s *Scanner) knows(d fsm.Dialect) bool {
	if s.format == "" {
		return true
	}
	want, ok := fsm.DialectNamed(s.format)
	return ok && want == d
}

// knowsMarkers reports whether blocks between markers are read, in any dialect.
func (s *Scanner) knowsMarkers() bool {
	if s.format == "" {
		return true
	}
	_, ok := fsm.DialectNamed(s.format)
	return ok
}

func (s *Scanner) mayOpen(k fsm.Mark, at fsm.Pos) bool {
	return s.knows(k.Dialect) && !(k.Dialect.Tentative() && at.Start < s.conflict)
}

func (s *Scanner) open(k fsm.Mark, at fsm.Pos) {
	if s.lastDivider == at.Line-1 && s.lastDivider > 0 && !k.Dialect.Tentative() {
		s.lastDivider = 0
		s.emit(Item{Diagnostic: s.strayDivider(at.Line - 1)})
		s.uses.put(diagnosed, at.Line-1, at.Line-1)
	}
	s.ignoreNextCloser = false
	s.unwatch()
	s.opensWhilePending()
	s.binding = s.bind(k, at)
	s.heading = heading{}
	s.m.Open(k, at)
}

// strayCloser reports a closer outside of blocks, unless it belongs to an attempt that was refused already.
func (s *Scanner) strayCloser(raw []byte, at fsm.Pos) {
	if s.refusePending(at.Line) {
		s.outside = at.End
		return
	}
	if s.ignoreNextCloser {
		s.ignoreNextCloser = false
		s.uses.put(diagnosed, at.Line, at.Line)
		return
	}
	if s.attempt.marker.sure || s.attempt.marker.divided {
		s.reportMarker(at)
		return
	}
	s.refuse(s.unexpectedCloser(raw, at), at.Line, at.Line)
}

// refuse reports lines of the reply that were not understood.
func (s *Scanner) refuse(d *Diagnostic, first, last int) {
	s.emit(Item{Diagnostic: d})
	s.uses.put(diagnosed, first, last)
	s.markFenceHasEdit()
}

func (s *Scanner) startEnvelope(raw []byte, at fsm.Pos) bool {
	if at.Start < s.conflict && (bytes.HasPrefix(raw, []byte("@@")) ||
		bytes.HasPrefix(raw, []byte("*** ")) && !bytes.HasPrefix(raw, []byte("*** Begin"))) {
		return false // a hunk without its head is just a line of the block that was cut off
	}
	e := envelope.Start(raw, at.Line, s.format, inner{})
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
	f := s.top()
	if f == nil || f.line != at.Line || !f.diff || s.bare || s.format != "" && s.format != envelope.Diff {
		return false
	}
	b := s.bind(fsm.Mark{}, fsm.Pos{Line: at.Line + 1, Start: at.End})
	start, _ := s.labelAbove(at)
	deletes := !b.direct && filename.SaysDelete(s.buf[start:at.Start])
	if !b.direct && !deletes {
		return false
	}
	s.begin(envelope.StartFencedDiff(raw, deletes), at)
	s.envBinding, s.envBound = b, true
	s.envelopeLine(at)
	return true
}

// begin makes the line at hand the first one of an envelope.
func (s *Scanner) begin(e envelope.Envelope, at fsm.Pos) {
	s.env, s.envStart, s.envLine, s.envSize, s.envBound = e, at.Start, at.Line, 0, false
	s.envRecent = [envelope.MaxUnread]int{at.Start, at.Start, at.Start}
}

func (s *Scanner) envelopeLine(at fsm.Pos) {
	copy(s.envRecent[:], s.envRecent[1:])
	s.envRecent[envelope.MaxUnread-1] = at.Start
	s.envSize += at.End - at.Start + lineCost
	if s.env.Line(s.buf[at.Start:at.End], at.Line) {
		s.endEnvelope()
	} else if s.envSize > s.maxBlock && !envelope.BoundsItself(s.env) {
		s.env = nil
		s.outside = at.End
		s.refuse(s.oversizeEnvelope(at.Line), s.envLine, at.Line)
	}
}

// lineCost is about how many bytes an envelope needs to remember a line, along with its text.
const lineCost = 64

// bindEnvelope finds the file that the reply names above the envelope. It waits until the envelope has a block without a name,
// or until the text above has to make room, because many lines begin like an envelope and are none.
func (s *Scanner) bindEnvelope() {
	if !s.envBound {
		s.envBinding, s.envBound = s.bind(fsm.Mark{}, fsm.Pos{Line: s.envLine, Start: s.envStart}), true
	}
}

// endEnvelope emits the blocks and diagnostics of the envelope in the order of the reply, and reads the lines that it gave back.
func (s *Scanner) endEnvelope() {
	blocks, faults := s.env.Finish()
	offset, last := s.pos, s.line-1
	if n := s.env.Unread(); n > 0 {
		offset, last = s.envRecent[envelope.MaxUnread-n], last-n
	}
	if r := envelope.Rejected(s.env); r != nil && len(faults) == 0 && s.attempt.json.lines == 0 {
		s.watchJSON(r)
	}
	s.env = nil
	if len(blocks)+len(faults) > 0 {
		s.attempt.call = callAttempt{}
		s.release()
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
			s.envBinding.give(b)
		}
		if s.copies {
			b.Search, b.Replace = bytes.Clone(b.Search), bytes.Clone(b.Replace)
		}
		s.number(b)
		s.emit(Item{Block: b})
	}
	for _, f := range faults {
		s.emitFault(f)
	}
	s.uses.put(enveloped, s.envLine, last)
	outside := s.outside
	s.rewind(offset, last+1)
	if len(blocks)+len(faults) == 0 {
		s.outside = outside // nothing but prose: names above it still count
		return
	}
	s.heading = heading{}
	s.markFenceHasEdit()
}

func (s *Scanner) emitFault(f envelope.Fault) {
	d := Diagnostic(f)
	s.emit(Item{Diagnostic: &d})
}

// number gives a block the next number.
func (s *Scanner) number(b *Block) {
	s.blocks++
	b.ID, b.Turn = s.blocks, len(s.log.Turns())
	s.inherit(b.Path, b.Names, b.Inherited)
	s.inheritLabels(b)
}

// finish handles the end of the input. It reports whether lines were given back, so that reading continues.
func (s *Scanner) finish() bool {
	switch {
	case s.env != nil:
		s.endEnvelope()
	case s.m.State() != fsm.Outside:
		s.cutOff()
	default:
		s.endLookahead()
		s.endShell()
		s.endThought()
		s.release()
		return false
	}
	return s.pos < s.end || len(s.queue) > 0
}
