package parser

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/parser/internal/filename"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// inside reads a line of the block at hand that may be a marker.
func (s *Scanner) inside(at fsm.Pos) {
	k := fsm.Classify(s.buf[at.Start:at.End])
	if k.Kind == fsm.Text || k.Kind == fsm.NearOpener {
		return
	}
	switch s.m.Feed(k, at) {
	case fsm.Closed:
		s.complete(ending{body: at.Start, block: at.End})
	case fsm.Reopened:
		s.reopened(at)
	case fsm.Dropped:
		if k.Kind == fsm.Closer && len(s.m.Splits(at.Start)) == 0 {
			s.drop(at.Start) // the text that ends here may have begun anywhere
			return
		}
		if k.Kind == fsm.Closer { // of an edit
			s.reject(conflictOpener, at.End, at.End)
			s.ignoreNextCloser = false
			return
		}
		if s.likeUpdated(at) {
			s.reject(unlikeCloser, at.End, at.End)
			s.ignoreNextCloser = false
			return
		}
		_, opener := s.m.Opener()
		s.uses.put(prose, opener.Line, at.Line)
		s.m.Reset()
		s.outside = at.End
	}
}

// likeUpdated reports whether the line that ends a tentative block was meant as its closer: the label resembles the closer's, not
// the name of a branch, and a file's name is directly above the block.
func (s *Scanner) likeUpdated(at fsm.Pos) bool {
	label := bytes.ToLower(bytes.TrimLeft(bytes.TrimSpace(s.buf[at.Start:at.End]), "> "))
	rest, ok := bytes.CutPrefix(label, []byte("update"))
	rest = bytes.TrimLeft(bytes.TrimPrefix(rest, []byte("d")), ".,:;!")
	return ok && s.binding.direct && (len(rest) == 0 || rest[0] == ' ')
}

// ending says where a block ends.
type ending struct {
	body    int // end of REPLACE
	block   int // end of the last line that belongs to the block
	warning string
	// byOpener says that the block counts as closed because another one begins.
	byOpener bool
}

// drop gives up a tentative block that has no closer before offset end. Its lines are read again, because a line that looks like
// the beginning of a merge conflict may occur in the middle of anything.
func (s *Scanner) drop(end int) {
	_, at := s.m.Opener()
	s.m.Reset()
	s.conflict = end
	outside := s.outside
	s.rewind(at.Start, at.Line)
	s.outside = outside
}

// reopened ends a block before the opener of another one. REPLACE is certainly finished; the block counts only if it is just as
// certain where REPLACE ends.
func (s *Scanner) reopened(at fsm.Pos) {
	if s.exhausted() {
		s.reject(entangled, at.Start, at.Start)
		return
	}
	opener, _ := s.m.Opener()
	if opener.Dialect.Tentative() {
		if splits := s.m.Splits(at.Start); (s.binding.direct || s.seenHead) && s.fenced() && len(splits) > 0 {
			end := s.tail(splits[len(splits)-1].End, at.Start)
			s.reject(missingCloser, end, end)
			return
		}
		s.drop(at.Start)
		return
	}
	if pos, _, ok := s.m.Closer(); ok {
		s.complete(ending{body: pos.Start, block: pos.End, warning: warnCloser(pos.Line)})
		return
	}
	if s.endTurn(at.Start) {
		return
	}
	splits := s.m.Splits(at.Start)
	if len(splits) == 0 {
		end := s.tail(s.m.Body(), at.Start)
		s.reject(missingDivider, end, end)
		return
	}
	if end, ok := s.secondDivider(splits, at.Start); ok {
		s.complete(end)
		return
	}
	from := splits[len(splits)-1].End
	_, strays := s.m.Stray()
	if end, ok := s.replaceEnd(from, at.Start); ok && !strays && !s.m.HasInnerOpener() && !endsInMarker(s.buf[from:end]) && !(breaksOff(s.buf[from:end]) && !s.document()) {
		s.complete(ending{body: end, block: end, warning: warnOpener(at.Line), byOpener: true})
		return
	}
	end := s.tail(from, at.Start)
	s.reject(missingCloser, end, end)
}

// cutOff ends a block with the input.
func (s *Scanner) cutOff() {
	if s.exhausted() {
		s.reject(entangled, s.end, s.end)
		return
	}
	if s.endTurn(s.end) {
		return
	}
	if pos, atEnd, ok := s.m.Closer(); ok && atEnd {
		s.complete(ending{body: pos.Start, block: pos.End, warning: warnCloser(pos.Line)})
		return
	}
	if end, ok := s.secondDivider(s.m.Splits(s.end), s.end); ok {
		s.complete(end)
		return
	}
	opener, _ := s.m.Opener()
	if opener.Dialect.Tentative() && !s.seenHead && !s.binding.direct {
		s.drop(s.end)
		return
	}
	s.reject(truncated, s.end, s.end)
}

