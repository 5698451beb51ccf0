package apply

import (
	"fmt"
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
	if len(gone) == 0 || !r.explains() || !r.engine.tree.Complete() {
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
	content, at := r.onlyPlaceIn(it.block, p)
	if at < 0 {
		return
	}
	message, there := it.report.Message, "; SEARCH occurs in"
	if strings.HasPrefix(message, absent) {
		message, there = absent, ", but in"
	}
	it.report.Message = fmt.Sprintf("%s%s %s:%d; if that file is meant, give the block its name", message, there, p, at+1)
	r.offerNamed(it, p, content, at)
}

// offerRenamed offers the block of the item, whose file is not there, for the file p, if its SEARCH says where it belongs and occurs there once.
func (r *run) offerRenamed(it *item, p string) {
	if content, at := r.onlyPlaceIn(it.block, p); at >= 0 && isTelling(it.block) {
		r.offerNamed(it, p, content, at)
	}
}

// onlyPlaceIn is the text of the file p, and the line, 0-based, at which the block's SEARCH occurs there; -1 if that is not one place.
func (r *run) onlyPlaceIn(b *parser.Block, p string) (content []byte, at int) {
	content, err := r.engine.tree.ReadFile(p)
	if err != nil {
		return nil, -1
	}
	at = -1
	for first := range strategy.ExactWindows(strategy.NewDocument(content), strategy.NewPattern(b.Search, 0)) {
		if at >= 0 {
			return nil, -1
		}
		at = first
	}
	return content, at
}

// offerNamed offers the block for the file p, which has its SEARCH at a line.
func (r *run) offerNamed(it *item, p string, content []byte, at int) {
	l := r.newLocator(strategy.NewDocument(content), p)
	after, _ := applyEdits(content, splice.Paste(l.doc, reading.New(it.block.Search, it.block.Replace, 0), at, at+strategy.NewDocument(it.block.Search).Len()))
	if c := l.advice().proved(p, it.block.Search, it.block.Replace, after, Strict); c != "" {
		it.report.Corrected = append(it.report.Corrected, c)
	}
}
