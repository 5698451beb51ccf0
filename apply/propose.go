package apply

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// propose adds to the diagnostic of a block without a divider where the divider may belong: behind the lines that stand in
// the file. It is a proposal only; such a block is never applied.
func (r *run) propose(diagnostics []parser.Diagnostic, attempts []parser.Attempt) []parser.Diagnostic {
	out := append([]parser.Diagnostic(nil), diagnostics...)
	for _, a := range attempts {
		if len(a.Body) == 0 {
			continue
		}
		n := r.splitAfter(a)
		if n == 0 {
			continue
		}
		for i := range out {
			if out[i].Code == a.Code && out[i].Line == a.Line {
				remedy, example, _ := strings.Cut(out[i].Remedy, ":\n")
				out[i].Remedy = fmt.Sprintf("%s; the first %d lines stand in the file, so the divider may belong behind line %d",
					remedy, n, a.Lines[0]+n)
				if example != "" {
					out[i].Remedy += ":\n" + example
				}
			}
		}
	}
	return out
}

// splitAfter is how many lines from the beginning of the attempt's body stand together in its file, at one place; 0 if that
// tells nothing.
func (r *run) splitAfter(a parser.Attempt) int {
	name := r.name(&parser.Block{Path: a.Path, Names: a.Names, Sticky: a.Sticky}).name
	if name == "" {
		name = r.opt.Single
	}
	p, err := r.clean(name)
	if err != nil {
		return 0
	}
	f := r.file(p)
	if !f.exists || f.unreadable != nil {
		return 0
	}
	doc, body := strategy.NewDocument(f.before), strategy.NewDocument(a.Body)
	best := 0
	for first := range doc.Len() {
		n := 0
		for n < body.Len() && first+n < doc.Len() && bytes.Equal(body.Line(n), doc.Line(first+n)) {
			n++
		}
		best = max(best, n)
	}
	if best == body.Len() {
		return 0
	}
	return best
}
