package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Understood lists the blocks of a reply, one per line, its shell commands, and what was ignored.
// Verbose shows both sides of every block. Quiet and Brief write nothing.
func Understood(p Printer, reply *parser.Reply, detail Detail) {
	if detail < Normal {
		return
	}
	for i := range reply.Blocks {
		b := &reply.Blocks[i]
		path := cmp.Or(Clean(b.Path), "(no file)")
		if b.NewPath != "" {
			path += " → " + Clean(b.NewPath)
		}
		notes := fmt.Sprintf("%s, %s, -%d +%d",
			linesOf(b.Lines), Clean(b.Dialect), len(lines(b.Search)), len(lines(b.Replace)))
		p.line(fmt.Sprint(b.ID, "  ", b.Op, "  "), p.paint(bold, path), "  ", p.paint(dim, notes))
		p.warnings(b.Warnings)
		if detail >= Verbose {
			Sides(p, b)
		}
	}
	for _, s := range reply.Shell {
		p.line("shell commands, ", linesOf(s.Lines), p.paint(dim, "  never run"))
	}
	p.noticed(reply.Noticed)
}

// Sides writes both sides of a block.
func Sides(p Printer, b *parser.Block) {
	side := func(mark string, st style, text []byte) {
		for line := range strings.Lines(string(text)) {
			p.line(indent, p.paint(st, mark+cleanTabbed(strings.TrimSuffix(line, "\n"))))
		}
	}
	side("- ", red, b.Search)
	side("+ ", green, b.Replace)
}

// Diff writes a unified diff for people: cleaned and in colour. Programs get the diff as it is.
func Diff(p Printer, unified []byte) {
	styles := map[byte]style{'d': bold, '@': cyan, '-': red, '+': green} // by the first character
	for line := range strings.Lines(string(unified)) {
		p.line(p.paint(styles[line[0]], cleanTabbed(strings.TrimSuffix(line, "\n"))))
	}
}

// Stat lists the files that change, and how many lines each gains and loses.
func Stat(p Printer, files []apply.FileChange) {
	for i := range files {
		f := &files[i]
		name := Clean(f.Path)
		if f.From != "" && f.From != f.Path {
			name = Clean(f.From) + " => " + name
		}
		name += map[apply.Action]string{apply.Create: " (new)", apply.Delete: " (deleted)"}[f.Action]
		added, removed := f.Count()
		p.line(" ", name, " | ",
			p.paint(green, fmt.Sprint("+", added)), " ", p.paint(red, fmt.Sprint("-", removed)))
	}
}
