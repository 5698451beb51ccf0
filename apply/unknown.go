package apply

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/suggest"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// maxSuggested is for how many unknown names a run says which names are near; each costs a look at every path.
const maxSuggested = 6

// lookBudget is how many bytes of other files a run reads to find where a block may belong. When it is spent, suggestions
// are dropped.
const lookBudget = 64 << 20

// unknown is a block for a file that is not there, or does not have its SEARCH, until all such blocks are known: the tree is searched once
// for all of them.
type unknown struct {
	item   *item
	path   string   // that the block names
	looked string   // the last file that was looked at for it
	found  []string // files in which its SEARCH occurs, two at most
}

// isUnknown notes that the item's file p is not there.
func (r *run) isUnknown(it *item, p string) {
	it.report.Path = p
	if r.remembered(p) != nil { // the reply deleted or moved it
		it.already()
		return
	}
	r.unknown = append(r.unknown, &unknown{item: it, path: p})
}

// refuseUnknown refuses the blocks for files that are not there, and names the file in which SEARCH occurs if there is just one: the block is offered for
// that one.
func (r *run) refuseUnknown() {
	if len(r.unknown) == 0 {
		return
	}
	if r.explains() && r.engine.tree.Complete() {
		r.lookFor(r.unknown)
	}
	for _, u := range r.unknown {
		if !r.explains() {
			u.item.fail(NoSuchFile, "")
			continue
		}
		message := fmt.Sprintf("there is no file %s; to create it, leave SEARCH empty", u.path)
		if len(u.found) == 1 && r.looked <= lookBudget {
			r.offerRenamed(u.item, u.found[0])
			message = fmt.Sprintf("there is no file %s; SEARCH occurs in %s", u.path, u.found[0])
		} else if near := r.nearest(u.path); len(near) > 0 {
			message = fmt.Sprintf("there is no file %s; nearest: %s; to create it, leave SEARCH empty", u.path, strings.Join(near, ", "))
		}
		u.item.fail(NoSuchFile, message)
	}
}

// lookFor reads the files of the tree once, and finds those in which the SEARCH of one of the blocks occurs, the file that it names
// aside. A file is looked at closer if it has the longest line of one of them.
func (r *run) lookFor(blocks []*unknown) {
	byLine := map[string][]*unknown{}
	var inside []*unknown // SEARCH need not be whole lines
	for _, u := range blocks {
		switch b := u.item.block; {
		case len(b.Search) == 0:
		case b.Substring:
			inside = append(inside, u)
		default:
			line := string(longestLine(strategy.NewDocument(b.Search)))
			byLine[line] = append(byLine[line], u)
		}
	}
	if len(byLine)+len(inside) == 0 {
		return
	}
	for p := range r.engine.tree.Paths() {
		text, err := r.engine.tree.ReadFile(p)
		if err != nil {
			continue
		}
		if r.looked += len(text); r.looked > lookBudget {
			return
		}
		if !slices.ContainsFunc(blocks, func(u *unknown) bool { return u.path != p }) {
			continue
		}
		doc := strategy.NewDocument(text)
		look := func(us []*unknown) {
			for _, u := range us {
				if len(u.found) > 1 || u.looked == p || u.path == p || r.looked > lookBudget {
					continue
				}
				if u.looked = p; r.occursIn(u.item.block, doc) && !onlyInBlocks(u.item.block, doc) {
					u.found = append(u.found, p)
				}
			}
		}
		look(inside)
		for i := range doc.Len() {
			look(byLine[string(doc.Line(i))])
		}
	}
}

// onlyInBlocks reports whether SEARCH occurs in doc as that of a block alone: doc is a reply that somebody keeps in the tree, perhaps
// this one, and not what the block is for.
func onlyInBlocks(b *parser.Block, doc *strategy.Document) bool {
	if b.Substring {
		return false
	}
	in := false
	for first := range strategy.ExactWindows(doc, strategy.NewPattern(b.Search, 0)) {
		if first == 0 {
			return false
		}
		switch fsm.Classify(doc.Line(first - 1)).Kind {
		case fsm.Opener, fsm.Hint, fsm.Separator:
			in = true
		default:
			return false
		}
	}
	return in
}

// longestLine is the line of d with the most bytes.
func longestLine(d *strategy.Document) []byte {
	var longest []byte
	for i := range d.Len() {
		if line := d.Line(i); len(line) > len(longest) {
			longest = line
		}
	}
	return longest
}

// nearest are a few paths that p may mean: those with its base name first.
func (r *run) nearest(p string) []string {
	const few = 3
	if r.suggested++; r.suggested > maxSuggested {
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
