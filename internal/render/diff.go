package render

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Diff writes a unified diff for people: cleaned, and in colour where p has it. A diff that a program is to read goes to
// it as it is.
func Diff(p Printer, unified []byte) {
	for line := range bytes.Lines(unified) {
		text := cleanTabbed(string(bytes.TrimSuffix(line, []byte("\n"))))
		st := plain
		switch {
		case strings.HasPrefix(text, "diff "), strings.HasPrefix(text, "--- "), strings.HasPrefix(text, "+++ "):
			st = bold
		case strings.HasPrefix(text, "@@"):
			st = cyan
		case strings.HasPrefix(text, "-"):
			st = red
		case strings.HasPrefix(text, "+"):
			st = green
		}
		p.line(p.paint(st, text))
	}
}

// Sides writes both sides of a block, for people, where there is no diff to show.
func Sides(p Printer, b *parser.Block) {
	p.side("- ", red, b.Search)
	p.side("+ ", green, b.Replace)
}
