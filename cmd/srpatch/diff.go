package main

import (
	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
)

// printDiff writes what the plan changes: for people with colour and without control bytes, for programs as it is. An
// environment that forces colour means reports; no program could apply a coloured diff.
func (c *command) printDiff(plan *apply.Plan) error {
	diff := plan.Diff()
	if c.color == "always" || isTerminal(c.stdout) {
		report.Diff(c.printer(c.stdout), diff)
		return nil
	}
	_, err := c.stdout.Write(diff)
	return err
}
