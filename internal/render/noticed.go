package render

import (
	"fmt"
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

// noticed writes one line about what may have been meant as edits.
func (p Printer) noticed(list []parser.Noticed) {
	if len(list) > 0 {
		p.paragraph("", plain, "ignored:", Ignored(list))
	}
}
