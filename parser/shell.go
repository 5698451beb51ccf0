package parser

import (
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// fenceClosed emits what is reported of the fence f, which the line at closes: a notice if its text
// may be meant as an edit, and a Shell item if it contains commands and no edit.
func (out *output) fenceClosed(f fence, at fsm.Pos) {
	out.notice(f, at)
	if f.shell && !f.hasEdit && at.Start-f.start <= maxShell {
		lines, text := [2]int{f.line, at.Line}, out.in.buf[f.text:at.Start]
		out.emit(item{Shell: &Shell{Lines: lines, Text: string(text)}})
		if file, ok := envelope.ChangedFile(text); ok {
			out.emitNoticed(Noticed{Code: likeAnEdit, Lines: lines, Path: file,
				What: "a command that changes a file"})
		}
		out.uses.put(inShell, f.line, at.Line)
		out.ctx.shell = [2]int{f.line, at.Line}
	}
}

// endShell emits a shell block at the end of the input.
func (out *output) endShell() {
	if f := out.ctx.top(); f != nil && f.shell {
		out.ctx.fences = out.ctx.fences[:len(out.ctx.fences)-1]
		out.fenceClosed(*f, fsm.Pos{Line: out.in.line - 1, Start: len(out.in.buf), End: len(out.in.buf)})
	}
}
