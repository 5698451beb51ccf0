package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// Ignored lists what may have been meant as edits, the first ones in words.
func Ignored(list []parser.Noticed) string {
	const most = 3
	var parts []string
	for _, n := range list[:min(len(list), most)] {
		part := linesOf(n.Lines) + ": " + n.What
		if n.Path != "" {
			part += " (" + Clean(n.Path) + ")"
		}
		parts = append(parts, part)
	}
	if more := len(list) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, "; ")
}

// mayBeMeant reports whether something may be an edit that was to be made: not one that is quoted,
// or that was not asked for.
func mayBeMeant(n parser.Noticed) bool {
	return !slices.Contains([]string{"quoted-edit", "other-format"}, n.Code)
}

// noticed says what may have been meant as edits, and how to get one that was.
func (p Printer) noticed(list []parser.Noticed) {
	if len(list) == 0 {
		return
	}
	p.paragraph("", plain, "ignored:", Ignored(list))
	if slices.ContainsFunc(list, mayBeMeant) {
		p.paragraph("", yellow, "warning:", "srpatch did not read this as an edit; "+
			"if it is one, ask the model to send it as a block (srpatch prompt tells it how)")
	}
}
