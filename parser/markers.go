package parser

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// openBlock is the marker block that is being read, and what is known about earlier blocks.
type openBlock struct {
	in  *lines
	ctx *context
	req *request

	m           fsm.Machine
	binding     binding
	conflict    int  // no tentative block opens before this offset, because of a merge conflict
	lastDivider int  // number of the last divider line outside blocks
	seenHead    bool // a tentative block turned out to be an edit, not a merge conflict
}

// readBlock reads the current block, whose opener was read, up to its end, and emits, refuses or
// abandons it. Only lines that may be markers are looked at.
func (s *scanner) readBlock() {
	for s.block.m.State() != fsm.Outside {
		n, ok := s.in.next()
		if !ok {
			s.cutOff()
			return
		}
		at := fsm.Pos{Line: s.in.line, Start: s.in.pos, End: n}
		s.in.pos = n
		s.in.line++
		switch {
		case n-at.Start > s.req.maxLine:
			s.reject(longLine, n)
			return
		default:
			s.inside(at)
		}
		if s.block.m.State() != fsm.Outside && n-s.block.blockStart() > s.req.maxBlock {
			s.reject(oversize, n)
		}
	}
}

// inside reads a line of the current block that may be a marker. If the line ends the block, inside
// emits, refuses or abandons it. fsm.Dropped says that the block has the opener of a merge conflict,
// and that the line is not the closer that makes it an edit.
func (s *scanner) inside(at fsm.Pos) {
	k := fsm.Classify(s.in.buf[at.Start:at.End])
	if k.Kind == fsm.Text || k.Kind == fsm.NearOpener {
		return
	}
	switch s.block.m.Feed(k, at) {
	case fsm.Closed:
		s.complete(ending{body: at.Start, block: at.End})
	case fsm.Reopened:
		s.reopened(at)
	case fsm.Dropped:
		if k.Kind == fsm.Closer && len(s.block.m.Splits(at.Start)) == 0 {
			s.drop(at.Start) // the block that ends here may have begun on any line
			return
		}
		if k.Kind == fsm.Closer && bytes.HasSuffix(bytes.TrimSpace(s.in.buf[at.Start:at.End]), []byte(" REPLACE")) {
			s.complete(oddEnd(at, unlikeOpener)) // no branch of git
			return
		}
		if k.Kind == fsm.Closer { // of another dialect
			s.rejectEnded(conflictOpener, at.End)
			return
		}
		if s.block.likeUpdated(at) {
			s.rejectEnded(missing(diagnosis.MissingCloser), at.End)
			return
		}
		// The block is a merge conflict, so it is prose.
		_, opener := s.block.m.Opener()
		s.out.uses.put(prose, opener.Line, at.Line)
		s.block.m.Reset()
		s.ctx.outside = at.End
	}
}

// likeUpdated reports whether the last line of a tentative block, at, was meant as its closer
// (">>>>>>> updated"). It is only true if a file name is directly above the block, and git would not
// write such a line for a branch. Otherwise the block is a merge conflict.
func (o *openBlock) likeUpdated(at fsm.Pos) bool {
	if !o.binding.direct {
		return false
	}
	raw := o.in.buf[at.Start:at.End]
	label := strings.ToLower(strings.Trim(string(bytes.TrimSpace(raw)), "<> "))
	bare := strings.Trim(label, "`*_.,:;!~ ")
	// Signs alone, a fence after the label, or a label cut off by the end of the reply.
	if bare == "" || strings.HasSuffix(label, "```") || !mdline.Ended(raw) && strings.HasPrefix("updated", bare) {
		return true
	}
	word, _, _ := strings.Cut(bare, " ")
	return envelope.Nearly(word, "updated") || envelope.Nearly(word, "update")
}

// ending describes where a block ends.
type ending struct {
	body    int    // end of REPLACE
	block   int    // end of the last line that belongs to the block
	warning string // what ended the block instead of its closer; "" if the closer did
}

// unlikeOpener says that the closer of a block is odd.
const unlikeOpener = "the closer does not match the opener"

// oddEnd returns the end of a block that the line at ends instead of its closer; what says how.
func oddEnd(at fsm.Pos, what string) ending {
	return ending{at.Start, at.End, warning.OddMarkers.Say("line %d: %s", at.Line, what)}
}

