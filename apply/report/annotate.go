package report

import (
	"cmp"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"io"
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// Annotation is one thing that a run says of one line of a file.
type Annotation struct {
	// File is where it is, as a path from the current directory: the file that the block is for, or else the reply.
	File string
	// Line and Column are 1-based.
	Line, Column int
	// Refused: nothing was done there. Else it was, and should be looked at.
	Refused bool
	// Message is one line.
	Message string
}

// Annotations are what a run refused, and what it warns of, in the order of the report, and why it was not committed. dir is the tree's directory; reply is the name
// of the reply, for what names no file.
func Annotations(o Outcome, dir, reply string) (all []Annotation) {
	for i := range o.Blocks {
		b := &o.Blocks[i]
		at := Annotation{File: reply, Line: 1, Column: 1}
		if b.Path != "" {
			at.File, at.Line = filepath.Join(dir, filepath.FromSlash(b.Path)), lineOf(b)
		} else if b.Block != nil {
			at.Line = b.Block.Lines[0]
		}
		said := func(refused bool, parts ...string) {
			at.Refused, at.Message = refused, fmt.Sprintf("block %d: %s", b.ID, oneLine(strings.Join(parts, ": ")))
			all = append(all, at)
		}
		if b.Status == apply.BlockFailed {
			reason := string(b.Reason)
			if why := message(b); why != "" {
				reason += ": " + why
			}
			said(true, reason)
		}
		for _, w := range b.Warnings {
			said(false, w)
		}
	}
	for i := range o.Diagnostics {
		d := &o.Diagnostics[i]
		remedy, _, _ := strings.Cut(d.Remedy, ":\n")
		all = append(all, Annotation{
			File: cmp.Or(d.Reply, reply), Line: max(d.Line, 1), Column: 1, Refused: true,
			Message: oneLine(fmt.Sprintf("%s: found %s, expected %s; %s", d.Code, clip(d.Found, 160), d.Expected, remedy)),
		})
	}
	if c := o.Commit; c != nil && c.Error != nil {
		all = append(all, Annotation{File: reply, Line: 1, Column: 1, Refused: true, Message: oneLine(c.Error.Code + ": " + c.Error.Message + "; the files are written")})
	}
	return all
}

// AnnotationOf is that of an error, by which a run came to nothing.
func AnnotationOf(err error, code, reply string) Annotation {
	return Annotation{File: reply, Line: 1, Column: 1, Refused: true, Message: oneLine(code + ": " + remedy.Words(err))}
}

// lineOf is the line of its file that a block is about, as far as that is known.
func lineOf(b *apply.BlockReport) int {
	switch {
	case b.Lines != nil:
		return max(b.Lines[0], 1)
	case b.Objection != nil && b.Objection.File > 0:
		return b.Objection.File
	case len(b.Candidates) > 0:
		return b.Candidates[0]
	case b.Nearest != nil:
		return b.Nearest.Lines[0]
	}
	return 1
}

func oneLine(s string) string { return Clean(strings.ReplaceAll(s, "\n", " ")) }

// AnnotateLines writes "file:line:col: error: message", as compilers do and editors, quickfix lists and reviewdog read.
func AnnotateLines(w io.Writer, list []Annotation) error {
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", Clean(a.File), a.Line, a.Column, a.level(), a.Message)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// AnnotateGitHub writes the commands by which a step of a GitHub workflow puts notes on lines.
func AnnotateGitHub(w io.Writer, list []Annotation) error {
	data := strings.NewReplacer("%", "%25")
	property := strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintf(&b, "::%s file=%s,line=%d,col=%d,title=srpatch::%s\n",
			a.level(), property.Replace(Clean(filepath.ToSlash(a.File))), a.Line, a.Column, data.Replace(a.Message))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (a *Annotation) level() string {
	if a.Refused {
		return "error"
	}
	return "warning"
}
