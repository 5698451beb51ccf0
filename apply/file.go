package apply

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/charset"
	"github.com/srpatch/srpatch/internal/unified"
	"github.com/srpatch/srpatch/internal/warning"
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

// mend removes from REPLACE what neither SEARCH nor the file has, and what models add out of habit:
// curly quotes around strings, and a diff's signs. It doesn't if the policy is strict or the block
// must be taken literally. Signs are only removed from marker blocks: in calls the text may be part of
// a line, and the lines of diffs have signs already.
func (f *file) mend(it *item) {
	if it.settled || it.block.Op != parser.OpEdit || it.block.Exact ||
		len(it.block.Readings) > 1 || f.run.opt.Policy == Strict || f.run.opt.Splice == Verbatim {
		return
	}
	search := it.block.Search
	it.repair("curly-quotes", reading.Straightened(f.path, search, it.block.Replace))
	if _, markers := fsm.DialectNamed(it.block.Dialect); markers {
		it.repair("diff-signs", reading.NewSide(f.snapshot.doc, f.path, search, it.block.Replace))
	}
}

// repair replaces the item's REPLACE, from which the habit was removed, and warns about it, unless
// there was nothing to remove.
func (it *item) repair(habit string, replace []byte) {
	if bytes.Equal(replace, it.block.Replace) {
		return
	}
	b := *it.block
	b.Replace = replace
	it.block = &b
	it.warn(warning.Repaired.Say("%s", habit))
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
		f.run.step()
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

// readings returns the ways to read the block, starting with the most likely.
func (it *item) readings() []*reading.Reading {
	b, hint := it.block, it.hint
	out := []*reading.Reading{reading.New(bytes.TrimPrefix(b.Search, bom), bytes.TrimPrefix(b.Replace, bom), hint)}
	for i, r := range b.Readings {
		if i == 0 { // the first reading has the block's own sides
			out[0].Divider = r.Divider
			continue
		}
		v := reading.New(bytes.TrimPrefix(r.Search, bom), bytes.TrimPrefix(r.Replace, bom), hint)
		v.Divider = r.Divider
		out = append(out, v)
	}
	for i := range out {
		out[i] = reading.WithoutReplaceGutter(out[i])
	}
	return out
}

// locate searches l's document for the item's block with the cheap levels of the cascade, and
// stores what it finds in the item. The search may stay open; see locateSimilar. A block that
// inserts after a line number isn't searched for, and gets its edit at once.
func (f *file) locate(it *item, l *locator) {
	b := it.block
	it.hint = b.StartLine
	if b.Op == parser.OpEdit && (it.hint < 0 || it.hint > l.doc.Len()) {
		it.warn(warning.IgnoredHint.Say("the line hint %d is ignored: the file ends at line %d", it.hint, l.doc.Len()))
		it.hint = 0
	}
	if b.Op == parser.OpInsert {
		f.insertAt(it, l.doc)
		return
	}
	if len(b.Readings) > 1 {
		it.settleEscapes(l.doc)
		b = it.block
	}
	switch {
	case b.Substring:
		l.textSearch().text(it)
	case b.ReplaceAll:
		l.textSearch().all(it)
	default:
		it.search(l.quick(it.readings()...))
	}
	it.located(l)
}

// locateSimilar continues the search for the item's block if it's open.
func (f *file) locateSimilar(it *item, l *locator) {
	if it.found.isOpen() {
		it.search(l.slow(it.found))
		it.located(l)
	}
}

// located examines what was found for the item once its search is over: it applies the policy
// strict, settles a block that changes nothing, and limits the number of places.
func (it *item) located(l *locator) {
	if it.settled || it.found.isOpen() {
		return
	}
	if it.file.run.opt.Policy == Strict || it.block.Exact {
		l.strictly(&it.found, it.readings())
	}
	if b := it.block; bytes.Equal(b.Search, b.Replace) && len(b.Readings) < 2 && len(it.found.placements) > 0 {
		it.warn(sameSides)
		it.settle(BlockNoOp)
		return
	}
	// A block that replaces every occurrence may have found a single place by similarity.
	if one := it.found.placements; it.block.ReplaceAll && len(one) == 1 && one[0].kind != ofResult {
		it.checkExpected(1)
	}
	it.limitPlaces()
}

// insertAt handles blocks that insert text after a given line number, with 0 for the beginning. It
// makes their edit directly.
func (f *file) insertAt(it *item, doc *strategy.Document) {
	n := it.block.StartLine
	if n < 0 || n > doc.Len() {
		it.fail(NotFound, fmt.Sprintf("the file has %d lines; there is no line %d to insert after", doc.Len(), n))
		return
	}
	if f.refuseLeftOut(it, reading.New(nil, it.block.Replace, 0), doc, insertedAt(n, doc)) {
		return
	}
	at := doc.Start(n)
	text := bytes.TrimSuffix(it.block.Replace, []byte{'\n'})
	eol := splice.LineEnd(doc, n-1)
	text = slices.Concat(bytes.ReplaceAll(text, []byte{'\n'}, eol), eol)
	if n == doc.Len() && n > 0 && len(doc.EOL(n-1)) == 0 { // the last line has no line end
		text = slices.Concat(eol, bytes.TrimSuffix(text, eol))
	}
	it.place(&placement{kind: ofEdits, strategy: "exact", score: 1}, "")
	it.edit([]splice.Edit{{Start: at, End: at, Text: text}})
	it.report.Lines = &[2]int{n + 1, n}
}

// splice turns the item's placement into edits of l's document, and reports the place. The item may
// be settled instead: as already applied, as changing nothing, or as refused.
func (f *file) splice(it *item, l *locator) {
	p := it.placed
	if p.kind == ofEdits {
		return // the edits are already made by a special rule
	}
	if p.kind == ofLines {
		l.settleIndent(p)
	}
	it.report.Strategy, it.report.Score = p.strategy, p.score
	at := p.span()
	it.report.Lines = &[2]int{at.first + 1, at.end}
	it.report.Forgiven = l.forgiven(p)
	if p.reading != nil {
		for _, habit := range p.reading.Habits {
			it.warn(warning.Repaired.Say("%s", habit))
		}
	}
	for _, n := range p.notes {
		it.warn(n)
	}
	if note := l.driftNote(p); note != "" {
		it.warn(note)
	}
	switch {
	case p.kind == ofResult, p.kind == ofLines && l.results().applied(p):
		it.settle(BlockAlready)
		return
	case p.kind == ofText:
		v := reading.New(it.block.Search, it.block.Replace, 0)
		if !f.refuseLeftOut(it, v, l.doc, alongDiagonal(l.doc, v.Search, at.first)) {
			it.edit([]splice.Edit{p.insert})
			it.warnUnasked(l.doc)
		}
		return
	case f.refuseLeftOut(it, p.reading, l.doc, p.alignment):
		return
	}
	if l.refuseIndentation(it, p) {
		return
	}
	if p.tier == tierExact && len(p.reading.Hunks()) == 0 { // SEARCH and REPLACE have equal lines
		it.changeEnds(l.doc)
		return
	}
	edits, applied := l.edits(p)
	if applied > 0 {
		it.warn(warning.PartlyDone.Say("part of the change is in the file already"))
	}
	if it.block.Dialect == "diff" && at.end == l.doc.Len() {
		edits = splice.Final(l.doc, p.reading, edits)
	}
	// Edits that write what is there already don't count.
	it.edit(slices.DeleteFunc(edits, func(e splice.Edit) bool {
		return bytes.Equal(e.Text, l.doc.Text()[e.Start:e.End])
	}))
	if len(it.edits) == 0 {
		it.settle(BlockAlready)
	}
	it.warnUnasked(l.doc)
}

// changeEnds makes the edits of a block whose sides differ at most in line ends. Only a diff can
// say that the last line has no line end.
func (it *item) changeEnds(doc *strategy.Document) {
	edits, meant := splice.Ends(doc, it.placed.reading, it.placed.span().first, it.block.Dialect == "diff")
	it.edit(edits)
	switch {
	case !meant:
		it.warn(sameSides)
		it.settle(BlockNoOp)
	case len(edits) == 0:
		it.settle(BlockAlready)
	}
}

// sameSides is the warning about a block that changes nothing.
const sameSides = string(warning.NoChange) + ": SEARCH and REPLACE are the same"

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