// secondDivider finds a divider in place of the closer: the last of several, followed only by blank lines up to the end, the
// name of the next block, or the end of the fence. The underline of a title does not count.
func (s *Scanner) secondDivider(splits []fsm.Split, end int) (ending, bool) {
	if len(splits) < 2 || !splits[len(splits)-1].Own {
		return ending{}, false
	}
	last := splits[len(splits)-1]
	for _, d := range splits {
		if s.underline(d) || d.Depth > 0 || end == s.end && s.document() {
			return ending{}, false
		}
	}
	rest := bytes.TrimLeft(s.buf[last.End:end], " \t\r\n")
	if len(rest) > 0 && !s.closesFence(rest) && (end == s.end || s.document() || s.tail(last.End, end) > last.End) {
		return ending{}, false
	}
	return ending{body: last.Start, block: last.End, warning: warnDivider(last.Line)}, true
}

// underline reports whether a divider looks like the underline of the line above it: that line is a title without indentation,
// of about the same length.
func (s *Scanner) underline(d fsm.Split) bool {
	above := s.buf[s.m.Body():d.Start]
	above = bytes.TrimSuffix(above, []byte("\n"))
	above = above[bytes.LastIndexByte(above, '\n')+1:]
	opener, _ := s.m.Opener()
	above = bytes.TrimRight(bytes.TrimPrefix(above, opener.Prefix), " \t\r")
	first, _ := utf8.DecodeRune(above)
	if !unicode.IsUpper(first) && !unicode.IsTitle(first) && !unicode.IsDigit(first) && first < utf8.RuneSelf {
		return false
	}
	for _, c := range string(above) {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != ' ' && c != '-' && c != '\'' && c != '&' && c != '.' {
			return false
		}
	}
	title, length := utf8.RuneCount(above), len(bytes.TrimSpace(s.buf[d.Start:d.End]))
	if s.titles(d) && len(above) > 0 && !bytes.HasSuffix(above, []byte(".")) {
		return true
	}
	return title >= length-3 && title <= length+2
}

// titles reports whether the line above a divider is on its own in a document, where any line of "=" below it makes it a title.
func (s *Scanner) titles(d fsm.Split) bool {
	if !s.document() {
		return false
	}
	lines := bytes.SplitAfter(s.buf[s.m.Body():d.Start], []byte("\n"))
	return len(lines) > 2 && len(lines[len(lines)-2]) <= maxTitle && text.Blank(lines[len(lines)-3])
}

// document reports whether the block is for a file of prose, where lines of "=" are underlines.
func (s *Scanner) document() bool {
	switch strings.ToLower(path.Ext(s.binding.path)) {
	case ".md", ".markdown", ".rst", ".txt":
		return true
	}
	return false
}

// maxTitle is how long a title may be, in bytes.
const maxTitle = 60

// replaceEnd finds the end of a REPLACE without a closer, before the opener at end: at the only closing fence, or where the
// lines begin that name the next block. It is not certain if REPLACE has a blank line, which may begin a paragraph of prose, and
// no fence around the block is open.
func (s *Scanner) replaceEnd(from, end int) (int, bool) {
	closing, n := s.fenceCloses(from, end)
	if n > 0 {
		return closing, n == 1 && !s.fencesOpener(closing, end)
	}
	tail := s.tail(from, end)
	return tail, tail > from && (s.fenced() || !mdline.HasBlank(s.buf[from:tail]))
}

// endsInMarker reports whether the last line of a text may have been meant as a closer. If there is no other closer, it was.
func endsInMarker(text []byte) bool {
	text = bytes.TrimSpace(text)
	line := bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])
	for _, run := range [...]string{">>>", "<<<", "+++", "＞＞＞"} {
		if bytes.HasPrefix(line, []byte(run)) {
			return true
		}
	}
	for d := range fsm.Dialects() {
		if _, label := d.Labels(); bytes.Contains(line, []byte(label)) {
			return true
		}
	}
	return endsWrapper(line)
}

