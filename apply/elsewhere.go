package apply

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/suggest"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

const (
	// maxSuggested is how many unknown names a run lists similar names for. Each of them requires
	// looking at every path in the tree.
	maxSuggested = 6
	// lookBudget is how many bytes of other files a run reads to find where a block may belong.
	lookBudget = 64 << 20
	// maxElsewhere is how many blocks a run searches other files for.
	maxElsewhere = 20
)

// refuseUnknown refuses the item because its file p doesn't exist, and suggests files with similar
// names. If an earlier run of the same reply is recorded for p, the item is already applied
// instead.
func (r *run) refuseUnknown(it *item, p string) {
	it.report.Path = p
	if r.remembered(p) != nil { // the reply deleted or moved it
		it.already()
		return
	}
	message := "there is no file " + p
	if near := r.nearest(p); len(near) > 0 {
		message += "; nearest: " + strings.Join(near, ", ")
	}
	remedy := "; to create it, leave SEARCH empty"
	if op := it.block.Op; op == parser.OpDelete || op == parser.OpMove {
		remedy = "; it may already be deleted or moved"
	}
	it.fail(NoSuchFile, message+remedy)
}

// nearest returns at most three paths that p may stand for, starting with those that have its base
// name. It returns nil once the run has made enough suggestions.
func (r *run) nearest(p string) []string {
	const few = 3
	if r.suggested++; r.suggested > maxSuggested || !r.explains() {
		return nil
	}
	same := r.paths().byBase[path.Base(p)]
	out := slices.Clone(same[:min(few, len(same))])
	for _, q := range suggest.Nearest(p, r.engine.tree.Paths(), few) {
		if len(out) < few && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// stray is a refused block whose SEARCH is looked for in the other files of the tree.
type stray struct {
	*item
	line   []byte // the longest of SEARCH
	file   string // the file of the first occurrence
	places int    // how often SEARCH occurs, in all files
	first  int    // the line of the first occurrence, 0-based
}

// lookElsewhere searches the other files of the tree for blocks that don't match their file or name
// no file. If SEARCH occurs exactly once in all these files, the report says so and offers the
// block for that file. The block isn't applied there, because the name it gives is stronger
// evidence than the text.
func (r *run) lookElsewhere() {
	var strays []*stray
	for _, it := range r.items {
		switch it.report.Reason {
		case NotFound, NoSuchFile, NoName:
			if line := longestTelling(it.block); line != nil && len(strays) < maxElsewhere {
				strays = append(strays, &stray{item: it, line: line})
			}
		}
	}
	if len(strays) == 0 || !r.explains() || !r.engine.tree.Complete() {
		return
	}
	for p := range r.engine.tree.Paths() {
		content, err := r.engine.tree.ReadFile(p)
		if r.looked += len(content); r.looked > lookBudget {
			return // a place may occur again in the files that weren't searched
		}
		for _, s := range strays {
			other := s.item.file == nil || s.item.file.path != p
			if err == nil && other && bytes.Contains(content, s.line) {
				s.lookIn(p, strategy.NewDocument(content))
			}
		}
	}
	for _, s := range strays {
		if s.places == 1 {
			r.offerElsewhere(s)
		}
	}
}

// lookIn adds the places of SEARCH in doc, the file p, to s.places, and stores the first one. A
// place below a marker line such as <<<<<<< SEARCH doesn't count, because doc is then a saved
// reply.
func (s *stray) lookIn(p string, doc *strategy.Document) {
	for first := range strategy.ExactWindows(doc, strategy.NewPattern(s.block.Search, 0)) {
		if first > 0 && fsm.Classify(doc.Line(first-1)).Kind != fsm.Text {
			continue
		}
		if s.places++; s.places == 1 {
			s.file, s.first = p, first
		}
	}
}

// longestTelling returns the longest line of SEARCH that is distinctive enough to show where the
// block belongs. It returns nil if there is none, or if the block isn't an edit of lines with a
// single reading.
func longestTelling(b *parser.Block) []byte {
	if b.Op != parser.OpEdit || b.Substring || len(b.Readings) > 1 {
		return nil
	}
	var longest []byte
	for _, line := range strategy.NewDocument(b.Search).Lines() {
		if len(line) > len(longest) && text.Telling(line) {
			longest = line
		}
	}
	return longest
}

// offerElsewhere adds to the report that SEARCH occurs in another file, instead of the advice given
// so far. It offers the block for that file if a trial proves that the block applies there.
func (r *run) offerElsewhere(s *stray) {
	content, err := r.engine.tree.ReadFile(s.file)
	if err != nil {
		return
	}
	message, _, _ := strings.Cut(s.report.Message, ";")
	s.report.Message = fmt.Sprintf("%s; SEARCH is in %s:%d; if you meant that file, put its path above the block",
		message, s.file, s.first+1)
	l := r.newLocator(strategy.NewDocument(content), s.file)
	n := strategy.NewDocument(s.block.Search).Len()
	edits := splice.Paste(l.doc, reading.New(s.block.Search, s.block.Replace, 0), s.first, s.first+n)
	after, _ := applyEdits(content, edits)
	if c := l.advice().proved(s.file, s.block.Search, s.block.Replace, after); c != "" {
		s.report.Corrected = append(s.report.Corrected, c)
	}
}
