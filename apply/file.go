package apply

import (
	"bytes"
	"context"
	"slices"

	"github.com/srpatch/srpatch/internal/charset"
	"github.com/srpatch/srpatch/internal/unified"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// file is a file of the run: its original text, and the text as changed by blocks.
type file struct {
	run    *run
	path   string
	exists bool
	raw    []byte // the file's bytes
	sum    []byte // their SHA-256, once it was needed
	before []byte // their text in UTF-8
	items  []*item
	alike  map[string][]*item // by SEARCH, see alternative.go
	// unreadable is the reason why the file can't be used.
	unreadable error

	charset *charset.Charset // nil if it is UTF-8 or unknown
	foreign bool             // it is not UTF-8, and its encoding is unknown

	text     []byte         // before without a byte order mark
	snapshot *locator       // searches text
	latest   *locator       // searches current, see onCurrent
	spans    []unified.Span // what the placed blocks changed; nil once a block builds on another
	owners   []*item        // the block that each span belongs to
	current  []byte
	present  bool // exists at this point of the run
	created  bool // by a block of this reply
	movedTo  string
}

// bom is the byte order mark of UTF-8.
var bom = []byte("\ufeff")

// search finds places that need no comparison by similarity, in the original text, for the file's
// blocks. The error of this method and the following ones is the error of a context that has ended.
func (f *file) search(ctx context.Context) error {
	f.text = f.before
	if !f.run.opt.reference() {
		f.text = bytes.TrimPrefix(f.before, bom) // the first line matches with and without it
	}
	f.current, f.present = f.text, f.exists
	f.snapshot = f.run.newLocator(strategy.NewDocument(f.text), f.path)
	if w, ok := f.run.engine.tree.(Witness); ok {
		f.snapshot.wasAmbiguous = func(search []byte) bool { return w.WasAmbiguous(f.path, search) }
	}
	f.snapshot.doc.Expect(len(f.items))
	f.consultLog()
	f.rewrites()
	for _, it := range f.items {
		f.mend(it)
		f.settleEmptySearch(it)
	}
	return f.eachOnSnapshot(ctx, func(it *item) { f.locate(it, f.snapshot) })
}

// eachOnSnapshot calls do for each block that is placed in the original file and isn't settled yet.
// The error is that of a context that has ended.
func (f *file) eachOnSnapshot(ctx context.Context, do func(*item)) error {
	for _, it := range f.items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.exists && !f.run.opt.reference() && !it.settled && onSnapshot(it.block.Op) {
			do(it)
		}
	}
	return nil
}

// place finds the remaining places and applies the placed blocks.
//
// Blocks are first located in the original text, so their order in the reply doesn't matter. A
// block that isn't found there, or that collides with an earlier one, is tried on the text as
// changed so far.
func (f *file) place(ctx context.Context) error {
	if err := f.eachOnSnapshot(ctx, func(it *item) { f.locateSimilar(it, f.snapshot) }); err != nil {
		return err
	}
	if f.exists && !f.run.opt.reference() {
		f.choice().choose()
		f.merge()
	}
	for _, it := range f.items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !it.settled {
			f.sequential(it)
		}
	}
	return nil
}

// consultLog asks the tree about earlier runs of the same reply, because some blocks, such as
// deletions, leave no trace in the text. Blocks that such a run applied to the file as it is now
// are settled. The others are judged by the text alone.
func (f *file) consultLog() {
	applied := f.run.remembered(f.path)
	if applied == nil {
		return
	}
	for _, it := range f.items {
		if applied(it.block) {
			it.already()
			f.created = f.created || it.block.Op == parser.OpCreate
		}
	}
}

// remembered returns a function that reports whether an earlier run of the same reply applied a
// block to the file at path. It returns nil if nothing is known about earlier runs.
func (r *run) remembered(path string) func(*parser.Block) bool {
	if log, ok := r.engine.tree.(Recorder); ok {
		return log.Applied(path)
	}
	return nil
}

// onSnapshot reports whether blocks with this operation are placed in the original file.
func onSnapshot(op parser.Op) bool { return op == parser.OpEdit || op == parser.OpInsert }

// changed returns the change that the run makes to the file. ok is false if there is none.
func (f *file) changed() (FileChange, bool) {
	after, spans := f.current, f.spans
	// The blocks saw the text without its byte order mark.
	if mark := len(f.before) - len(f.text); mark > 0 {
		after = slices.Concat(bom, after)
		spans = slices.Clone(spans)
		for i := range spans {
			s := spans[i]
			spans[i] = unified.Span{BeforeStart: s.BeforeStart + mark, BeforeEnd: s.BeforeEnd + mark,
				AfterStart: s.AfterStart + mark, AfterEnd: s.AfterEnd + mark}
		}
	}
	c := FileChange{Path: f.path, Before: f.raw, After: after, spans: spans, Action: Modify}
	switch {
	case !f.exists && !f.present:
		return c, false
	case !f.exists:
		c.Action, c.Before, c.spans = Create, nil, nil
		if c.After == nil {
			c.After = []byte{}
		}
	case !f.present:
		c.Action, c.After, c.spans = Delete, nil, nil
	case f.movedTo != "":
		c.Action, c.From, c.Path = Move, f.path, f.movedTo
	case bytes.Equal(f.before, after):
		return c, false
	}
	return f.encoding().encoded(c), true
}