// drop abandons a tentative block that has no closer before offset end. Its lines are read again,
// because a line that looks like the start of a merge conflict may occur in any text.
func (s *scanner) drop(end int) {
	_, at := s.block.m.Opener()
	s.block.m.Reset()
	s.block.conflict = end
	s.rewind(at.Start, at.Line)
}

// reopened handles the line at, which shows that the block ended above it without a closer of its
// own. It emits the block if another closer or a second divider ends it. Otherwise it refuses the
// block or, if the block may be a merge conflict and nothing shows that it is an edit, abandons it.
func (s *scanner) reopened(at fsm.Pos) {
	if s.in.exhausted() {
		s.reject(unclear("without its own closer, like many earlier blocks"), at.Start)
		return
	}
	opener, _ := s.block.m.Opener()
	if opener.Dialect.Tentative() {
		splits := s.block.m.Splits(at.Start)
		// A file name above it, or an earlier edit with such an opener, shows that this is an edit.
		if (s.block.binding.direct || s.block.seenHead) && s.block.fenced() && len(splits) > 0 {
			end := s.block.tail(splits[len(splits)-1].End, at.Start)
			s.reject(missing(diagnosis.MissingCloser), end)
			return
		}
		s.drop(at.Start)
		return
	}
	if pos, _, ok := s.block.m.Closer(); ok {
		s.complete(oddEnd(pos, unlikeOpener))
		return
	}
	splits := s.block.m.Splits(at.Start)
	if len(splits) == 0 {
		end := s.block.tail(s.block.m.Body(), at.Start)
		s.reject(missing(diagnosis.MissingDivider), end)
		return
	}
	if end, ok := s.block.secondDivider(splits, at.Start); ok {
		s.complete(end)
		return
	}
	if end, ok := s.block.secondCloser(at.Start); ok {
		s.reject(unclear("with another block inside"), end)
		return
	}
	end := s.block.tail(splits[len(splits)-1].End, at.Start)
	s.reject(missing(diagnosis.MissingCloser), end)
}

// secondCloser returns the offset after the second of two closers that follow the opener at offset
// from, if no other opener is above it. The block that the opener begins is then an example in the
// text of the current block.
func (o *openBlock) secondCloser(from int) (end int, ok bool) {
	openers, closers := 0, 0
	end = from
	for raw := range bytes.Lines(o.in.buf[from:]) {
		end += len(raw)
		switch fsm.Classify(raw).Kind {
		case fsm.Opener:
			openers++
		case fsm.Closer:
			closers++
		}
		if openers > 1 || closers > 1 {
			break
		}
	}
	return end, openers == 1 && closers > 1
}

// cutOff ends a block at the end of the input. It emits the block if a line in it is certainly
// meant as its closer. Otherwise it refuses the block or, if it is tentative, abandons it.
func (s *scanner) cutOff() {
	if s.in.exhausted() { // too much was read again
		s.reject(unclear("without its own closer, like many earlier blocks"), len(s.in.buf))
		return
	}
	if pos, atEnd, ok := s.block.m.Closer(); ok && atEnd {
		s.complete(oddEnd(pos, unlikeOpener))
		return
	}
	splits := s.block.m.Splits(len(s.in.buf))
	if end, ok := s.block.secondDivider(splits, len(s.in.buf)); ok {
		s.complete(end)
		return
	}
	// If the reply was not cut off, the end of the fence may replace the closer.
	if s.req.complete && len(splits) > 0 {
		end, n := s.block.fenceCloses(splits[len(splits)-1].End, len(s.in.buf))
		if _, stray := s.block.m.Stray(); n == 1 && !stray && !s.block.m.HasInnerOpener() {
			s.complete(oddEnd(fsm.Pos{Line: s.block.lineAt(end), Start: end, End: end},
				"the closer is missing; the end of the fence ends the block"))
			return
		}
	}
	opener, _ := s.block.m.Opener()
	if opener.Dialect.Tentative() && !s.block.seenHead && !s.block.binding.direct {
		s.drop(len(s.in.buf)) // nothing shows that it is an edit
		return
	}
	s.reject(missing(diagnosis.Truncated), len(s.in.buf))
}

