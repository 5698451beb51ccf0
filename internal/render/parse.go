package render

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Understood lists what a reply was understood as: one line a block and one for each block of shell commands. Verbose
// shows both sides of every block.
func Understood(p Printer, blocks iter.Seq[parser.Block], shells []parser.Shell, detail Detail) {
	if detail < Normal {
		return
	}
	for b := range blocks {
		p.understood(&b, detail)
	}
	for _, s := range shells {
		p.line("shell commands, lines ", span(s.Lines), p.paint(dim, "  never run"))
	}
}

func (p Printer) understood(b *parser.Block, detail Detail) {
	path := Clean(b.Path)
	if path == "" {
		path = p.paint(yellow, "(no file)")
	}
	if b.NewPath != "" {
		path += " → " + Clean(b.NewPath)
	}
	notes := []string{"lines " + span(b.Lines), Clean(b.Dialect), fmt.Sprintf("-%d +%d", len(lines(b.Search)), len(lines(b.Replace)))}
	if b.StartLine > 0 {
		notes = append(notes, fmt.Sprintf("at line %d", b.StartLine))
	}
	if b.ReplaceAll {
		notes = append(notes, "every occurrence")
	}
	if n := len(b.Readings); n > 1 {
		notes = append(notes, fmt.Sprintf("%d readings", n))
	}
	p.line(fmt.Sprint(b.ID), "  ", string(b.Op), "  ", p.paint(bold, path), "  ", p.paint(dim, strings.Join(notes, ", ")))
	p.warnings(b.Warnings)
	if detail >= Verbose {
		p.side("- ", red, b.Search)
		p.side("+ ", green, b.Replace)
	}
}

func (p Printer) side(mark string, st style, text []byte) {
	for line := range bytes.Lines(text) {
		p.line("     ", p.paint(st, mark+Clean(strings.ReplaceAll(string(bytes.TrimSuffix(line, []byte("\n"))), "\t", "    "))))
	}
}
