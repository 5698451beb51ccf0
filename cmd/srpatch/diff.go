package main

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/internal/unified"
)

// unifiedDiff is what the plan changes, as git shows it.
func unifiedDiff(plan *apply.Plan) ([]byte, error) {
	var diff bytes.Buffer
	for i := range plan.Files {
		if err := unified.Format(&diff, change(&plan.Files[i])); err != nil {
			return nil, fmt.Errorf("printing the diff: %w", err)
		}
	}
	return diff.Bytes(), nil
}

// change is what becomes of a file, for a diff.
func change(f *apply.FileChange) unified.Change {
	c := unified.Change{Old: cmp.Or(f.From, f.Path), New: f.Path, Before: f.Before, After: f.After}
	switch f.Action {
	case apply.Create:
		c.Old = ""
	case apply.Delete:
		c.New = ""
	}
	for _, s := range f.Spans {
		c.Spans = append(c.Spans, unified.Span(s))
	}
	return c
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
