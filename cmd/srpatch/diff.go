package main

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/internal/unified"
)

// printDiff writes what the plan changes: for people with colour and without control bytes, for programs as it is.
func (c *command) printDiff(plan *apply.Plan) error {
	var diff bytes.Buffer
	for _, f := range plan.Files {
		change := unified.Change{Old: f.From, New: f.Path, Before: f.Before, After: f.After}
		if f.From == "" {
			change.Old = f.Path
		}
		switch f.Action {
		case apply.Create:
			change.Old = ""
		case apply.Delete:
			change.New = ""
		}
		for _, s := range f.Spans {
			change.Spans = append(change.Spans, unified.Span(s))
		}
		if err := unified.Format(&diff, change); err != nil {
			return fmt.Errorf("printing the diff: %w", err)
		}
	}
	if p := c.printer(c.stdout); p.Color || isTerminal(c.stdout) {
		render.Diff(p, diff.Bytes())
		return nil
	}
	_, err := diff.WriteTo(c.stdout)
	return err
}
