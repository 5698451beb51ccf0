package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// maxElsewhere bounds for how many blocks a run says that SEARCH occurs in another file.
const maxElsewhere = 20

// lookElsewhere looks for the blocks that do not occur in their file, or name none, in the other files of the tree, and where one occurs in one
// place of just one of them, says so and offers the block for that file. It is not made there: the file's name says more than its text, and
// where there is no name, another file may have been meant.
func (r *run) lookElsewhere() {
	var gone []*unknown
	for _, it := range r.items {
		if len(gone) == maxElsewhere {
			break
		}
		if it.report.Status != BlockFailed || !isTelling(it.block) {
			continue
		}
		switch {
		case it.report.Reason == NotFound && it.file != nil:
			gone = append(gone, &unknown{item: it, path: it.file.path})
		case it.report.Reason == NoName:
			gone = append(gone, &unknown{item: it})
		}
	}
	gone = slices.DeleteFunc(gone, func(u *unknown) bool { return !r.explains(u.item) })
	if len(gone) == 0 || !r.engine.tree.Complete() {
		return
	}
	r.lookFor(gone)
	for _, u := range gone {
		if len(u.found) == 1 && r.looked <= lookBudget {
			r.offerFor(u.item, u.found[0])
		}
	}
}

// isTelling reports whether SEARCH has a line that says where it belongs, and is lines as they are written.
func isTelling(b *parser.Block) bool {
	d := strategy.NewDocument(b.Search)
	for i := range d.Len() {
		if text.Telling(d.Line(i)) {
			return b.Op == parser.OpEdit && !b.Substring && len(b.Readings) < 2
		}
	}
	return false
}

// offerFor says that the item's SEARCH occurs in the file p, if it is one place, and offers the block with that name.
func (r *run) offerFor(it *item, p string) {
	content, err := r.engine.tree.ReadFile(p)
	if err != nil {
		return
	}
	at := -1
	for first := range strategy.ExactWindows(strategy.NewDocument(content), strategy.NewPattern(it.block.Search, 0)) {
		if at >= 0 {
			return
		}
		at = first
	}
	if at < 0 {
		return
	}
	message, alone := strings.CutSuffix(it.report.Message, copyIt)
	there := "; SEARCH occurs in"
	if alone {
		there = ", but in"
	}
	it.report.Message = fmt.Sprintf("%s%s %s:%d; if that file is meant, give the block its name", message, there, p, at+1)
	l := r.newLocator(strategy.NewDocument(content), p)
	after, _ := applyEdits(content, splice.Paste(l.doc, reading.New(it.block.Search, it.block.Replace, 0), at, at+strategy.NewDocument(it.block.Search).Len()))
	if c := l.proved(p, it.block.Search, it.block.Replace, after, Strict); c != "" {
		it.report.Corrected = append(it.report.Corrected, c)
	}
}
