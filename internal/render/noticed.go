package render

import (
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/parser"
)

// noticed writes one line about what may have been meant as edits.
func (p Printer) noticed(list []parser.Noticed) {
	if len(list) == 0 {
		return
	}
	const most = 3
	var parts []string
	for _, n := range list[:min(len(list), most)] {
		part := fmt.Sprintf("lines %d-%d: %s", n.Lines[0], n.Lines[1], n.What)
		if n.Path != "" {
			part += " (" + Clean(n.Path) + ")"
		}
		parts = append(parts, part)
	}
	if more := len(list) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	p.paragraph("", plain, "noticed, and nothing done with it:", strings.Join(parts, "; "))
}
