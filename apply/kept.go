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
	searches map[searched]*search
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

// search is what was found for a block: certain of itself, where it might take scans or not, and likely where it might take a share of
// the work and took some.
type search struct {
	certain, likely *findings
	scans           bool
	share, work     int64
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
func (l *locator) remembered(it *item) *search {
	k := it.file.run.kept
	if k == nil || k.docs[it.file.path] != l.doc {
		return nil
	}
	key := searched{l.doc, it.block}
	if k.searches[key] == nil {
		if k.searches == nil {
			k.searches = map[searched]*search{}
		}
		k.searches[key] = &search{}
	}
	return k.searches[key]
}

// paidCertain is [locator.certain] within what the run has left for scans.
func (l *locator) paidCertain(readings []*reading.Reading) findings {
	f := l.certain(readings, l.work.scans > 0)
	l.work.scans -= f.scanned
	return f
}

// findCertain is [locator.certain] for the item's block, with memory.
func (l *locator) findCertain(it *item) findings {
	s := l.remembered(it)
	if s == nil {
		return l.paidCertain(it.readings())
	}
	if scans := l.work.scans > 0; s.certain == nil || s.scans != scans {
		found := l.certain(it.readings(), scans)
		s.certain, s.scans = &found, scans
	}
	l.work.scans -= s.certain.scanned
	return s.certain.clone()
}

// findLikely is [locator.likely] for the item's block, with memory, within the block's share of the work.
func (l *locator) findLikely(it *item) findings {
	share := l.work.share(l.opt.Budget)
	l.work.searches--
	s := l.remembered(it)
	if s == nil {
		s = &search{}
	}
	if s.likely == nil || s.share != share {
		found, work := l.likely(it.found, share)
		s.likely, s.share, s.work = &found, share, work
	}
	l.work.places -= s.work
	return s.likely.clone()
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
	out.tried, out.open, out.proposed = slices.Clip(f.tried), slices.Clip(f.open), slices.Clip(f.proposed)
	return out
}
