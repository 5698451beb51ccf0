package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// kept is what the plans of a session share: the tree as it was first read, and what was found in it. It decides nothing. The search for
// a block in a file as it was depends on both and on the work that it may take, so what was found once would be found again. A nil one
// keeps nothing.
type kept struct {
	contents map[string]content
	docs     map[string]*strategy.Document // of the files' texts, by path
	index    *pathIndex
	searches map[searched]*searchKept
}

// content is what reading a file gave.
type content struct {
	text []byte
	err  error
}

// searched is a block and where it is looked for.
type searched struct {
	doc   *strategy.Document
	block *parser.Block
}

// searchKept is what was found for a block: by the quick levels, where it might take scans or not, and by
// the slow ones, where it might take a share of the work and took some.
type searchKept struct {
	quick, slow *findings
	scans       bool
	share, work int64
}

// read reads a file of the tree, or remembers it.
func (r *run) read(p string) ([]byte, error) {
	if r.kept == nil {
		return r.engine.tree.ReadFile(p)
	}
	c, ok := r.kept.contents[p]
	if !ok {
		if c.text, c.err = r.engine.tree.ReadFile(p); r.kept.contents == nil {
			r.kept.contents = map[string]content{}
		}
		r.kept.contents[p] = c
	}
	return c.text, c.err
}

// document is the file's text with its line index.
func (f *file) document() *strategy.Document {
	k := f.run.kept
	if k == nil {
		return strategy.NewDocument(f.text)
	}
	if d := k.docs[f.path]; d != nil && bytes.Equal(d.Text(), f.text) {
		return d
	}
	if k.docs == nil {
		k.docs = map[string]*strategy.Document{}
	}
	k.docs[f.path] = strategy.NewDocument(f.text)
	return k.docs[f.path]
}

// remembered is the search for the item's block in the document of l, empty at first; nil if that is not kept.
func (l *locator) remembered(it *item) *searchKept {
	k := it.file.run.kept
	if k == nil || k.docs[it.file.path] != l.doc {
		return nil
	}
	key := searched{l.doc, it.block}
	if k.searches[key] == nil {
		if k.searches == nil {
			k.searches = map[searched]*searchKept{}
		}
		k.searches[key] = &searchKept{}
	}
	return k.searches[key]
}

// paidQuick is [locator.quick] within what the run has left for scans.
func (l *locator) paidQuick(readings []*reading.Reading) findings {
	f := l.quick(readings, l.work.scans > 0)
	l.work.scans -= f.scanned
	return f
}

// findQuick is [locator.quick] for the item's block, with memory.
func (l *locator) findQuick(it *item) findings {
	s := l.remembered(it)
	if s == nil {
		return l.paidQuick(it.readings())
	}
	if scans := l.work.scans > 0; s.quick == nil || s.scans != scans {
		found := l.quick(it.readings(), scans)
		s.quick, s.scans = &found, scans
	}
	l.work.scans -= s.quick.scanned
	return s.quick.clone()
}

// findSlow is [locator.slow] for the item's block, with memory, within the block's share of the work.
func (l *locator) findSlow(it *item) findings {
	share := l.work.share(l.opt.Budget)
	l.work.searches--
	s := l.remembered(it)
	if s == nil {
		s = &searchKept{}
	}
	if s.slow == nil || s.share != share {
		found, work := l.slow(it.found, share)
		s.slow, s.share, s.work = &found, share, work
	}
	l.work.places -= s.work
	return s.slow.clone()
}

// clone is a copy whose placements are its own: what is settled about them later is not settled about those of f.
func (f *findings) clone() findings {
	out := *f
	copies := map[*placement]*placement{}
	own := func(p *placement) *placement {
		if p == nil {
			return nil
		}
		if copies[p] == nil {
			c := *p
			c.notes = slices.Clip(c.notes)
			copies[p] = &c
		}
		return copies[p]
	}
	all := func(ps []*placement) (out []*placement) {
		for _, p := range ps {
			out = append(out, own(p))
		}
		return out
	}
	out.placements, out.passed, out.near = all(f.placements), all(f.passed), own(f.near)
	out.tried = slices.Clip(f.tried)
	return out
}