// secondDivider finds a divider that was written instead of the closer, and returns the end of the
// block there. The divider must be the last of several, and only blank lines, the name of the next
// block or the end of the fence may come between it and end. If a divider may be text, because it
// underlines a title or is in a nested conflict, secondDivider returns false.
func (o *openBlock) secondDivider(splits []fsm.Split, end int) (ending, bool) {
	if len(splits) < 2 || !splits[len(splits)-1].Own {
		return ending{}, false
	}
	last := splits[len(splits)-1]
	atEOF := end == len(o.in.buf)
	for _, d := range splits {
		if o.underline(d) || d.Depth > 0 || atEOF && o.document() {
			return ending{}, false
		}
	}
	rest := bytes.TrimLeft(o.in.buf[last.End:end], " \t\r\n")
	names := !atEOF && !o.document() && o.tail(last.End, end) == last.End // only names come between
	if len(rest) > 0 && !o.ctx.closesFence(rest) && !names {
		return ending{}, false
	}
	return oddEnd(fsm.Pos{Line: last.Line, Start: last.Start, End: last.End},
		"a divider was used in place of the missing closer"), true
}

// underline reports whether a divider seems to underline the line above it: that line looks like a
// title, is not indented, and is about as long as the divider. In a document, the title may have
// any length if it is a paragraph of its own.
func (o *openBlock) underline(d fsm.Split) bool {
	above := o.in.buf[o.m.Body():d.Start]
	above = bytes.TrimSuffix(above, []byte("\n"))
	above = above[bytes.LastIndexByte(above, '\n')+1:]
	opener, _ := o.m.Opener()
	above = bytes.TrimRight(bytes.TrimPrefix(above, opener.Prefix), " \t\r")
	first, _ := utf8.DecodeRune(above)
	if !unicode.IsUpper(first) && !unicode.IsTitle(first) && !unicode.IsDigit(first) && first < utf8.RuneSelf {
		return false // many scripts have no capitals
	}
	inTitle := func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune(" -'&.", c)
	}
	if bytes.ContainsFunc(above, func(c rune) bool { return !inTitle(c) }) {
		return false
	}
	title, length := utf8.RuneCount(above), len(bytes.TrimSpace(o.in.buf[d.Start:d.End]))
	if o.hasLineAbove(d) && len(above) > 0 && !bytes.HasSuffix(above, []byte(".")) {
		return true
	}
	return title >= length-3 && title <= length+2
}

// hasLineAbove reports whether the block is for a document and a single short line comes between a
// blank line and the divider. In a document, any line of "=" makes the line above it a title.
func (o *openBlock) hasLineAbove(d fsm.Split) bool {
	if !o.document() {
		return false
	}
	lines := bytes.SplitAfter(o.in.buf[o.m.Body():d.Start], []byte("\n"))
	return len(lines) > 2 && len(lines[len(lines)-2]) <= maxTitle && text.Blank(lines[len(lines)-3])
}

// document reports whether the block is for a prose file, where lines of "=" underline titles.
func (o *openBlock) document() bool {
	switch strings.ToLower(path.Ext(o.binding.path)) {
	case ".md", ".markdown", ".rst", ".txt":
		return true
	}
	return false
}

// maxTitle is the maximum length of a title, in bytes.
const maxTitle = 60

// fenced reports whether the innermost fence was opened directly above the current block, at most
// fenceToOpener lines above its opener.
func (o *openBlock) fenced() bool {
	_, at := o.m.Opener()
	f := o.ctx.top()
	return f != nil && f.line >= at.Line-fenceToOpener
}

// fenceToOpener is the maximum distance, in lines, from a fence to the opener below it: a name and
// a blank line may come between them.
const fenceToOpener = 3

