package apply

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// propose adds to the diagnostic of a block without a divider where the divider may belong: after the lines that occur in
// the file. It is a proposal only; such a block is never applied.
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
		n := r.splitAfter(a)
		if n == 0 {
			continue
		}
		remedy, example, _ := strings.Cut(d.Remedy, ":\n")
		d.Remedy = fmt.Sprintf("%s; the first %d lines occur in the file, so the divider may belong after line %d", remedy, n, a.Lines[0]+n)
		if example != "" {
			d.Remedy += ":\n" + example
		}
	}
	return out
}

// splitAfter counts the lines from the beginning of the attempt's body that occur in a row in its file, at one place. It is 0 if
// that shows nothing.
func (r *run) splitAfter(a *parser.Attempt) int {
	name := r.name(&parser.Block{Path: a.Path, Names: a.Names, Inherited: a.Inherited}).name
	if name == "" {
		name = r.opt.Single
	}
	p, err := r.inTree(name)
	if err != nil {
		return 0
	}
	f := r.file(p)
	if !f.exists || f.unreadable != nil {
		return 0
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
		best = max(best, n)
		if places++; places == maxPlacements {
			break
		}
	}
	if best == body.Len() {
		return 0
	}
	return best
}
