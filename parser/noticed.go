package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
)

// Noticed is a part of the reply that may be meant as an edit or may only show something. It is not
// applied, and nothing is refused because of it.
type Noticed struct {
	// Code is "whole-file", "diff-without-name", "quoted-edit", "like-an-edit", or "other-format"
	// for text in a format other than the requested one.
	Code string `json:"code"`
	// Lines are the first and last line in the reply, 1-based and inclusive, fences included.
	Lines [2]int `json:"lines"`
	// Path is the file named next to the text; "" if there is none.
	Path string `json:"path,omitempty"`
	// What describes the text in a few words.
	What string `json:"what"`

	whole *Block // the block that writes the file, if the text may be a whole file
}

// wholeFile is the code of a notice about a whole file, and the dialect of a block that writes one.
const wholeFile = "whole-file"

// fenceClosed emits what is reported of the fence f, which the line at closes: a notice if its text
// may be meant as an edit, and a Shell item if it contains commands and no edit. It reports whether
// there is a Shell item.
func (out *output) fenceClosed(f fence, at fsm.Pos) bool {
	out.notice(f, at)
	if !f.shell || f.hasEdit || at.Start-f.start > maxShell {
		return false
	}
	lines, text := [2]int{f.line, at.Line}, out.in.buf[f.text:at.Start]
	out.emit(item{Shell: &Shell{Lines: lines, Text: string(text)}})
	if file, ok := envelope.ChangedFile(text); ok {
		out.emitNoticed(Noticed{Code: likeAnEdit, Lines: lines, Path: file,
			What: "a command that changes a file"})
	}
	out.uses.put(inShell, f.line, at.Line)
	return true
}

// endShell emits a shell block at the end of the input.
func (out *output) endShell() {
	if f := out.ctx.top(); f != nil && f.shell {
		out.ctx.fences = out.ctx.fences[:len(out.ctx.fences)-1]
		out.fenceClosed(*f, fsm.Pos{Line: out.in.line - 1, Start: len(out.in.buf), End: len(out.in.buf)})
	}
}

// notice reports a fence that ends at the line at and contains no edit, if its text may be meant as
// one: as a whole file or a diff. The fence may also show that the Markdown file in the fence above may be
// incomplete, which notice refuses first.
func (out *output) notice(f fence, at fsm.Pos) {
	hasEdit := f.hasEdit || f.start < out.ctx.outside // an edit after the fence's opener was read
	if hasEdit || out.ctx.req.bare || at.Start-f.start > out.ctx.req.maxFence() {
		return
	}
	body := out.in.buf[f.text:at.Start]
	if text.Blank(body) {
		return
	}
	out.refuseUnsureMarkdown(f)
	label := out.ctx.labelAbove(f.start)
	if f.shell && !namesScript(label) {
		return // commands to run, not the text of a script
	}
	path, doubt := out.ctx.fenceName(&f)
	lines := [2]int{f.line, at.Line}
	switch {
	case isSigned(body) && f.code && !f.diff:
		out.emitNoticed(Noticed{Code: "diff-without-name", Lines: lines, Path: path,
			What: "text with a diff's signs, in a fence that is not for a diff"})
	case f.diff: // with a clear name, the diff would have been read as an edit
		if changes(body) {
			out.emitNoticed(Noticed{Code: "diff-without-name", Lines: lines, Path: path,
				What: "a diff without a clear file name"})
		}
	case path != "" && out.ctx.element.path == path: // the element around the fence is reported instead
	case path != "":
		n := &Noticed{Code: wholeFile, Lines: lines, Path: path, What: "text in a fence below a file's name"}
		if !doubt && len(out.ctx.fences) == 0 {
			out.wholeFence(n, f, at) // with --whole-files, an outermost fence becomes a block
		}
		out.emit(item{Noticed: n})
	case filename.SaysWhole(label) != "":
		out.emitNoticed(Noticed{Code: wholeFile, Lines: lines, Path: filename.SaysWhole(label),
			What: "text in a fence below a sentence about a whole file"})
	default:
		line, _, _ := bytes.Cut(body, []byte("\n"))
		if name, strength := filename.OfLine(line); strength >= filename.Plain &&
			text.BeginsComment(line) && filename.Likely(name) {
			out.emitNoticed(Noticed{Code: wholeFile, Lines: lines, Path: name,
				What: "text in a fence that begins with a file's name"})
		}
	}
}

// changes reports whether a diff changes anything: it has a line that begins with a diff's sign and
// isn't blank otherwise. Diffs that aren't unified have other signs than - and +.
func changes(body []byte) bool {
	for line := range bytes.Lines(body) {
		if bytes.IndexByte([]byte("-+<>!"), line[0]) >= 0 && !text.Blank(line[1:]) {
			return true
		}
	}
	return false
}

// isSigned reports whether a text reads like a hunk: each line that isn't blank begins with -, + or a
// blank, and both signs occur.
func isSigned(body []byte) bool {
	removes, adds := false, false
	for line := range bytes.Lines(body) {
		switch {
		case text.Blank(line) || line[0] == ' ':
		case line[0] == '-':
			removes = true
		case line[0] == '+':
			adds = true
		default:
			return false
		}
	}
	return removes && adds
}
