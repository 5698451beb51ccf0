package main

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/internal/unified"
)

// unifiedDiff is what the plan changes, as git shows it.
func unifiedDiff(plan *apply.Plan) ([]byte, error) {
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
			return nil, fmt.Errorf("printing the diff: %w", err)
		}
	}
	return diff.Bytes(), nil
}

// printDiff writes what the plan changes: for people with colour and without control bytes, for programs as it is. An
// environment that forces colour means reports; no program could apply a coloured diff.
func (c *command) printDiff(plan *apply.Plan) error {
	diff, err := unifiedDiff(plan)
	if err != nil {
		return err
	}
	if c.color == "always" || isTerminal(c.stdout) {
		render.Diff(c.printer(c.stdout), diff)
		return nil
	}
	_, err = c.stdout.Write(diff)
	return err
}
