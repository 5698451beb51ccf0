package parser

import (
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// strayCloser reports a line that ends an envelope which was never begun. What is above it was perhaps meant as
// an edit and was read as prose.
type strayCloser struct {
	format, expected string
	diag             Diagnostic
}

func (e *strayCloser) line(raw []byte, number int) bool {
	e.diag = Diagnostic{Code: "unexpected-closer", Line: number, Found: mdline.Excerpt(raw), Expected: e.expected,
		Remedy: "send the whole " + e.format + " edit again, with its first line"}
	return true
}

func (e *strayCloser) finish() ([]Block, []Diagnostic) { return nil, []Diagnostic{e.diag} }

func (e *strayCloser) unread() int { return 0 }
