package main

import (
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/parser"
)

// maxDraft bounds the drafts that are written, in bytes: each has all of its block, and of a longer block nobody looks at every step.
const maxDraft = 256 << 10

// streaming writes items as they are read.
type streaming struct {
	*parsing
	out  *render.Stream
	mark draftMark
	long bool  // the block at hand is too long for drafts
	err  error // of stdout
}

// draftMark tells a draft from the one before.
type draftMark struct {
	line, search, replace int
	path                  string
	inReplace, closed     bool
}

// stream prints each item of the replies as soon as it is certain, in one line, and at the end how it ended.
func (p *parsing) stream() error {
	s := streaming{parsing: p, out: render.NewStream(p.stdout)}
	p.each(s.item)
	if s.err != nil {
		return s.err
	}
	p.conclude()
	return s.out.End(s.cutOff, wireError(p.err))
}

// item writes what the scanner has come to. It reports whether to go on.
func (s *streaming) item(reply string, in *parser.Scanner) bool {
	switch it := in.Item(); {
	case it == parser.Item{}:
		if !s.long {
			s.draft(in)
		}
	case s.asked(it):
		s.long = false
		if it.Diagnostic != nil {
			s.report(render.Located{Reply: reply, Diagnostic: *it.Diagnostic})
		}
		s.err = s.out.Item(it)
	}
	return s.err == nil
}

// draft writes the block at hand, if there is more of it than before.
func (s *streaming) draft(in *parser.Scanner) {
	d, ok := in.Draft()
	s.long = len(d.Search)+len(d.Replace) > maxDraft
	if !ok || s.long || s.only != nil && !s.only[s.seen+1] {
		return
	}
	mark := draftMark{d.Lines[0], len(d.Search), len(d.Replace), d.Path, d.InReplace, d.Closed}
	if mark == s.mark {
		return
	}
	s.mark = mark
	s.err = s.out.Draft(&d)
}
