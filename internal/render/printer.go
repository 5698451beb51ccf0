package render

import (
	"io"
	"strings"
)

// Printer is where text goes, and whether it may have colour. Write errors are the writer's own: a report that cannot be
// written is not worth more errors.
type Printer struct {
	W     io.Writer
	Color bool
}

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
