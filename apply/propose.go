package apply

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// propose adds to the diagnostic of a block without a divider where the divider may belong: after the lines that occur in
// the file, and the block with the divider there, if that has a place. It is a proposal only; such a block is never applied.
func (r *run) propose(diagnostics []parser.Diagnostic, attempts []parser.Attempt) []parser.Diagnostic {
	type place struct {
		code string
		line int
	}
	attempted := make(map[place]*parser.Attempt, len(attempts))
	for i, a := range attempts {
		if len(a.Body) > 0 {
			attempted[place{a.Code, a.Line}] = &attempts[i]
		}
	}
	out := slices.Clone(diagnostics)
	for i := range out {
		d := &out[i]
		a := attempted[place{d.Code, d.Line}]
		if a == nil {
			continue
		}
		f, n, first := r.splitAfter(a)
		if n == 0 {
			continue
		}
		remedy, example, _ := strings.Cut(d.Remedy, ":\n")
		occur := "the first line occurs"
		if n > 1 {
			occur = fmt.Sprintf("the first %d lines occur", n)
		}
		d.Remedy = fmt.Sprintf("%s; %s in the file, so the divider may belong after line %d", remedy, occur, a.Lines[0]+n)
		if divided := f.divided(a.Body, n, first); divided != "" {
			example = strings.TrimRight(divided, "\n")
		}
		if example != "" {
			d.Remedy += ":\n" + example
		}
	}
	return out
}

// divided is the block of the first n lines of a body and of the others, if it makes these of the file's lines from first on; "" if a reader
// would make anything else of it.
func (f *file) divided(body []byte, n, first int) string {
	search := strategy.NewPattern(body, 0).Slice(0, n).Text()
	replace := body[len(search):]
	l := f.run.newLocator(f.lines, f.path)
	proof := scanCost * int64(l.doc.Len())
	if l.work.reports < proof {
		return ""
	}
	l.work.reports -= proof
	after, _ := applyEdits(f.lines.Text(), splice.Paste(f.lines, reading.New(search, replace, 0), first, first+n))
	return l.advice().proved(f.path, search, replace, after, Strict)
}

// splitAfter counts the lines from the beginning of the attempt's body that occur in a row in its file, and says at which line. There are 0 if
// that shows nothing.
func (r *run) splitAfter(a *parser.Attempt) (f *file, n, at int) {
	name := r.namer().name(&parser.Block{Path: a.Path, Names: a.Names, Inherited: a.Inherited}).name
	if name == "" {
		name = r.opt.Single
	}
	p, err := r.inTree(name)
	if err != nil {
		return nil, 0, 0
	}
	f = r.file(p)
	if !f.exists || f.unreadable != nil {
		return nil, 0, 0
	}
	if f.lines == nil {
		f.lines = strategy.NewDocument(f.before)
	}
	body := strategy.NewPattern(a.Body, 0)
	best, places := 0, 0
	for first := range strategy.ExactWindows(f.lines, body.Slice(0, 1)) {
		n := 1
		for n < body.Len() && first+n < f.lines.Len() && bytes.Equal(body.Line(n), f.lines.Line(first+n)) {
			n++
		}
		if n > best {
			best, at = n, first
		}
		if places++; places == maxPlacements {
			break
		}
	}
	if best == body.Len() {
		return nil, 0, 0
	}
	return f, best, at
}
