package main

import (
	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
)

// printStat lists what the plan changes, a line a file.
func (c *command) printStat(plan *apply.Plan) error {
	var files []report.Changed
	for i := range plan.Files {
		f := &plan.Files[i]
		changed := report.Changed{Path: f.Path, From: f.From}
		changed.Added, changed.Removed = f.Count()
		switch f.Action {
		case apply.Create:
			changed.How = "new"
		case apply.Delete:
			changed.How = "gone"
		}
		files = append(files, changed)
	}
	report.Stat(c.printer(c.stdout), files, columns(c.stdout, 80))
	return nil
}
