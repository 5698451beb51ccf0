package report

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Understood lists what a reply was understood as: one line a block, and then one for each block of shell commands,
// which rest writes after the last block. Verbose shows both sides of every block.
func Understood(p Printer, blocks iter.Seq[*parser.Block], rest Rest, detail Detail) {
	p = p.in(detail)
	for b := range blocks {
		if detail >= Normal {
			p.understood(b, detail)
		}
	}
	shells, noticed, _ := rest()
	for s := range shells {
		if detail >= Normal {
			p.line("shell commands, ", linesOf(s.Lines), p.paint(dim, "  never run"))
		}
	}
	if detail >= Normal {
		p.noticed(noticed)
	}
}

func (p Printer) understood(b *parser.Block, detail Detail) {
	path, st := Clean(b.Path), bold
	if path == "" {
		path, st = "(no file)", yellow
	}
	if b.NewPath != "" {
		path += " → " + Clean(b.NewPath)
	}
	notes := []string{linesOf(b.Lines), Clean(b.Dialect), fmt.Sprintf("-%d +%d", len(lines(b.Search)), len(lines(b.Replace)))}
	if b.StartLine > 0 {
		notes = append(notes, fmt.Sprintf("at line %d", b.StartLine))
	}
	if b.ReplaceAll {
		notes = append(notes, "every occurrence")
	}
	if n := len(b.Readings); n > 1 {
		notes = append(notes, fmt.Sprintf("%d readings", n))
	}
	lead, said := fmt.Sprint(b.ID, "  ", b.Op, "  "), strings.Join(notes, ", ")
	if room := p.room(); room > 0 {
		path, said = fitted(path, said, room-cells(lead))
	}
	p.line(lead, p.paint(st, path), "  ", p.paint(dim, said))
	p.warnings(b.Warnings)
	if detail >= Verbose {
		p.side("- ", red, b.Search)
		p.side("+ ", green, b.Replace)
	}
}

func (p Printer) side(mark string, st style, text []byte) {
	for line := range bytes.Lines(text) {
		p.line(indent, p.paint(st, mark+cleanTabbed(string(bytes.TrimSuffix(line, []byte("\n"))))))
	}
}
