package report

import (
	"io"
	"strings"
)

// Printer is where text goes, and what may be done for the eye. Write errors are the writer's own: a report that cannot be
// written is not worth more errors.
type Printer struct {
	W     io.Writer
	Color bool
	// Columns is how wide the terminal is; 0 where text does not go to one, and is neither cut nor wrapped.
	Columns int

	// whole: nothing is cut off, however wide it is.
	whole bool
}

// in is the printer for so much detail.
func (p Printer) in(detail Detail) Printer {
	p.whole = p.whole || detail >= Verbose
	return p
}

// room is how many columns a line may take; 0 where it is not to be cut.
func (p Printer) room() int {
	if p.whole {
		return 0
	}
	return p.Columns
}

// code writes a line of a file or of a block behind a lead without colours. It is there to be read, so that it loses its middle where the terminal
// ends; what is to be pasted is written by [Printer.quote].
func (p Printer) code(lead string, st style, text string) {
	p.line(lead, p.paint(st, p.fit(text, cells(lead))))
}

// fit is a line of code as far as there is room for it behind so many columns. A tab takes as many as a terminal gives it.
func (p Printer) fit(text string, used int) string {
	room := p.room()
	if room == 0 {
		return text
	}
	return evenCut(untabbed(text, used, room-used), max(room-used, minCode))
}

// minCode is how many columns of code are shown on the narrowest terminal.
const minCode = 10

// style is a terminal attribute.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"

	// reversed goes behind a colour.
	reversed style = ";7"
)

// paint gives s the attribute, where colour is wanted.
func (p Printer) paint(st style, s string) string {
	if !p.Color || st == plain || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// line writes the parts as one line.
func (p Printer) line(parts ...string) {
	io.WriteString(p.W, strings.Join(parts, "")+"\n")
}

// indent is the margin of what is said below a block's line.
const indent = "     "

// note writes "label text" below a block's line.
func (p Printer) note(st style, label, text string) { p.paragraph(indent, st, label, text) }

// paragraph writes "label text", and goes on in the next line, indented, where the terminal ends.
func (p Printer) paragraph(margin string, st style, label, text string) {
	p.wrapped(margin+p.paint(st, label)+" ", cells(label)+1, text)
}

// wrapped writes a text behind a lead that takes so many columns, its margin not counted, and goes on in the next line, indented, where
// the terminal ends.
func (p Printer) wrapped(lead string, used int, text string) {
	rows := []string{text}
	if p.Columns > 0 {
		rows = wrapped(text, max(p.Columns-len(indent), 20), used)
	}
	p.line(lead, rows[0])
	for _, row := range rows[1:] {
		p.line(indent, row)
	}
}