// tail returns the offset at which the content from offset from ends before the opener at end: that
// of the closing fence if there is only one; otherwise that of the first of the blank lines, fences
// and names directly above the opener.
func (o *openBlock) tail(from, end int) int {
	if closing, n := o.fenceCloses(from, end); n == 1 && !o.fencesOpener(closing, end) {
		return closing
	}
	start := end
	for start > from {
		above := from
		if i := bytes.LastIndexByte(o.in.buf[from:start-1], '\n'); i >= 0 {
			above = from + i + 1
		}
		line := o.in.buf[above:start]
		if _, ok := mdline.ParseFence(line); !ok && !text.Blank(line) {
			if _, strength := filename.OfLine(line); strength < filename.Plain {
				break
			}
		}
		start = above
	}
	return start
}

// fenceCloses returns the offset of the last line in [from, end) that closes the fence around the
// block, and the number of such lines.
func (o *openBlock) fenceCloses(from, end int) (last, count int) {
	for line := range bytes.Lines(o.in.buf[from:end]) {
		if o.ctx.closesFence(line) {
			last = from
			count++
		}
		from += len(line)
	}
	return last, count
}

// fencesOpener reports whether only blank lines come between the fence line at offset closing and
// the opener at end. If so, the line may open a fence around that block instead.
func (o *openBlock) fencesOpener(closing, end int) bool {
	_, below, _ := bytes.Cut(o.in.buf[closing:end], []byte("\n"))
	return text.Blank(below)
}

// rejectEnded refuses the current block, whose closer ends at offset end. Reading continues there.
func (s *scanner) rejectEnded(f fault, end int) {
	s.reject(f, end)
	s.out.ignoreNextCloser = false
}

// blockStart returns the offset of the opener's line.
func (o *openBlock) blockStart() int {
	_, at := o.m.Opener()
	return at.Start
}

// lineAt returns the number of the line that begins at offset in the current block.
func (o *openBlock) lineAt(offset int) int {
	_, at := o.m.Opener()
	return at.Line + bytes.Count(o.in.buf[at.Start:offset], []byte("\n"))
}

// reject refuses the current block with the diagnostic of f and reports the text up to offset end.
// Reading continues there, outside blocks. A closer that follows there belongs to the refused block
// and gives no second diagnostic.
func (s *scanner) reject(f fault, end int) {
	opener, at := s.block.m.Opener()
	last := max(s.block.lineAt(end)-1, at.Line)
	if end == len(s.in.buf) && end > at.Start && s.in.buf[end-1] != '\n' { // no line end
		last = s.block.lineAt(end)
	}
	d := f(&s.block, &s.out, end)
	a := &Attempt{Code: d.Code, Line: d.Line, Lines: [2]int{at.Line, last},
		Path: s.block.binding.path, Names: s.block.binding.names, Inherited: s.block.binding.inherited}
	s.ctx.inherit(a.Path, a.Names, a.Inherited)
	s.out.emit(item{Diagnostic: d, Attempt: a, of: opener.Dialect.String()})
	s.out.uses.put(diagnosed, at.Line, last)
	s.out.uses.name(s.block.binding.line)
	s.ctx.markFenceHasEdit()
	s.block.m.Reset()
	s.out.ignoreNextCloser = true
	s.rewind(end, last+1)
	s.ctx.outside = end
}

// open finds the file of the block with the opener k, and reads the block. A divider directly above
// the opener is reported.
func (s *scanner) open(k fsm.Mark, at fsm.Pos) {
	if s.block.lastDivider == at.Line-1 && s.block.lastDivider > 0 && !k.Dialect.Tentative() {
		s.block.lastDivider = 0
		s.out.emit(item{Diagnostic: s.out.malformedOpener("a divider before the opener", fsm.Aider, at.Line-1)})
		s.out.uses.put(diagnosed, at.Line-1, at.Line-1)
	}
	s.out.ignoreNextCloser = false
	s.block.binding = s.ctx.bind(k, at)
	s.ctx.heading = heading{}
	s.block.m.Open(k, at)
	s.readBlock()
}

// strayCloser reports a closer outside blocks, unless it belongs to an attempt that was already
// refused.
func (s *scanner) strayCloser(l *line) {
	if s.out.ignoreNextCloser {
		s.out.ignoreNextCloser = false
		s.out.uses.put(diagnosed, l.at.Line, l.at.Line)
		return
	}
	s.out.refuse(s.out.unexpectedCloser(l.raw, l.at), l.at.Line, l.at.Line)
}
