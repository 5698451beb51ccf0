package report

import (
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
)

// example is shown once in a report, below the first diagnostic, where that has none of its own: what a block looks like
// when it is right.
const example = `path/to/file.py
<<<<<<< SEARCH
lines as they are in the file
=======
lines that replace them
>>>>>>> REPLACE`

// maxAlike is how many diagnostics of one code a report shows, and how many in all the message to a model does.
const maxAlike = 20

// diagnostics writes the attempted edits that were not understood: of many of one kind the first ones, and how many more
// there are.
func (p Printer) diagnostics(list []Located, detail Detail) {
	seen := map[string]int{}
	var codes []string
	for i := range list {
		code := list[i].Code
		if seen[code]++; seen[code] <= maxAlike || detail >= Verbose {
			p.diagnostic(&list[i], i == 0)
		} else if seen[code] == maxAlike+1 {
			codes = append(codes, code)
		}
	}
	for _, code := range codes {
		p.line(p.paint(red, "✗"), fmt.Sprintf(" and %d more: ", seen[code]-maxAlike), p.paint(bold, Clean(code)), " (--json lists all)")
	}
}

// diagnostic writes one attempted edit that was not understood, and the example below the first.
func (p Printer) diagnostic(d *Located, first bool) {
	name := Clean(d.Reply)
	if name == "" {
		name = "reply"
	}
	p.line(p.paint(red, "✗"), " ", name, ":", fmt.Sprint(d.Line), ": ", p.paint(bold, Clean(d.Code)))
	p.field("found", Clean(clip(d.Found, 160)))
	p.field("expected", Clean(d.Expected))
	remedy, shown, ok := strings.Cut(d.Remedy, ":\n")
	p.field("to fix", Clean(remedy))
	if !first && !ok || d.Code == diagnosis.AmbiguousTurn || d.Code == diagnosis.ChatLog {
		return
	}
	if !ok {
		shown = example
	}
	// Indented, so that no line of it is where a report line begins.
	p.line("     a correct block:")
	for line := range strings.SplitSeq(shown, "\n") {
		p.line("       ", Clean(line))
	}
}

// field writes an indented "name: value" line below a block's line, unless there is nothing to say.
func (p Printer) field(name, value string) {
	if value != "" {
		p.note(cyan, name+":", value)
	}
}

// clip shortens s to n runes, and shows that it did.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}
