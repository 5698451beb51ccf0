package parser

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// quoteContent reads a quote if an edit that would begin in the line at is part of the content
// around it: of a file that is shown or written as a whole, or of a command's output. It reports
// whether that is so. k is the edit's opener, or the zero Mark for an envelope.
func (s *scanner) quoteContent(k fsm.Mark, at fsm.Pos) bool {
	if s.req.bare || s.req.shown { // edits count wherever they are
		return false
	}
	if s.ctx.inElement(at.Start) { // unless its closing tag is within a line above
		s.endElementAbove(at.Start)
	}
	q := s.ctx.container(k, at)
	if q.kind == noQuote {
		s.quotes.refuseBelowWrapper(at.Line) // the element above was perhaps a tool's output
		return false
	}
	if q.fences > 0 && s.ctx.fences[q.fences-1].diff {
		s.ctx.fences[q.fences-1].hasEdit = true // avoids a notice about this fence
	}
	q.edit = at.Line
	s.quotes.read(q)
	return true
}

// container returns the content that an edit is part of, as a quote. Edits come at the beginning of
// a fence, below names and remarks at most, so an edit below other text in a fence is part of that
// text. A fence without a language, or for Markdown, may also contain the whole answer. The text of
// such a fence belongs to a file only if the file's name differs from that of the edit. The result's
// kind is noQuote if the edit is not part of any content.
func (c *context) container(k fsm.Mark, at fsm.Pos) quote {
	if e := &c.element; c.inElement(at.Start) && at.Start-e.start <= c.req.maxFence() &&
		!c.isFor(e.path, k, at) {
		return quote{kind: inFile, end: e.closer, path: e.path, line: e.line}
	}
	for i := range c.fences {
		if q := c.shownInFence(i, k, at); q.kind != noQuote {
			q.line, q.fences = c.fences[i].line, i+1
			return q
		}
	}
	if doc := c.openHereDoc(max(c.outside, at.Start-lookBack, 0), at); doc != nil &&
		len(c.fences) == 0 && doc.path != "" {
		return quote{kind: hereDoc, end: doc.end, path: doc.path, line: doc.line}
	}
	return quote{}
}

// shownInFence returns what fence i shows, if the edit that k begins in the line at is part of its
// content. Otherwise the result's kind is noQuote.
func (c *context) shownInFence(i int, k fsm.Mark, at fsm.Pos) quote {
	f := &c.fences[i]
	if f.hasEdit || f.diff || at.Start-f.start > c.req.maxFence() {
		return quote{} // the fence is for edits, or too large to be reported
	}
	from := max(f.text, c.outside)
	inner := i+1 < len(c.fences)
	if f.mark.Char != '<' { // models are told to use tags as fences for edits, not for commands
		if doc := c.openHereDoc(from, at); doc != nil && doc.path != "" {
			return quote{kind: hereDoc, end: doc.end, path: doc.path}
		} else if doc != nil {
			from = doc.text // a program reads the text and may apply the edit
		}
	}
	content := c.hasContent(f, from, at.Start)
	if in, ok := c.shownOutright(f, content, from, i); ok {
		return in
	}
	switch b := c.bind(fsm.Mark{}, fsm.Pos{Line: f.line + 1, Start: f.text}); {
	case b.direct && b.path != "" && !b.doubt: // a file is named next to the fence
		if inner && content || !c.isFor(b.path, k, at) { // a sample in the file, or for another one
			return quote{kind: inFile, path: b.path}
		}
	case f.code && !f.markdown() && !c.isFor("", k, at): // code, but the edit names a file itself
		return quote{kind: inFile}
	}
	return quote{}
}

// shownOutright returns what fence i shows, without regard to the names near it. ok is false if the
// language and the first lines aren't enough to tell. The kind is noQuote if the edit is certainly
// not part of the fence's content. content says that other content precedes the edit in the fence
// f, whose text begins at offset from.
func (c *context) shownOutright(f *fence, content bool, from, i int) (in quote, ok bool) {
	inner := i+1 < len(c.fences)
	switch {
	case f.shell && content, (f.shell || f.lang == "") && c.beginsPrompt(from):
		return quote{kind: session}, true
	case !content && !(inner && f.markdown()): // edits come at the beginning of a fence
		return quote{}, true
	case inner && !f.markdown() && c.fences[i+1].mark.Length >= f.mark.Length:
		return quote{}, true // the outer fence was never closed
	}
	return quote{}, false
}

