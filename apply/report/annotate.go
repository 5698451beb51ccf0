package report

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// Annotation is a remark on one line of a file.
type Annotation struct {
	// File is a path relative to the current directory: the file that the block is for, or else the
	// reply.
	File string
	// Line is 1-based.
	Line int
	// Level is "error" if nothing was done there, or "warning" if it was done but should be looked at.
	Level string
	// Message is one line.
	Message string
}

// Annotations returns what a run refused, what it warns of, and why it wasn't committed, in the
// order of the report. dir is the tree's directory. reply is the name of the reply, for remarks
// that belong to no file.
func (r *Run) Annotations(dir, reply string) (all []Annotation) {
	const refused, warned = "error", "warning"
	add := func(file string, line int, level, message string) {
		message = Clean(strings.ReplaceAll(message, "\n", " "))
		all = append(all, Annotation{file, max(line, 1), level, message})
	}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		file, line := reply, 1
		if b.Path != "" {
			file, line = filepath.Join(dir, filepath.FromSlash(b.Path)), lineOf(b)
		} else if b.Block != nil {
			line = b.Block.Lines[0]
		}
		block := fmt.Sprintf("block %d: ", b.ID)
		if b.Status == apply.BlockFailed {
			says := strings.TrimSuffix(string(b.Reason)+": "+message(b), ": ") // without a message
			add(file, line, refused, block+says)
		}
		for _, w := range b.Warnings {
			add(file, line, warned, block+w)
		}
	}
	for i := range r.Located {
		d := &r.Located[i]
		remedy, _, _ := strings.Cut(d.Remedy, ":\n") // a block may follow
		add(cmp.Or(d.Reply, reply), d.Line, refused,
			fmt.Sprintf("%s: found %s, expected %s; %s", d.Code, clip(d.Found, 160), d.Expected, remedy))
	}
	if c := r.Commit; c != nil && c.Error != nil {
		add(reply, 1, refused, c.Error.Code+": "+c.Error.Message+"; the files are written")
	}
	if r.Error != nil {
		add(reply, 1, refused, r.Error.Code+": "+r.Error.Message)
	}
	return all
}

// lineOf returns the line of its file that a block is about: where it was placed or, if it was
// refused, where the objection, the first candidate or the nearest text is. It returns 1 if no line
// is known.
func lineOf(b *apply.BlockReport) int {
	switch {
	case b.Lines != nil:
		return b.Lines[0]
	case b.Objection != nil && b.Objection.File > 0:
		return b.Objection.File
	case len(b.Candidates) > 0:
		return b.Candidates[0]
	case b.Nearest != nil:
		return b.Nearest.Lines[0]
	}
	return 1
}

// Annotate writes "file:line:col: error: message", as compilers do, for editors, quickfix lists and
// reviewdog. If github is set, it writes workflow commands of GitHub instead, which put notes on
// lines.
func Annotate(w io.Writer, list []Annotation, github bool) (err error) {
	property := strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
	for _, a := range list {
		file := Clean(a.File)
		line := fmt.Sprintf("%s:%d:1: %s: %s\n", file, a.Line, a.Level, a.Message)
		if github {
			line = fmt.Sprintf("::%s file=%s,line=%d,col=1,title=srpatch::%s\n", a.Level,
				property.Replace(filepath.ToSlash(file)), a.Line, strings.ReplaceAll(a.Message, "%", "%25"))
		}
		if _, err = io.WriteString(w, line); err != nil {
			break
		}
	}
	return err
}
