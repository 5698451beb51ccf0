package envelope

import (
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// stray reports a line that ends an envelope which was never begun. What is above it was perhaps
// meant as an edit and was read as prose.
type stray struct {
	format, expected string
	diag             Fault
}

func (e *stray) Line(raw []byte, number int) bool {
	e.diag = Fault{Code: diagnosis.UnexpectedCloser, Line: number, Found: mdline.Excerpt(raw), Expected: e.expected,
		Remedy: "send the whole " + e.format + " edit again, with its first line"}
	return true
}

func (e *stray) Finish() ([]Block, []Fault) { return nil, []Fault{e.diag} }

func (e *stray) Unread() int { return 0 }
