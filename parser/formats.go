package parser

import (
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// EnvelopeFormats returns the names of the formats of other tools that are read in addition to the
// marker dialects, as in Block.Dialect.
func EnvelopeFormats() []string { return envelope.Formats() }

// inner reads the marker blocks inside envelopes.
type inner struct{}

// Read reads the marker blocks in a text whose first line has the number firstLine in the reply.
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

// diagnosticOf converts a fault into a diagnostic.
func diagnosticOf(f *envelope.Fault) *Diagnostic {
	return &Diagnostic{Code: f.Code, Line: f.Line, Found: f.Found, Expected: f.Expected, Remedy: f.Remedy}
}
