package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/parser"
)

// parse prints what the replies are understood as. Blocks are printed as they come, so a reply of any size passes
// through.
func (c *command) parse(context.Context) error {
	only, err := parseOnly(c.only)
	if err != nil {
		return err
	}
	p := parsing{command: c, only: only}
	var failure error
	switch {
	case c.stream:
		failure = p.stream()
	case c.json:
		failure = report.ParseJSON(c.stdout, p.blocks, p.rest)
	default:
		report.Understood(c.printer(c.stdout), p.blocks, p.rest, c.detail())
	}
	if !c.stream {
		p.report(p.located...)
		p.conclude()
	}
	return errors.Join(p.err, failure, c.lost)
}

// parsing is what is known of the replies so far.
type parsing struct {
	*command
	only map[int]bool // nil: all

	seen    int // blocks
	shells  shellList
	noticed []parser.Noticed
	located []report.Located
	cutOff  bool // a reply ended within an edit
	err     error
}

// report says what was not understood.
func (p *parsing) report(located ...report.Located) {
	if len(located) == 0 {
		return
	}
	p.code = exitRefused
	errs := p.printer(p.stderr)
	report.Report(errs, errs, report.Outcome{Diagnostics: located}, report.Quiet)
}

// conclude says, once all is read, what there should have been.
func (p *parsing) conclude() {
	switch {
	case p.err != nil:
	case p.seen == 0 && p.code != exitRefused:
		p.err = p.withoutEdits(p.errNoEdits(p.noticed))
	case !p.last: // else it was asked before
		p.err = inReply(p.only, p.seen)
	}
}

// each calls f with the replies' scanners at each item, until it says that this is enough.
func (p *parsing) each(f func(reply string, in *parser.Scanner) bool) {
	opts := p.parserOptions(false)
	for src, err := range p.sources() {
		if err != nil {
			p.err = err
			return
		}
		s := parser.NewScanner(src, opts...)
		for s.Scan() {
			if !f(src.name, s) {
				return
			}
		}
		p.cutOff = p.cutOff || s.CutOff()
		if err := errors.Join(s.Err(), src.Close()); err != nil {
			p.err = fmt.Errorf("reading the reply: %w", err)
			return
		}
	}
}

// blocks yields the blocks of all replies, numbered through, and keeps the rest of what they hold.
func (p *parsing) blocks(yield func(*parser.Block) bool) {
	if p.last {
		p.lastBlocks(yield)
		return
	}
	p.each(func(reply string, in *parser.Scanner) bool { return p.take(reply, in.Item(), yield) })
}

// asked numbers a block, and names the flag in a diagnostic. It reports whether the item is wanted.
func (p *parsing) asked(it parser.Item) bool {
	switch {
	case it.Block != nil:
		p.seen++
		it.Block.ID = p.seen
		return p.only == nil || p.only[p.seen]
	case it.Diagnostic != nil:
		nameFlag(it.Diagnostic)
		return p.only == nil
	}
	return true
}

// take yields a block or keeps what is none. It reports whether to go on.
func (p *parsing) take(reply string, it parser.Item, yield func(*parser.Block) bool) bool {
	switch {
	case !p.asked(it):
	case it.Block != nil:
		return yield(it.Block)
	case it.Shell != nil:
		p.shells.add(it.Shell)
	case it.Noticed != nil && p.only == nil:
		p.noticed = append(p.noticed, *it.Noticed)
	case it.Diagnostic != nil:
		p.located = append(p.located, report.Located{Reply: reply, Diagnostic: *it.Diagnostic})
	}
	return true
}

// lastBlocks yields the blocks of the last answers of chat logs. Which one is the last is known only at the end, so the
// logs are kept in memory.
func (p *parsing) lastBlocks(yield func(*parser.Block) bool) {
	u, err := p.understand()
	if p.err = err; u == nil {
		return
	}
	p.seen, p.located, p.noticed = len(u.Blocks), u.located, u.Noticed
	for i := range u.Shell {
		p.shells.add(&u.Shell[i])
	}
	if err != nil {
		return
	}
	for i := range u.Blocks {
		if !yield(&u.Blocks[i]) {
			return
		}
	}
}

func (p *parsing) rest() (iter.Seq[parser.Shell], []parser.Noticed, []parser.Diagnostic) {
	var diagnostics []parser.Diagnostic
	for _, d := range p.located {
		diagnostics = append(diagnostics, d.Diagnostic)
	}
	noticed := p.noticed
	if !p.json && p.seen+len(diagnostics) == 0 {
		noticed = nil // the error lists them
	}
	return p.shells.all(), noticed, diagnostics
}

// shellList keeps blocks of shell commands until the end, in little more than their text: a reply may hold millions.
type shellList struct {
	text   []byte
	blocks []shellMark
}

type shellMark struct {
	lines [2]int
	end   int // of the block's text
}

func (l *shellList) add(s *parser.Shell) {
	l.text = append(l.text, s.Text...)
	l.blocks = append(l.blocks, shellMark{s.Lines, len(l.text)})
}

func (l *shellList) all() iter.Seq[parser.Shell] {
	return func(yield func(parser.Shell) bool) {
		from := 0
		for _, b := range l.blocks {
			if !yield(parser.Shell{Lines: b.lines, Text: string(l.text[from:b.end])}) {
				return
			}
			from = b.end
		}
	}
}