// endsWrapper reports whether a line is the end tag of an element that models put around blocks.
func endsWrapper(line []byte) bool {
	switch name, _ := bytes.CutPrefix(line, []byte("</")); string(bytes.ToLower(name)) {
	case "file>", "edit>", "change>", "changes>", "diff>", "block>", "patch>", "content>", "replace>", "details>", "edits>", "apply_diff>", "replace_in_file>":
		return true
	}
	return false
}

// breaksOff reports whether the last line of a text is a sentence in which the writer changes their mind ("Wait, ..."): then the
// text above it was given up and is no REPLACE.
func breaksOff(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	first, _, _ := bytes.Cut(line, []byte(" "))
	word := strings.TrimRight(string(first), ",.!-–—:…")
	switch word {
	case "Wait", "Actually", "Hmm", "Hm", "Oops", "Sorry", "Correction", "Let", "Hold", "No", "Apologies", "Scratch":
		return mdline.IsSentence(line) || len(word) < len(first)
	}
	return false
}

// fenced reports whether the block at hand is the first one of an open fence.
func (s *Scanner) fenced() bool {
	_, at := s.m.Opener()
	f := s.top()
	return f != nil && f.line >= at.Line-fenceToOpener
}

// fenceToOpener is how far above the opener its fence may be, in lines: a name and a blank line may come between.
const fenceToOpener = 3

// tail is the offset at which the text before the opener at end stops being content: at the closing fence if there is one only,
// else at the first of the lines directly above the opener that are blank, fences or names.
func (s *Scanner) tail(from, end int) int {
	if closing, n := s.fenceCloses(from, end); n == 1 && !s.fencesOpener(closing, end) {
		return closing
	}
	start := end
	for start > from {
		above := from
		if i := bytes.LastIndexByte(s.buf[from:start-1], '\n'); i >= 0 {
			above = from + i + 1
		}
		line := s.buf[above:start]
		if _, ok := mdline.ParseFence(line); !ok && !text.Blank(line) {
			if _, strength := filename.OfLine(line); strength < filename.Plain {
				break
			}
		}
		start = above
	}
	return start
}

// fenceCloses returns the last line in [from, end) that closes the fence around the block, and how many there are.
func (s *Scanner) fenceCloses(from, end int) (last, count int) {
	for from < end {
		next := end
		if i := bytes.IndexByte(s.buf[from:end], '\n'); i >= 0 {
			next = from + i + 1
		}
		if s.closesFence(s.buf[from:next]) {
			last = from
			count++
		}
		from = next
	}
	return last, count
}

// fencesOpener reports whether the fence line at offset closing is directly above the opener at end, so that it may open the
// fence around that block instead.
func (s *Scanner) fencesOpener(closing, end int) bool {
	_, below, _ := bytes.Cut(s.buf[closing:end], []byte("\n"))
	return text.Blank(below)
}

// reject refuses the block: it reports the text up to offset end, and reading continues at offset resume.
func (s *Scanner) reject(make func(*Scanner, int) *Diagnostic, end, resume int) {
	_, at := s.m.Opener()
	last := max(s.lineAt(end)-1, at.Line)
	if end == s.end && end > at.Start && s.buf[end-1] != '\n' {
		last = s.lineAt(end)
	}
	d := make(s, end)
	a := &Attempt{Code: d.Code, Line: d.Line, Lines: [2]int{at.Line, last},
		Path: s.binding.path, Names: s.binding.names, Inherited: s.binding.inherited}
	a.StartLine, a.EndLine = s.m.Hints()
	if d.Code == string(fsm.MissingDivider) {
		a.Body = s.undivided(end)
	}
	s.inherit(a.Path, a.Names, a.Inherited)
	s.emit(Item{Diagnostic: d, Attempt: a})
	s.uses.put(diagnosed, at.Line, last)
	s.uses.name(s.binding.line)
	s.markFenceHasEdit()
	s.release()
	s.m.Reset()
	s.ignoreNextCloser = true
	s.rewind(resume, last+1)
}

// undivided returns a copy of the text between the markers of a block without a divider that ends at offset end.
func (s *Scanner) undivided(end int) []byte {
	body := s.buf[s.m.Body():end]
	if i := bytes.LastIndexByte(bytes.TrimSuffix(body, []byte("\n")), '\n') + 1; fsm.Classify(body[i:]).Kind == fsm.Closer {
		body = body[:i]
	}
	return bytes.Clone(mdline.WithoutMargin(body, s.dedent(body, nil), s.m.Escapes()))
}

// tooLarge refuses a block that exceeds the limit. The text after it is read as prose.
func (s *Scanner) tooLarge() {
	if s.m.State() != fsm.Outside {
		s.reject(oversize, s.pos, s.pos)
	}
}
