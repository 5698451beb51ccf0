package main

import (
	"context"
	"errors"
	"fmt"

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
	if p.err == nil && p.seen == 0 && len(p.located) == 0 {
		p.err = errNoEdits()
	}
	return errors.Join(p.err, failure)
}

// parsing is what is known of the replies so far.
type parsing struct {
	*command
	only map[int]bool // nil: all

	seen    int // blocks
	shells  []parser.Shell
	located []render.Located
	err     error
}

// blocks yields the blocks of all replies, numbered through, and keeps the rest of what they hold.
func (p *parsing) blocks(yield func(*parser.Block) bool) {
	for src, err := range p.sources() {
		if err != nil {
			p.err = err
			return
		}
		s := parser.NewScanner(src, parser.WithFormat(p.format))
		for it := range s.Items() {
			switch {
			case it.Block != nil:
				p.seen++
				it.Block.ID = p.seen
				if (p.only == nil || p.only[p.seen]) && !yield(it.Block) {
					return
				}
			case it.Shell != nil:
				p.shells = append(p.shells, *it.Shell)
			case it.Diagnostic != nil && p.only == nil:
				p.located = append(p.located, render.Located{Reply: src.name, Diagnostic: *it.Diagnostic})
			}
		}
		if err := errors.Join(s.Err(), src.Close()); err != nil {
			p.err = fmt.Errorf("reading the reply: %w", err)
			return
		}
	}
}

func (p *parsing) rest() ([]parser.Shell, []parser.Diagnostic) {
	var diagnostics []parser.Diagnostic
	for _, d := range p.located {
		diagnostics = append(diagnostics, d.Diagnostic)
	}
	return p.shells, diagnostics
}
