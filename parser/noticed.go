package parser

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/attempt"
	"github.com/srpatch/srpatch/parser/internal/command"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Noticed is a part of the reply that may have been meant as an edit, and may as well only show something. Nothing is done with it, and
// nothing is refused because of it.
type Noticed struct {
	// Code is "whole-file", "two-texts", "diff-without-name", "shell-edit", "quoted-edit", "like-an-edit" or "other-format"
	// for what is in another format than the one that was asked for.
	Code string `json:"code"`
	// Lines are the first and last line in the reply, 1-based and inclusive, fences included.
	Lines [2]int `json:"lines"`
	// Path is the file that is named next to it; "" if none is.
	Path string `json:"path,omitempty"`
	// What says what is there, in a few words.
	What string `json:"what"`

	whole    *Block      // the file, if it may be taken as a whole
	old, new string      // both texts of an edit in words, or "\n" and whole lines; what a block has is not told twice
	refusal  *Diagnostic // what it is instead, unless a block has both texts
}

// wholeFile is the code of a file that is given as a whole, and the dialect of its block where it is taken so.
const wholeFile = "whole-file"

// oldText is the last fence whose label says that its text is to be replaced.
type oldText struct {
	line  int // 0 if there is none
	path  string
	text  string
	label int    // the line of the label
	found string // what it says, quoted
	sure  bool   // the name of the file is directly above
}

// notice looks at a fence without an edit, which ends at the line at.
func (out *output) notice(f fence, at fsm.Pos) {
	before := out.old
	out.old = oldText{}
	if f.hasEdit || out.ctx.req.bare || f.start < out.ctx.outside || at.Start-f.start > out.ctx.req.maxFence() {
		return
	}
	body := out.in.buf[f.text:at.Start]
	if text.Blank(body) {
		return
	}
	out.unsureMarkdown(f)
	start, above := out.ctx.labelAbove(fsm.Pos{Line: f.line, Start: f.start})
	label := out.in.buf[start:f.start]
	if f.shell && !namesScript(label) {
		return // commands to run
	}
	path, doubt := out.ctx.fenceName(&f)
	switch {
	case f.diff && isOtherDiff(body):
		out.refuse(&Diagnostic{Code: diagnosis.Malformed, Line: f.line, Found: "a diff that is not unified",
			Expected: "a unified diff, as diff -u writes it", Remedy: out.remedy("send the edit as a block", fsm.Aider)}, f.line, f.line)
	case f.diff:
		if changes(body) {
			out.emit(item{Noticed: &Noticed{Code: "diff-without-name", Lines: [2]int{f.line, at.Line}, Path: path, What: "a diff without a clear file name"}})
		}
	case before.line > 0 && (f.side == newSide || attempt.LabelsNew(label)):
		out.twoTexts(before, f, at)
	case f.side == oldSide || attempt.LabelsOld(label):
		out.old = oldText{line: f.line, path: path, text: string(body), label: f.line, sure: path != "" && !doubt,
			found: "two fences for an old and a new text"}
		if f.side != oldSide {
			out.old.label, out.old.found = above, fmt.Sprintf("%q", mdline.Excerpt(label))
			file := out.ctx.bind(fsm.Mark{}, fsm.Pos{Line: above, Start: start})
			if file.direct {
				out.old.path, out.old.sure = file.path, true
			}
		}
	case path != "" && out.ctx.element.path == path: // its text is that of the element
	case path != "":
		n := &Noticed{Code: wholeFile, Lines: [2]int{f.line, at.Line}, Path: path, What: "text in a fence below a file's name"}
		if !doubt && len(out.ctx.fences) == 0 {
			out.wholeFence(n, f, at)
		}
		out.emit(item{Noticed: n})
	case filename.SaysWhole(label) != "":
		out.emit(item{Noticed: &Noticed{Code: wholeFile, Lines: [2]int{f.line, at.Line}, Path: filename.SaysWhole(label), What: "text in a fence below a sentence about all of a file", new: string(body)}})
	case attempt.AsksForEdit(label):
		out.emit(item{Noticed: &Noticed{Code: likeAnEdit, Lines: [2]int{f.line, at.Line},
			What: "text in a fence below a sentence that asks for an edit"}})
	default:
		line, _, _ := bytes.Cut(body, []byte("\n"))
		if name, strength := filename.OfLine(line); strength >= filename.Plain && text.BeginsComment(line) && filename.Likely(name) {
			out.emit(item{Noticed: &Noticed{Code: wholeFile, Lines: [2]int{f.line, at.Line}, Path: name, What: "text in a fence that begins with a file's name"}})
		}
	}
}

// noticeCommands looks for commands in a fence that would edit a file.
func (out *output) noticeCommands(f fence, at fsm.Pos) {
	if f.hasEdit || f.code && !f.shell || f.diff || f.start < out.ctx.outside || at.Start-f.start > maxShell || out.ctx.req.bare {
		return
	}
	if file, ok := command.Edit(out.in.buf[f.text:at.Start]); ok {
		out.emit(item{Noticed: &Noticed{Code: "shell-edit", Lines: [2]int{f.line, at.Line}, Path: file, What: "commands that change a file"}})
	}
}

// twoTexts reports a fence for the new text below one for the old text. Below the name of a file
// they are meant as an edit, whatever the words are, unless they only show what a block of the
// reply does; without a name they may as well explain something else.
func (out *output) twoTexts(before oldText, f fence, at fsm.Pos) {
	n := &Noticed{Code: "two-texts", Lines: [2]int{before.line, at.Line}, Path: before.path,
		What: "an old and a new text in two fences"}
	if before.sure {
		if before.label < before.line { // else the fences themselves say that it is an edit
			n.old, n.new = "\n"+before.text, "\n"+string(out.in.buf[f.text:at.Start])
		}
		n.refusal = &Diagnostic{Code: diagnosis.Malformed, Line: before.label, Found: before.found,
			Expected: fmt.Sprintf("%q", fsm.Aider.Opener(7)),
			Remedy:   out.remedy("put both texts into one block; labels above them are not read", fsm.Aider)}
		out.uses.put(diagnosed, before.label, before.label)
		out.ctx.markFenceHasEdit()
	}
	out.emit(item{Noticed: n})
}

// changes reports whether a text has lines that a diff removes or adds.
func changes(body []byte) bool {
	for line := range bytes.Lines(body) {
		if (line[0] == '-' || line[0] == '+') && !text.Blank(line[1:]) {
			return true
		}
	}
	return false
}

// otherDiff matches the line above a change in a context diff or in a normal one.
var otherDiff = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:\*{15}|\*\*\* \d+(?:,\d+)? \*\*\*\*|\d+(?:,\d+)?[acd]\d+(?:,\d+)?)\r?$`)
})

// isOtherDiff reports whether a text is a diff in a form other than the unified one.
func isOtherDiff(body []byte) bool {
	return bytes.ContainsAny(body, "!<>*") && otherDiff().Match(body)
}
