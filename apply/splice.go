package apply

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

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
	case p.kind == ofResult, p.kind == ofLines && l.results().result(p) != nil:
		it.settle(BlockAlready)
		return
	case p.kind == ofText:
		v := reading.New(it.block.Search, it.block.Replace, 0)
		if !f.refuseLeftOut(it, v, l.doc, alongDiagonal(l.doc, v.Search, at.first)) {
			it.edits = []splice.Edit{p.insert}
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
	it.edits = slices.DeleteFunc(edits, func(e splice.Edit) bool {
		return bytes.Equal(e.Text, l.doc.Text()[e.Start:e.End])
	})
	if len(it.edits) == 0 {
		it.settle(BlockAlready)
	}
	it.warnUnasked(l.doc)
}

// changeEnds makes the edits of a block whose sides differ at most in line ends. Only a diff can
// say that the last line has no line end.
func (it *item) changeEnds(doc *strategy.Document) {
	edits, meant := splice.Ends(doc, it.placed.reading, it.placed.span().first, it.block.Dialect == "diff")
	it.edits = edits
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
	it.edits = []splice.Edit{{Start: at, End: at, Text: text}}
	it.report.Lines = &[2]int{n + 1, n}
}

// settleIndent decides, once, how deep p's REPLACE is indented, and stores the margins in p, and in
// p.rival other margins that may be meant as well. It may also change p.reading, whose SEARCH gets the
// file's indentation; p.written stays the reading as the reply has it.
func (l *locator) settleIndent(p *placement) {
	if p.indented {
		return
	}
	if p.indented = true; p.tier == tierExact {
		return // SEARCH has the file's margins
	}
	in := splice.Indent(l.doc, p.reading, p.alignment, l.unit)
	p.written, p.reading, p.margins, p.rival = p.reading, in.Reading, in.Margins, in.Rival
	if in.FirstCut {
		p.notes = append(slices.Clip(p.notes),
			warning.FirstLineCut.Say("the first line of SEARCH lacks its indentation"))
	}
}

// splicer prepares the three-way merge of p's block.
func (l *locator) splicer(p *placement) *splice.Splice {
	return splice.New(l.doc, p.reading, p.alignment, p.margins, p.tier == tierExact,
		l.judge.Respelled(p.reading, p.alignment), l.unit)
}

// edits returns the edits that p's block makes to the document, in order and without overlaps.
// applied is how many of its hunks the document already has.
func (l *locator) edits(p *placement) (edits []splice.Edit, applied int) {
	if l.opt.Splice == Verbatim {
		at := p.span()
		if at.first < 0 {
			return nil, 0
		}
		return splice.Paste(l.doc, p.reading, at.first, at.end), 0
	}
	s := l.splicer(p)
	return s.Edits(), len(s.Done)
}

// refuseIndentation refuses a block and returns true if nothing shows which of p's margins and
// their rival are meant for REPLACE. It then offers a block for each.
func (l *locator) refuseIndentation(it *item, p *placement) bool {
	if p.rival == nil || l.opt.Splice == Verbatim {
		return false
	}
	for _, margins := range [][][]byte{p.margins, p.rival} {
		q := *p
		q.margins = margins
		l.advice().offer(it, &q)
	}
	it.fail(Indentation, fmt.Sprintf("%s meant, but SEARCH lacks the indentation there, "+
		"and REPLACE could be indented in two ways; write both with the file's indentation",
		linesAre(p.span())))
	return true
}

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
