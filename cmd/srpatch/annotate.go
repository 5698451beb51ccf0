package main

import (
	"cmp"

	"github.com/srpatch/srpatch/internal/render"
)

// printAnnotations writes what was refused, what should be looked at, and why a run came to nothing, for another program.
func (c *command) printAnnotations(o render.Outcome, u *understood, failure error) error {
	reply := "-"
	switch {
	case u != nil && len(u.names) == 1:
		reply = cmp.Or(u.names[0], reply)
	case u == nil && len(c.args) == 1:
		reply = c.args[0]
	}
	list := render.Annotations(o, c.dir, reply)
	if failure != nil {
		list = append(list, render.AnnotationOf(failure, code(failure), reply))
	}
	if c.batch != nil {
		for i := range list {
			if a := &list[i]; a.File != c.batch.reply {
				a.Message = render.Clean(c.batch.reply) + ": " + a.Message
			}
		}
	}
	if c.annotate == "github" {
		return render.AnnotateGitHub(c.stdout, list)
	}
	return render.AnnotateLines(c.stdout, list)
}
