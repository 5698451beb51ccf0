package parser

import (
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// EnvelopeFormats lists the names of the foreign formats that are understood along with the marker dialects, as
// Block.Dialect has them.
func EnvelopeFormats() []string { return envelope.Formats() }

// inner reads the marker blocks that some envelopes have inside.
type inner struct{}

func (inner) Read(text []byte, firstLine int) ([]envelope.Block, []envelope.Fault) {
	found, diags := parseBlocks(text, firstLine)
	var blocks []envelope.Block
	for i := range found {
		blocks = append(blocks, envelopeOf(&found[i]))
	}
	var faults []envelope.Fault
	for _, d := range diags {
		faults = append(faults, envelope.Fault{Code: d.Code, Line: d.Line, Found: d.Found, Expected: d.Expected, Remedy: d.Remedy})
	}
	return blocks, faults
}

// blockOf makes a block of what an envelope gave.
func blockOf(b *envelope.Block) Block {
	block := Block{Op: Op(b.Op), Path: b.Path, RawPath: b.RawPath, NewPath: b.NewPath, Dialect: b.Dialect, Lines: b.Lines,
		Search: b.Search, Replace: b.Replace, StartLine: b.StartLine, EndLine: b.EndLine, Scope: b.Scope, AtEOF: b.AtEOF,
		ReplaceAll: b.ReplaceAll, Expected: b.Expected, Substring: b.Substring, Exact: b.Exact, Warnings: b.Warnings}
	if b.Other != "" {
		block.Names = []Name{{Text: b.Other}}
	}
	for _, r := range b.Readings {
		block.Readings = append(block.Readings, Reading(r))
	}
	return block
}

// envelopeOf is the inverse of blockOf, for what envelopes know of.
func envelopeOf(b *Block) envelope.Block {
	block := envelope.Block{Op: envelope.Op(b.Op), Path: b.Path, RawPath: b.RawPath, NewPath: b.NewPath, Dialect: b.Dialect, Lines: b.Lines,
		Search: b.Search, Replace: b.Replace, StartLine: b.StartLine, EndLine: b.EndLine, Scope: b.Scope, AtEOF: b.AtEOF,
		ReplaceAll: b.ReplaceAll, Expected: b.Expected, Substring: b.Substring, Exact: b.Exact, Warnings: b.Warnings}
	for _, r := range b.Readings {
		block.Readings = append(block.Readings, envelope.Reading(r))
	}
	return block
}

// diagnosticOf makes a diagnostic of what was not understood.
func diagnosticOf(f *envelope.Fault) *Diagnostic {
	return &Diagnostic{Code: f.Code, Line: f.Line, Found: f.Found, Expected: f.Expected, Remedy: f.Remedy}
}

// sameEdit says whether two blocks ask for the same.
func sameEdit(a, b *Block) bool {
	x, y := envelopeOf(a), envelopeOf(b)
	return envelope.Same(&x, &y)
}
