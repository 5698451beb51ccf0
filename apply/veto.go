package apply

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/parser"
)

// Placement describes the change that a block is about to make to a file, for [Options.Veto].
type Placement struct {
	// Block is the block as it was read, possibly with its text in the file's encoding. Its Op says
	// what kind of change it makes.
	Block *parser.Block
	// Path is the path of the file, slash-separated and relative to the root. NewPath is the path
	// to which the block moves it, or "".
	Path, NewPath string
	// Text is the file's text before the block's change, without a byte order mark. If the block
	// was placed in text that earlier blocks wrote, Text includes their changes. It's nil for a
	// file that the block creates. Edits are the block's changes to that text, in order and without
	// overlaps. For a deleted file, they delete all of the text. Don't modify any of these fields.
	Text  []byte
	Edits []Edit
	// Strategy, Score, Lines, Forgiven and Warnings are as in [BlockReport].
	Strategy string
	Score    float64
	Lines    *[2]int
	Forgiven []string
	Warnings []string
}

// Result returns the file's text after the edits.
func (p *Placement) Result() []byte {
	var out bytes.Buffer
	at := 0
	for _, e := range p.Edits {
		out.Write(p.Text[at:e.Start])
		out.Write(e.Text)
		at = e.End
	}
	out.Write(p.Text[at:])
	return out.Bytes()
}

// refuseVetoed calls the veto with the item's edits to text. If the veto objects, it refuses the
// item and returns true.
func (r *run) refuseVetoed(it *item, text []byte, edits []splice.Edit) bool {
	if r.opt.Veto == nil {
		return false
	}
	p := &Placement{
		Block: it.block, Path: it.file.path, Text: text,
		Strategy: it.report.Strategy, Score: it.report.Score, Lines: it.report.Lines,
		Forgiven: it.report.Forgiven, Warnings: it.report.Warnings,
	}
	for _, e := range edits {
		p.Edits = append(p.Edits, Edit(e))
	}
	slices.SortFunc(p.Edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	if it.block.Op == parser.OpMove {
		p.NewPath, _ = r.newPath(it)
	}
	err := r.opt.Veto(p)
	if err == nil {
		return false
	}
	it.failFor(err, Vetoed)
	return true
}
