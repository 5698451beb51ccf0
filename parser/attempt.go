package parser

import (
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/attempt"
)

// What attempts ask of the context.
var _ attempt.Scene = (*context)(nil)

func (c *context) File(at fsm.Pos) attempt.File {
	if at.Line == c.droppedLine {
		b := c.dropped
		return &b
	}
	b := c.bind(fsm.Mark{}, at)
	return &b
}

func (c *context) LabelAbove(at fsm.Pos) ([]byte, fsm.Pos) {
	start, line := c.labelAbove(at)
	return c.in.buf[start:at.Start], fsm.Pos{Line: line, Start: start}
}

func (c *context) Above(offset int) [][]byte { return c.linesAbove(offset) }

func (c *context) Fence() (line int, code, open bool) {
	f := c.top()
	if f == nil {
		return 0, false, false
	}
	return f.line, f.code, true
}

func (b *binding) Path() string    { return b.path }
func (b *binding) Direct() bool    { return b.direct }
func (b *binding) Inherited() bool { return b.inherited }
func (b *binding) Offered() bool {
	return slices.ContainsFunc(b.names, func(n Name) bool { return !n.Inherited })
}

// ask shows a line to the watchers that are due. It reports whether the line ends an attempt, which is reported.
func (s *scanner) ask(when attempt.When, l *attempt.Line) bool {
	return s.found(s.watch.Ask(when, l), l.At)
}

// found reports an attempt that ends in the line at, if there is one.
func (s *scanner) found(f *attempt.Finding, at fsm.Pos) bool {
	if f == nil {
		return false
	}
	if f.Doubtful {
		s.out.uses.put(prose, at.Line, at.Line)
		if !s.out.ignoreNextCloser { // else it is a part of what was refused
			it := likeEdit([2]int{f.Line, f.Last}, f.File, f.Found)
			it.Noticed.old, it.Noticed.new = f.Old, f.New
			if f.Named != "" {
				it.Noticed.Path = f.Named
			}
			s.out.emit(it)
		}
		return true
	}
	d := diagnosticOf(&f.Fault)
	d.Remedy = s.out.remedy(d.Remedy, f.Dialect)
	s.out.uses.put(diagnosed, at.Line, at.Line)
	s.out.refuse(d, d.Line, d.Line)
	if b, ok := f.File.(*binding); ok {
		s.ctx.inherit(b.path, b.names, b.inherited)
	}
	return true
}

// likeAnEdit is the code of what is noticed of it.
const likeAnEdit = "like-an-edit"

// likeEdit is what may have been meant as an edit, in a form that is not understood.
func likeEdit(lines [2]int, file attempt.File, what string) item {
	n := &Noticed{Code: likeAnEdit, Lines: lines, What: what}
	if file != nil && file.Direct() {
		n.Path = file.Path()
	}
	return item{Noticed: n}
}
