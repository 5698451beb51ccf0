package apply

import "github.com/srpatch/srpatch/internal/unified"

// Span is a changed region of a file.
type Span = unified.Span

// Spans are what the plan knows of the regions that a change makes others.
func Spans(c *FileChange) *[]Span { return &c.spans }
