package report

import (
	"fmt"

	"github.com/srpatch/srpatch/apply"
)

// MaxListed is how many blocks that need no look have a line each, and how many files where they have a line a file.
const MaxListed = 20

// isRoutine reports whether nothing about a block needs a look: it is not refused, and has no warning.
func isRoutine(b *apply.BlockReport) bool {
	return b.Status != apply.BlockFailed && len(b.Warnings) == 0
}

func routine(blocks []apply.BlockReport) (n int) {
	for i := range blocks {
		if isRoutine(&blocks[i]) {
			n++
		}
	}
	return n
}

// group is the routine blocks of one file that came to the same.
type group struct {
	first *apply.BlockReport
	n     int
	kinds map[string]int
}

// folded writes the routine blocks in a line a file, or in one line where these would be too many as well.
func (p Printer) folded(blocks []apply.BlockReport, width int) {
	type key struct {
		path   string
		status apply.BlockStatus
	}
	index := map[key]int{}
	paths := map[string]bool{}
	var groups []group
	for i := range blocks {
		b := &blocks[i]
		if !isRoutine(b) {
			continue
		}
		k := key{b.Path, b.Status}
		at, ok := index[k]
		if !ok {
			at = len(groups)
			index[k] = at
			groups = append(groups, group{first: b, kinds: map[string]int{}})
		}
		paths[b.Path] = true
		groups[at].n++
		groups[at].kinds[kind(b)]++
	}
	if len(groups) > MaxListed {
		mark, st, _ := sign(groups[0].first.Status)
		p.line(p.paint(st, mark), " ", plural(routine(blocks), "block"), " in ", plural(len(paths), "file"), p.paint(dim, "  (-v lists them)"))
		return
	}
	for _, g := range groups {
		if g.n == 1 {
			p.block(g.first, width, Normal)
		} else {
			p.group(g)
		}
	}
}

// group is the line of several blocks of a file.
func (p Printer) group(g group) {
	mark, st, words := sign(g.first.Status)
	notes := plural(g.n, "block")
	if words != "" {
		notes += ", " + words
	} else if g.kinds["exact"] < g.n {
		notes += listed(g.kinds)
	}
	path, _ := place(g.first)
	if room := p.room(); room > 0 {
		path, notes = fitted(path, notes, room-2)
	}
	p.line(fmt.Sprintf("%s %s  %s", p.paint(st, mark), path, p.paint(dim, notes)))
}
