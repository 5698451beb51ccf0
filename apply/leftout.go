package apply

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/strategy"
)

// refuseLeftOut refuses the item and returns true if its block leaves lines out. v is a reading of
// the block, and a pairs its lines with those of doc.
func (f *file) refuseLeftOut(it *item, v *reading.Reading, doc *strategy.Document, a align.Alignment) bool {
	if f.run.opt.AllowPlaceholders {
		return false
	}
	o := f.snapshot.remarks.Find(doc, v, a)
	if o != nil {
		it.fail(Placeholder, o.String())
	}
	return o != nil
}

// alongDiagonal pairs the lines of search with the lines of doc from first on, even if they differ.
func alongDiagonal(doc *strategy.Document, search *strategy.Pattern, first int) align.Alignment {
	out := make(align.Alignment, search.Len())
	for i := range out {
		out[i] = align.Pair{Search: i, File: -1, Relation: align.Missing}
		if first+i < doc.Len() {
			out[i] = align.Pair{Search: i, File: first + i, Relation: align.Similar}
		}
	}
	return out
}

// insertedAt returns an alignment that says only that something is inserted before line n of doc.
func insertedAt(n int, doc *strategy.Document) align.Alignment {
	if n == doc.Len() {
		return nil
	}
	return align.Alignment{{Search: -1, File: n, Relation: align.Extra}}
}
