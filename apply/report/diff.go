package report

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Diff writes a unified diff for people: cleaned, and where p has colour with that, and with the words marked that differ within
// changed lines. A diff that a program is to read goes to it as it is.
func Diff(p Printer, unified []byte) {
	var removed, added []string
	note := "" // on the last line that goes
	flush := func() {
		p.changed(removed, added, note)
		removed, added, note = removed[:0], added[:0], ""
	}
	left := 0 // of the lines of the hunk, on both sides
	for line := range bytes.Lines(unified) {
		text := cleanTabbed(string(bytes.TrimSuffix(line, []byte("\n"))))
		switch {
		case strings.HasPrefix(text, `\`) && len(removed) > 0 && len(added) == 0:
			note = text // what comes in the line's place follows
		case strings.HasPrefix(text, "@@"):
			flush()
			left = hunkLines(text)
			p.line(p.paint(cyan, text))
		case left > 0 && strings.HasPrefix(text, "-"):
			left--
			if len(added) > 0 {
				flush()
			}
			removed = append(removed, text[1:])
		case left > 0 && strings.HasPrefix(text, "+"):
			left--
			added = append(added, text[1:])
		case left > 0 && !strings.HasPrefix(text, `\`):
			left -= 2
			flush()
			p.line(text)
		default:
			flush()
			st := plain
			if strings.HasPrefix(text, "diff ") || strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "+++ ") {
				st = bold
			}
			p.line(p.paint(st, text))
		}
	}
	flush()
}

// hunkLines is how many lines a hunk has by its head, those before and those after.
func hunkLines(head string) (n int) {
	fields := strings.Fields(head)
	for _, side := range fields[min(1, len(fields)):min(3, len(fields))] {
		_, count, several := strings.Cut(side, ",")
		if k, err := strconv.Atoi(count); several && err == nil {
			n += k
		} else if !several {
			n++
		}
	}
	return n
}

// changed writes lines that go, with the note on the last of them, and those that come in their place.
func (p Printer) changed(removed, added []string, note string) {
	gone, came := make([][][2]int, len(removed)), make([][][2]int, len(added))
	if p.Color {
		gone, came = changedWords(removed, added)
	}
	for i, line := range removed {
		p.line(p.marked(red, "-", line, gone[i]))
	}
	if note != "" {
		p.line(note)
	}
	for i, line := range added {
		p.line(p.marked(green, "+", line, came[i]))
	}
}

// marked is a line of a diff in its colour, with ranges of its bytes in reverse.
func (p Printer) marked(st style, sign, line string, ranges [][2]int) string {
	out, at := p.paint(st, sign), 0
	for _, r := range ranges {
		out += p.paint(st, line[at:r[0]]) + p.paint(st+reversed, line[r[0]:r[1]])
		at = r[1]
	}
	if at == 0 {
		return p.paint(st, sign+line)
	}
	return out + p.paint(st, line[at:])
}

// Sides writes both sides of a block, for people, where there is no diff to show.
func Sides(p Printer, b *parser.Block) {
	p.side("- ", red, b.Search)
	p.side("+ ", green, b.Replace)
}
