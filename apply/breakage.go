package apply

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/apply/internal/breakage"
	"github.com/srpatch/srpatch/internal/unified"
)

// breakages warns of what the run breaks in its files, or refuses the blocks that do if the options say so. It is asked once all blocks
// have their places, as one may mend what another one breaks. A remark that may stand for lines does so if the file is broken without
// them: then the block is refused whatever the options say.
func (r *run) breakages() {
	for _, f := range r.order {
		if !f.present || f.exists && bytes.Equal(f.text, f.current) {
			continue
		}
		change, owners := f.breakageChange()
		told := map[*item]bool{}
		for _, found := range breakage.Find(change) {
			it := f.blamed(found, owners)
			if told[it] {
				continue
			}
			told[it] = true
			note := found.Code.Say("%s:%d %s", change.Path, found.Line, found.Says)
			switch {
			case it.doubt != nil:
				it.fail(Placeholder, fmt.Sprintf("REPLACE leaves lines out: %s, and without them line %d %s", it.doubt, found.Line, found.Says))
			case r.opt.NoBreakage:
				it.fail(Breakage, note)
			default:
				it.warn(note)
				continue
			}
			f.broken = true
			if r.opt.Partial {
				f.refuseAlong(it)
			}
		}
	}
}

// breakageChange is what the run does to the file, and the item that each of its spans belongs to, none where that is not known.
func (f *file) breakageChange() (*breakage.Change, []*item) {
	c := &breakage.Change{Path: f.path, Before: f.text, After: f.current}
	if f.movedTo != "" {
		c.Path = f.movedTo
	}
	if f.spans == nil {
		for _, s := range unified.Regions(unified.Change{Before: f.text, After: f.current}) {
			c.Spans = append(c.Spans, breakage.Span{BeforeStart: s.BeforeStart, BeforeEnd: s.BeforeEnd, AfterStart: s.AfterStart, AfterEnd: s.AfterEnd})
		}
		return c, nil
	}
	for i, s := range f.spans {
		c.Spans = append(c.Spans, breakage.Span{
			BeforeStart: s.BeforeStart, BeforeEnd: s.BeforeEnd, AfterStart: s.AfterStart, AfterEnd: s.AfterEnd,
			Last: f.endsPlace(f.owners[i], s.BeforeEnd),
		})
	}
	return c, f.owners
}

// endsPlace reports whether what the item's SEARCH names ends at this offset of the file as it was.
func (f *file) endsPlace(it *item, offset int) bool {
	lines, doc := it.report.Lines, f.snapshot.doc
	return it.block.Substring || lines != nil && lines[1] <= doc.Len() && doc.Start(lines[1]) == offset
}

// blamed is the applied item that breaks the file: the owner of the span, or, where that is not known, the last one whose REPLACE has the line.
func (f *file) blamed(found breakage.Finding, owners []*item) *item {
	if owners != nil {
		return owners[found.Span]
	}
	line := bytes.TrimSpace(lineOf(f.current, found.Line))
	var last, having *item
	for _, it := range f.items {
		if it.report.Status == BlockApplied {
			last = it
			if len(line) > 0 && bytes.Contains(it.block.Replace, line) {
				having = it
			}
		}
	}
	if having != nil {
		return having
	}
	return last
}

// lineOf is the line of text with this number, from 1.
func lineOf(text []byte, n int) []byte {
	for line := range bytes.Lines(text) {
		if n--; n == 0 {
			return line
		}
	}
	return nil
}

// refuseAlong refuses what else would change the file that the item breaks.
func (f *file) refuseAlong(broken *item) {
	for _, it := range f.items {
		if it.report.Status == BlockApplied {
			it.fail(Breakage, fmt.Sprintf("the file stays as it is, because block %d would break it", broken.block.ID))
		}
	}
}
