package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/attempt"
)

// leftover looks at the text between edits for what may have been meant as one more and was read by nobody, in whatever form. The watchers
// know their forms line by line; this knows none, and so waits for the end of the reply: only next to edits that were read, of which none
// was refused, is what it finds worth a word.
type leftover struct {
	start, line int // of the text that was not looked at: offset and number
	found       []attempt.Leftover
	told        []int // numbers of the lines of it that are around an edit: its name and its fence
	noticed     bool  // what is above it was noticed
	doubt       bool  // an edit was refused
}

// maxStretch is how much text is looked at as one, in bytes.
const maxStretch = 8 << 10

// maxLeftovers is how many are kept.
const maxLeftovers = 32

// until looks at the text up to an offset, where the given line begins.
func (v *leftover) until(out *output, offset, line int, followed bool) {
	if r := out.req; v.start < offset && offset-v.start <= 2*maxStretch && !v.doubt && !r.bare && !r.shown && r.format == "" {
		for _, l := range attempt.Leftovers(out.in.buf[v.start:offset], v.line, v.told, followed) {
			if goesOn := v.noticed && l.Lines[0] == v.line; !goesOn && len(v.found) < maxLeftovers {
				v.found = append(v.found, l)
			}
		}
	}
	v.start, v.line, v.told, v.noticed = offset, line, v.told[:0], false
}

// begins looks at the text up to an edit, whose name is in a line above it; 0 if it is in none.
func (v *leftover) begins(out *output, at fsm.Pos, name int) {
	v.told = append(v.told, name)
	for _, f := range out.ctx.fences {
		v.told = append(v.told, f.line)
	}
	v.until(out, at.Start, at.Line, true)
}

// closed notes that a line closes the fence around an edit, or a diff, which was looked at.
func (v *leftover) closed(f *fence, line int) {
	if f.hasEdit || f.diff {
		v.told = append(v.told, f.line, line)
	}
}

// pass looks at the text up to a line that is nobody's to look at, or belongs to an edit, and passes over that.
func (v *leftover) pass(out *output, from, line, to int) {
	if v.start < from {
		v.until(out, from, line, false)
	}
	v.start, v.line = to, line+1
}

// skip passes over the text up to an offset in a line, which only shows something.
func (v *leftover) skip(out *output, offset, line int) {
	if v.start, v.line = offset, line; offset == out.in.pos {
		v.line = out.in.line
	}
}

// tell notes that an item says what becomes of its lines.
func (v *leftover) tell(out *output, it *item) {
	switch {
	case it.Diagnostic != nil:
		v.doubt, v.found = true, nil
	case it.Block != nil:
		v.covered(out, it.Block.Lines[0], it.Block.Lines[1])
	case it.Shell != nil:
		v.covered(out, it.Shell.Lines[0], it.Shell.Lines[1])
	case it.Noticed != nil:
		v.covered(out, it.Noticed.Lines[0], it.Noticed.Lines[1])
		v.noticed = v.line == it.Noticed.Lines[1]+1
	}
}

// covered notes that an item has lines: what they say is told.
func (v *leftover) covered(out *output, first, last int) {
	n := 0
	for _, l := range v.found {
		if l.Lines[1] < first || last < l.Lines[0] {
			v.found[n] = l
			n++
		}
	}
	v.found = v.found[:n]
	switch in := out.in; {
	case last+1 < v.line:
	case in.pos-v.start > 2*maxStretch:
		v.start, v.line = in.pos, in.line
	default:
		if first > v.line {
			for _, f := range out.ctx.fences {
				v.told = append(v.told, f.line)
			}
			v.until(out, v.offset(out, first), first, true)
		}
		v.start, v.line = v.offset(out, last+1), min(last+1, in.line)
	}
}

// offset is where a line begins.
func (v *leftover) offset(out *output, line int) int {
	if line >= out.in.line {
		return out.in.pos
	}
	at := v.start
	for range line - v.line {
		at += bytes.IndexByte(out.in.buf[at:out.in.pos], '\n') + 1
	}
	return at
}

// end lists what is left.
func (v *leftover) end(out *output) {
	v.until(out, out.in.pos, out.in.line, false)
	found := v.found
	v.found = nil
	if out.blocks == 0 || v.doubt {
		return
	}
	for _, l := range found {
		out.emit(item{Noticed: &Noticed{Code: "like-an-edit", Lines: l.Lines, Path: l.Path, What: "text that looks like an edit"}})
	}
}
