package main

import (
	"cmp"

	"github.com/srpatch/srpatch/internal/render"
)

// printAnnotations writes what was refused, and what should be looked at, for another program.
func (c *command) printAnnotations(o render.Outcome, u *understood) error {
	reply := ""
	if u != nil && len(u.names) == 1 {
		reply = u.names[0]
	}
	list := render.Annotations(o, c.dir, cmp.Or(reply, "-"))
	if c.annotate == "github" {
		return render.AnnotateGitHub(c.stdout, list)
	}
	return render.AnnotateLines(c.stdout, list)
}
