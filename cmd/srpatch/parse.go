package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/srpatch/srpatch/internal/render"
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
	if c.json {
		failure = render.ParseJSON(c.stdout, p.blocks, p.rest)
	} else {
		render.Understood(c.printer(c.stdout), p.blocks, p.rest, c.detail())
	}
	if len(p.located) > 0 {
		c.code = exitRefused
		errs := c.printer(c.stderr)
		render.Report(errs, errs, render.Outcome{Diagnostics: p.located}, render.Quiet)
	}
	switch {
	case p.err != nil:
	case p.seen == 0 && len(p.located) == 0:
		p.err = c.errNoEdits()
	case !c.last: // else it was asked before
		p.err = inReply(only, p.seen)
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
	located []render.Located
	err     error
}

// blocks yields the blocks of all replies, numbered through, and keeps the rest of what they hold.
func (p *parsing) blocks(yield func(*parser.Block) bool) {
	if p.last {
		p.lastBlocks(yield)
		return
	}
	left := p.maxReply
	for src, err := range p.sources() {
		if err != nil {
			p.err = err
			return
		}
		in := &bounded{src, left, p.maxReply}
		s := parser.NewScanner(in, p.parserOptions(false)...)
		for it := range s.Items() {
			if !p.take(src.name, it, yield) {
				return
			}
		}
		if err := errors.Join(s.Err(), src.Close()); err != nil {
			p.err = fmt.Errorf("reading the reply: %w", err)
			return
		}
		left = in.left
	}
}

// take numbers a block and yields it, unless it is not asked for, or keeps what is no block. It reports whether to go on.
func (p *parsing) take(reply string, it parser.Item, yield func(*parser.Block) bool) bool {
	switch {
	case it.Block != nil:
		p.seen++
		it.Block.ID = p.seen
		return p.only != nil && !p.only[p.seen] || yield(it.Block)
	case it.Shell != nil:
		p.shells.add(it.Shell)
	case it.Noticed != nil && p.only == nil:
		p.noticed = append(p.noticed, *it.Noticed)
	case it.Diagnostic != nil && p.only == nil:
		nameFlag(it.Diagnostic)
		p.located = append(p.located, render.Located{Reply: reply, Diagnostic: *it.Diagnostic})
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
	return p.shells.all(), p.noticed, diagnostics
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
