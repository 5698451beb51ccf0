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

// isContent reports whether an edit that would begin in the line at is content of what is around
// it: of a file that is shown or written as a whole, or of what a command prints. Then a quote
// begins.
func (s *scanner) isContent(k fsm.Mark, at fsm.Pos) bool {
	if s.req.bare || s.req.shown {
		return false
	}
	s.beginsEdit(at)
	in, line, fences := s.ctx.container(k, at)
	if in.kind == noQuote {
		s.quote.beginsEdit(at.Line, &s.out)
		return false
	}
	s.quote.start(in, line, &s.out)
	if s.quote.fences = fences; fences > 0 && s.ctx.fences[fences-1].diff {
		s.ctx.fences[fences-1].hasEdit = true // of which no more is to be said
	}
	s.quote.edit = at.Line
	s.out.uses.put(inQuote, at.Line, at.Line)
	return true
}

// container finds what an edit is content of, the line in which that begins, and how many fences
// are open in it. Edits are at the beginning of a fence, below names and remarks at most, so one
// below other text in it is part of that text. In a fence without a language, or for Markdown, text
// may as well be the answer's own, all of which is in the fence: there only a name that is not the
// edit's tells that the text is a file's.
func (c *context) container(k fsm.Mark, at fsm.Pos) (in shown, line, fences int) {
	if e := &c.element; e.line > 0 && e.start >= c.outside && e.text <= at.Start &&
		at.Start-e.start <= c.req.maxFence() &&
		!c.isFor(e.path, k, at) {
		return shown{kind: inFile, end: e.closer, path: e.path}, e.line, 0
	}
	for i := range c.fences {
		if in := c.shownInFence(i, k, at); in.kind != noQuote {
			return in, c.fences[i].line, i + 1
		}
	}
	if doc := c.openHereDoc(max(c.outside, at.Start-lookBack, 0), at); doc != nil &&
		len(c.fences) == 0 && doc.path != "" {
		return shown{hereDoc, doc.end, doc.path}, doc.line, 0
	}
	return shown{}, 0, 0
}

// shownInFence says what is in a fence, if that has the edit as content.
func (c *context) shownInFence(i int, k fsm.Mark, at fsm.Pos) shown {
	f := &c.fences[i]
	if f.hasEdit || f.diff || f.start < 0 || at.Start-f.start > c.req.maxFence() {
		return shown{}
	}
	from := max(f.text, c.outside)
	inner := i+1 < len(c.fences)
	if f.mark.Char != '<' {
		if doc := c.openHereDoc(from, at); doc != nil && doc.path != "" {
			return shown{hereDoc, doc.end, doc.path}
		} else if doc != nil {
			from = doc.text // for a program, which may apply it
		}
	}
	content := c.hasContent(f, from, at.Start)
	if in, ok := c.shownOutright(f, content, from, i); ok {
		return in
	}
	switch b := c.bind(fsm.Mark{}, fsm.Pos{Line: f.line + 1, Start: f.text}); {
	case b.direct && b.path != "" && !b.doubt:
		if inner && content || !c.isFor(b.path, k, at) {
			return shown{kind: inFile, path: b.path}
		}
	case f.code && !f.markdown() && !c.isFor("", k, at):
		return shown{kind: inFile}
	}
	return shown{}
}

// shownOutright says what is in fence i by its language and its first lines alone, if they tell.
func (c *context) shownOutright(f *fence, content bool, from, i int) (in shown, ok bool) {
	inner := i+1 < len(c.fences)
	switch {
	case f.shell && content, (f.shell || f.lang == "") && c.beginsPrompt(from):
		return shown{kind: session}, true
	case !content && !(inner && f.markdown()):
		return shown{}, true
	case inner && !f.markdown() && c.fences[i+1].mark.Length >= f.mark.Length:
		return shown{}, true // the end of the outer fence was forgotten
	}
	return shown{}, false
}

// hereDocument is the text that a shell command is given, up to a line that the command names.
type hereDocument struct {
	start, text, line int    // of the command, and offset of the text
	path              string // "" if the text goes to a program, or into a patch, which is to be applied
	end               string // "" if none is open
}

// hereDocHead matches the command above such a text, and hereDocFile the file that it writes.
var (
	hereDocHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<<-?[ \t]*[\\"']?(\w+)`)
	})
	hereDocFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[^<>=-])(?:>>?|\btee(?: -a)?)[ \t]*["']?([^\s"'<>|&;]+)`)
	})
)

// hereDocLine follows here-documents in the lines of a reply that are text.
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
	name := ""
	if m := hereDocFile().FindSubmatch(raw); m != nil && filename.Likely(string(m[1])) {
		name = string(m[1])
	}
	if ext := path.Ext(name); ext == ".patch" || ext == ".diff" {
		name = ""
	}
	if name != "" || c.doc.path == "" || c.doc.end == "" {
		c.doc = hereDocument{at.Start, at.End, at.Line, name, string(word[1])}
	}
}

// openHereDoc is the here-document that is open at a place, if it begins at or after from.
func (c *context) openHereDoc(from int, at fsm.Pos) *hereDocument {
	if d := &c.doc; d.end != "" && d.start >= from && at.Start-d.start <= c.req.maxFence() {
		return d
	}
	return nil
}

// markdown reports whether a fence has Markdown in it.
func (f *fence) markdown() bool { return f.lang == "markdown" }

// isFor reports whether an edit would be for a file of that name, or says none of its own.
func (c *context) isFor(path string, k fsm.Mark, at fsm.Pos) bool {
	b := c.bind(k, at)
	if b.path == "" || path == "" {
		return !b.direct
	}
	return sameFile(b.path, path)
}

// sameFile reports whether two paths may name the same file, as one ends in the other.
func sameFile(long, short string) bool {
	if len(long) < len(short) {
		long, short = short, long
	}
	return long == short || strings.HasSuffix(long, "/"+short)
}

// hasContent reports whether a text in a fence has more than what may be above an edit: names,
// tags, fences, and comments, which are headings in Markdown. It notes how far the fence has none,
// for the next edit.
func (c *context) hasContent(f *fence, from, end int) bool {
	next := max(from, f.bare)
	if next >= end {
		return false
	}
	noted := from <= max(f.text, f.bare)
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

// mayBeAbove reports whether a line is none of a file's content, as it may be above an edit in the
// same fence.
func (c *context) mayBeAbove(line []byte, markdown bool) bool {
	if text.Blank(line) || isTag(line) || text.BeginsComment(line) && !markdown {
		return true
	}
	if _, fence := mdline.ParseFence(line); fence {
		return true
	}
	_, strength := c.names.OfLine(line)
	return strength >= filename.Weak
}

// beginsPrompt reports whether the first line of a text is a command below a prompt.
func (c *context) beginsPrompt(from int) bool {
	return bytes.HasPrefix(bytes.TrimLeft(c.in.buf[from:], " \t\r\n"), []byte("$ "))
}
