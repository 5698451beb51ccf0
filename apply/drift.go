package apply

import (
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/align"
)

// driftNote says what SEARCH and a similar place do not share; "" where that is nothing.
func (p *placement) driftNote() string {
	if p.tier != tierSimilar || p.inside != nil {
		return ""
	}
	var differ, lacked []int
	missing := 0
	for _, q := range p.alignment {
		switch q.Relation {
		case align.Similar:
			differ = append(differ, q.File+1)
		case align.Extra:
			lacked = append(lacked, q.File+1)
		case align.Missing:
			missing++
		}
	}
	var says []string
	if len(differ) > 0 {
		says = append(says, "differs in "+lineNumbers(differ))
	}
	if len(lacked) > 0 {
		says = append(says, "lacks "+lineNumbers(lacked))
	}
	if missing > 0 {
		says = append(says, fmt.Sprintf("has %d that the file lacks", missing))
	}
	if len(says) == 0 {
		return ""
	}
	return "drift: SEARCH " + strings.Join(says, ", ")
}

// lineNumbers names the first of some lines of the file, and counts the others.
func lineNumbers(lines []int) string {
	const most = 5
	if len(lines) == 1 {
		return fmt.Sprintf("line %d", lines[0])
	}
	if more := len(lines) - most; more > 0 {
		return fmt.Sprintf("lines %s and %d more", listed(lines[:most]), more)
	}
	return "lines " + listed(lines)
}
