package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/parser"
)

// settleEmptySearch handles a block whose SEARCH is empty or begins with a line that looks like the
// divider. If the file has the lines of SEARCH, the block edits them. Otherwise it can only create
// the file.
func (f *file) settleEmptySearch(it *item) {
	if f.run.opt.reference() || it.block.Op != parser.OpCreate || len(it.block.Readings) < 2 {
		return
	}
	text := f.snapshot.doc.Text()
	edits := slices.DeleteFunc(slices.Clone(it.block.Readings),
		func(r parser.Reading) bool { return len(r.Search) == 0 })
	if !slices.ContainsFunc(edits, func(r parser.Reading) bool {
		return bytes.HasPrefix(text, r.Search) || bytes.Contains(text, slices.Concat([]byte("\n"), r.Search))
	}) {
		return
	}
	b := *it.block
	b.Op, b.Readings, b.Search, b.Replace = parser.OpEdit, edits, edits[0].Search, edits[0].Replace
	it.block, it.report.Block = &b, &b
}
