package parser

import (
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// EnvelopeFormats lists the names of the foreign formats that are understood along with the marker
// dialects, as Block.Dialect has them.
func EnvelopeFormats() []string { return envelope.Formats() }

// inner reads the marker blocks that some envelopes have inside.
type inner struct{}

func (inner) Read(text []byte, firstLine int) ([]Block, []envelope.Fault) {
	blocks, diags := parseBlocks(text, firstLine)
	var faults []envelope.Fault
	for _, d := range diags {
		faults = append(faults, envelope.Fault{
			Code: d.Code, Line: d.Line, Found: d.Found, Expected: d.Expected, Remedy: d.Remedy,
		})
	}
	return blocks, faults
}

// diagnosticOf makes a diagnostic of what was not understood.
func diagnosticOf(f *envelope.Fault) *Diagnostic {
	return &Diagnostic{Code: f.Code, Line: f.Line, Found: f.Found, Expected: f.Expected, Remedy: f.Remedy}
}
