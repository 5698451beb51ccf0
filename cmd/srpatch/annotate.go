package main

import (
	"bytes"
	"cmp"
	"io"
	"regexp"

	"github.com/srpatch/srpatch/apply/report"
)

// printAnnotations writes what was refused, what should be checked, and why a run failed, in the
// form of --annotate. u is nil if the replies couldn't be read. Remarks that are about no file of
// the tree are put on the reply, named "-" if it came from stdin or if there are several. stdout is
// a *defused for --annotate=github; only these annotations may be commands there.
func (c *command) printAnnotations(r *report.Run, u *understood) error {
	reply := "-"
	switch {
	case u != nil && len(u.names) == 1:
		reply = cmp.Or(u.names[0], reply)
	case u == nil && len(c.args) == 1:
		reply = c.args[0]
	}
	list := r.Annotations(c.dir, reply)
	if c.batch != nil { // say which of the replies a remark on another file is about
		for i := range list {
			if a := &list[i]; a.File != c.batch.reply {
				a.Message = report.Clean(c.batch.reply) + ": " + a.Message
			}
		}
	}
	if out, ok := c.stdout.(*defused); ok {
		return report.Annotate(out.w, list, true /* github */)
	}
	return report.Annotate(c.stdout, list, false /* github */)
}

// defused writes text so that GitHub's runner finds no command in it. A command is a line that
// begins with ::, possibly after blanks, or contains ##[ anywhere. A defused holds back an
// incomplete line.
type defused struct {
	w    io.Writer
	rest []byte
}

// Write writes the complete lines, and keeps the rest for the next call.
func (d *defused) Write(p []byte) (int, error) {
	d.rest = append(d.rest, p...)
	whole := bytes.LastIndexByte(d.rest, '\n') + 1
	_, err := d.w.Write(withoutCommands(d.rest[:whole]))
	d.rest = d.rest[whole:]
	return len(p), err
}

// flush writes the last line, if it has no line end.
func (d *defused) flush() error {
	_, err := d.w.Write(withoutCommands(d.rest))
	d.rest = nil
	return err
}

// withoutCommands puts a backslash into what GitHub's runner would take for a command: ::set-env
// becomes \::set-env, and ##[error] becomes ##\[error].
func withoutCommands(lines []byte) []byte {
	begins := regexp.MustCompile(`((?:^|[\r\n])[\s\v\p{Z}\x{85}\x{feff}]*)::`)
	return bytes.ReplaceAll(begins.ReplaceAll(lines, []byte(`${1}\::`)), []byte("##["), []byte(`##\[`))
}
