package vanish

import (
	"slices"

	"github.com/srpatch/srpatch/parser"
)

// Reading is what was read in a reply. Lines are 1-based and inclusive.
type Reading struct {
	Blocks []Block
	// Refused are the lines that diagnostics are about.
	Refused [][2]int
	// Noticed are the lines of text that is listed without being refused.
	Noticed [][2]int
}

// Block is an edit that was read, and where.
type Block struct {
	Edit
	Lines [2]int
	// Names are further files that it may be for, if exactly those exist.
	Names []string
}

// isFor reports whether the block may be for the file at path.
func (b *Block) isFor(path string) bool { return b.Path == path || slices.Contains(b.Names, path) }

// Parse parses a reply.
func Parse(reply string) *Reading {
	r := parser.Parse([]byte(reply))
	var out Reading
	for i := range r.Blocks {
		b := Block{Edit: editOf(&r.Blocks[i]), Lines: r.Blocks[i].Lines}
		for _, n := range r.Blocks[i].Names {
			b.Names = append(b.Names, n.Text)
		}
		out.Blocks = append(out.Blocks, b)
	}
	for _, d := range r.Diagnostics {
		out.Refused = append(out.Refused, [2]int{d.Line, d.Line})
	}
	for _, a := range r.Attempts {
		out.Refused = append(out.Refused, a.Lines)
	}
	for _, n := range r.Noticed {
		out.Noticed = append(out.Noticed, n.Lines)
	}
	for _, s := range r.Shell {
		out.Noticed = append(out.Noticed, s.Lines)
	}
	return &out
}