// hereDocument is a shell command's here-document.
type hereDocument struct {
	start, text, line int    // offset of the command, offset of the text, line of the command
	path              string // file that the text is written to; "" for a program or a patch file
	end               string // terminator; "" if no here-document is open
}

// hereDocHead matches the operator that begins a here-document; hereDocFile matches the file that
// the command writes.
var (
	hereDocHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<<-?[ \t]*[\\"']?(\w+)`)
	})
	hereDocFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[^<>=-])(?:>>?|\btee(?: -a)?)[ \t]*["']?([^\s"'<>|&;]+)`)
	})
)

// hereDocLine records that the line raw ends a here-document or begins one: cat > a.py <<'EOF'.
func (c *context) hereDocLine(raw []byte, at fsm.Pos) {
	if d := &c.doc; d.end != "" && string(bytes.TrimSpace(raw)) == d.end {
		d.end = ""
	}
	if !bytes.Contains(raw, []byte("<<")) || len(raw) > maxShell {
		return
	}
	word := hereDocHead().FindSubmatch(raw)
	if word == nil {
		return
	}
	name := "" // the file that the command writes
	if m := hereDocFile().FindSubmatch(raw); m != nil && filename.Likely(string(m[1])) {
		name = string(m[1])
	}
	if ext := path.Ext(name); ext == ".patch" || ext == ".diff" { // its text is an edit
		name = ""
	}
	// A here-document for a program doesn't replace an open one for a file, which may contain it.
	if name != "" || c.doc.path == "" || c.doc.end == "" {
		c.doc = hereDocument{at.Start, at.End, at.Line, name, string(word[1])}
	}
}

// openHereDoc returns the here-document that is open at a line, if it begins at or after offset
// from.
func (c *context) openHereDoc(from int, at fsm.Pos) *hereDocument {
	if d := &c.doc; d.end != "" && d.start >= from && at.Start-d.start <= c.req.maxFence() {
		return d
	}
	return nil
}

// markdown reports whether a fence is for Markdown.
func (f *fence) markdown() bool { return f.lang == "markdown" }

// isFor reports whether the edit that k begins in the line at may be for the file at path: it names
// that file, or has no name directly above it. If path is "", only the latter counts.
func (c *context) isFor(path string, k fsm.Mark, at fsm.Pos) bool {
	b := c.bind(k, at)
	if b.path == "" || path == "" {
		return !b.direct
	}
	return sameFile(b.path, path)
}

// sameFile reports whether two paths may name the same file: they are equal, or one ends with the
// other.
func sameFile(long, short string) bool {
	if len(long) < len(short) {
		long, short = short, long
	}
	return long == short || strings.HasSuffix(long, "/"+short)
}

// hasContent reports whether text in a fence contains lines that can't come before an edit: lines
// other than names, tags, fences and comments. In Markdown, comments count as content. hasContent
// also moves f.bare, the offset up to which the fence has no content, so that the next call for the
// fence need not read these lines again.
func (c *context) hasContent(f *fence, from, end int) bool {
	next := max(from, f.bare)
	if next >= end {
		return false
	}
	noted := from <= max(f.text, f.bare) // no line is left out between f.bare and next
	for line := range bytes.Lines(c.in.buf[next:end]) {
		if !c.mayBeAbove(line, f.markdown()) {
			return true
		}
		if next += len(line); noted {
			f.bare = next
		}
	}
	return false
}

// mayBeAbove reports whether a line may come before an edit in the same fence, so that it is not
// part of a file's content.
func (c *context) mayBeAbove(line []byte, markdown bool) bool {
	if text.Blank(line) || isTag(line) || text.BeginsComment(line) && !markdown {
		return true
	}
	if _, fence := mdline.ParseFence(line); fence {
		return true
	}
	_, strength := filename.OfLine(line)
	return strength >= filename.Weak
}

// beginsPrompt reports whether the first line of a text is a command after a prompt.
func (c *context) beginsPrompt(from int) bool {
	return bytes.HasPrefix(bytes.TrimLeft(c.in.buf[from:], " \t\r\n"), []byte("$ "))
}
