package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

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

// settleEscapes decides between readings that differ only in whether backslashes before markers in
// REPLACE are escapes. They count as escapes, unless the file has such a line with the backslash
// and none without it.
func (it *item) settleEscapes(doc *strategy.Document) {
	readings := it.block.Readings
	drop := make([]bool, len(readings))
	for i, plain := range readings {
		for j, literal := range readings {
			if !plain.Literal && literal.Literal && plain.Divider == literal.Divider &&
				bytes.Equal(plain.Search, literal.Search) {
				// isText: the file has such a line with the backslash.
				isText := hasEscaped(doc, plain.Replace, literal.Replace)
				drop[i], drop[j] = drop[i] || isText, drop[j] || !isText
			}
		}
	}
	if !slices.Contains(drop, true) {
		return
	}
	b := *it.block
	b.Readings = nil
	for i, r := range readings {
		if !drop[i] {
			b.Readings = append(b.Readings, r)
		}
	}
	b.Search, b.Replace = b.Readings[0].Search, b.Readings[0].Replace
	it.block = &b
}

// hasEscaped reports whether a document has a line that is in literal but not in plain, and lacks
// the line that plain has instead.
func hasEscaped(doc *strategy.Document, plain, literal []byte) bool {
	bare, raw := slices.Collect(bytes.Lines(plain)), slices.Collect(bytes.Lines(literal))
	for i := range min(len(bare), len(raw)) {
		if !bytes.Equal(bare[i], raw[i]) && doc.HasLine(text.Chomp(raw[i])) && !doc.HasLine(text.Chomp(bare[i])) {
			return true
		}
	}
	return false
}

// readings returns the ways to read the block, starting with the most likely.
func (it *item) readings() (out []*reading.Reading) {
	b := it.block
	rs := append([]parser.Reading{{Search: b.Search, Replace: b.Replace}}, b.Readings[min(1, len(b.Readings)):]...)
	if len(b.Readings) > 0 { // the first one has the block's own sides
		rs[0].Divider = b.Readings[0].Divider
	}
	for _, r := range rs {
		v := reading.New(bytes.TrimPrefix(r.Search, bom), bytes.TrimPrefix(r.Replace, bom), it.hint)
		v.Divider = r.Divider
		out = append(out, reading.WithoutReplaceGutter(v))
	}
	return out
}
