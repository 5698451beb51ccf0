package apply

import "github.com/srpatch/srpatch/internal/unified"

// Span is a changed region of a file.
type Span = unified.Span

// Spans returns the changed regions that the plan recorded for a change.
func Spans(c *FileChange) *[]Span { return &c.spans }
