package main

import (
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/parser"
)

// streaming writes items as they are read.
type streaming struct {
	*parsing
	out *report.Stream
	err error // of stdout
}

// stream prints each item of the replies as soon as it is certain, in one line, and at the end how it ended.
func (p *parsing) stream() error {
	s := streaming{parsing: p, out: report.NewStream(p.stdout)}
	p.each(s.item)
	if s.err != nil {
		return s.err
	}
	p.conclude()
	return s.out.End(s.cutOff, wireError(p.err))
}

// item writes what the scanner has come to. It reports whether to go on.
func (s *streaming) item(reply string, in *parser.Scanner) bool {
	if it := in.Item(); s.asked(it) {
		if it.Diagnostic != nil {
			s.report(report.Located{Reply: reply, Diagnostic: *it.Diagnostic})
		}
		s.err = s.out.Item(it)
	}
	return s.err == nil
}
