package apply

import (
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
	// maxSuggested is for how many unknown names a run lists names that are near; each takes a look
	// at every path of the tree.
	maxSuggested = 6
	// lookBudget is how many bytes of other files a run reads to find where a block may belong.
	lookBudget = 64 << 20
	// maxElsewhere is for how many blocks a run says that SEARCH is in another file.
	maxElsewhere = 20
)

// isUnknown refuses the item, whose file p is not there.
func (r *run) isUnknown(it *item, p string) {
	it.report.Path = p
	if r.remembered(p) != nil { // the reply deleted or moved it
		it.already()
		return
	}
	message := "there is no file " + p
	if near := r.nearest(p); len(near) > 0 {
		message += "; nearest: " + strings.Join(near, ", ")
	}
	it.fail(NoSuchFile, message+"; to create it, leave SEARCH empty")
}

// nearest are a few paths that p may mean: those with its base name first.
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
	own    string // the path of its file
	file   string // in which SEARCH is
	places int    // where it is, in all files
	line   int    // of the first, 0-based
}

// lookElsewhere looks for the blocks that are not in their file, or name none, in the other files
// of the tree. Where SEARCH is in one place of just one of them, the report says so, and the block
// is offered for that file. It is not made there: the file's name says more than its text.
func (r *run) lookElsewhere() {
	byLine := map[string][]*stray{} // by the longest line of SEARCH
	var strays []*stray
	for _, it := range r.items {
		if len(strays) == maxElsewhere {
			break
		}
		s := &stray{item: it}
		if it.file != nil {
			s.own = it.file.path
		}
		switch it.report.Reason {
		case NotFound, NoSuchFile, NoName:
			if line := longestTelling(it.block); line != nil {
				strays = append(strays, s)
				byLine[string(line)] = append(byLine[string(line)], s)
			}
		}
	}
	if len(strays) == 0 || !r.explains() || !r.engine.tree.Complete() {
		return
	}
	for p := range r.engine.tree.Paths() {
		content, err := r.engine.tree.ReadFile(p)
		if err != nil {
			continue
		}
		if r.looked += len(content); r.looked > lookBudget {
			return
		}
		doc := strategy.NewDocument(content)
		asked := map[*stray]bool{}
		for i := range doc.Len() {
			for _, s := range byLine[string(doc.Line(i))] {
				if s.own != p && !asked[s] {
					asked[s] = true
					s.lookIn(p, doc)
				}
			}
		}
	}
	for _, s := range strays {
		if s.places == 1 {
			r.offerElsewhere(s)
		}
	}
}

// lookIn counts the places of SEARCH in doc, the file p. What is a SEARCH there, too, is no place:
// doc is a reply that somebody keeps in the tree.
func (s *stray) lookIn(p string, doc *strategy.Document) {
	for first := range strategy.ExactWindows(doc, strategy.NewPattern(s.block.Search, 0)) {
		if first > 0 {
			switch fsm.Classify(doc.Line(first - 1)).Kind {
			case fsm.Opener, fsm.Hint, fsm.Separator:
				continue
			}
		}
		if s.places++; s.places == 1 {
			s.file, s.line = p, first
		}
	}
}

// longestTelling is the longest line of SEARCH, which says where the block belongs; nil if it says
// too little.
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

// offerElsewhere says where SEARCH is, and offers the block for that file.
func (r *run) offerElsewhere(s *stray) {
	content, err := r.engine.tree.ReadFile(s.file)
	if err != nil {
		return
	}
	message, there := s.report.Message, "; SEARCH is in"
	switch {
	case s.report.Reason == NoSuchFile:
		message, _, _ = strings.Cut(message, ";")
		there = ", but SEARCH is in"
	case strings.HasPrefix(message, absent):
		message, there = absent, ", but in"
	}
	s.report.Message = fmt.Sprintf("%s%s %s:%d; if that file is meant, give the block its name",
		message, there, s.file, s.line+1)
	l := r.newLocator(strategy.NewDocument(content), s.file)
	n := strategy.NewDocument(s.block.Search).Len()
	edits := splice.Paste(l.doc, reading.New(s.block.Search, s.block.Replace, 0), s.line, s.line+n)
	after, _ := applyEdits(content, edits)
	if c := l.advice().proved(s.file, s.block.Search, s.block.Replace, after, Strict); c != "" {
		s.report.Corrected = append(s.report.Corrected, c)
	}
}
