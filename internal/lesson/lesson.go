// Package lesson has the instructions that teach a model to write its edits, for whoever hands them
// on: the command and the server.
package lesson

import (
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
)

// Formats are those that a model can be taught, and that a reply may be restricted to.
func Formats() []string {
	return append([]string{"aider", "cline", "original-updated", "head-updated"}, parser.EnvelopeFormats()...)
}

// lesson is how a format is taught: what an edit is called, and where the two sides of it are.
type lesson struct {
	what, old, new string
	// lines says that both sides are the lines of a patch.
	lines bool
	// escape says what to do about text that looks like the format's own; "" where that cannot be.
	escape string
}

// lessonOf is the lesson of a format.
func lessonOf(format string) lesson {
	if d, ok := fsm.DialectNamed(format); ok {
		old, new := d.Labels()
		article := "a "
		if strings.ContainsAny(old[:1], "AEIO") {
			article = "an "
		}
		return lesson{
			what: article + old + "/" + new + " block, with the file's path on the line above its fence", old: old, new: new,
			escape: "If the text has lines that look like the markers, make all three markers of that block longer: " +
				"nine characters instead of seven.",
		}
	}
	const cdata = "Write < and & in the text as they are, not as &lt; and &amp;."
	return map[string]lesson{
		"v4a":      {what: "a patch of this form", lines: true},
		"diff":     {what: "a unified diff, as git writes it but without numbers of lines", lines: true},
		"json":     {what: "an object in JSON on a line of its own", old: "old_string", new: "new_string"},
		"roo-xml":  {what: "a call of this form", old: "SEARCH", new: "REPLACE", escape: cdata},
		"zed":      {what: "a pair of tags", old: "old_text", new: "new_text", escape: cdata},
		"sweep":    {what: "a pair of tags", old: "original_code", new: "new_code", escape: cdata},
		"tool-xml": {what: "a call of this form", old: "old_string", new: "new_string", escape: cdata},
	}[format]
}

// In is how a model is taught to write edits in the format; "" is aider's.
func In(format string) (string, error) {
	if format == "" {
		format = fsm.Aider.String()
	}
	l := lessonOf(format)
	p := lessonText{format: format}
	p.paragraph("Write every change to a file as " + l.what + ":")
	all := examples(format)
	p.example(all[0], parser.Block{Op: parser.OpEdit, Path: "path/to/file.py",
		Search: []byte(before), Replace: []byte(after)})
	p.paragraph("The rules:")
	if l.lines {
		p.rule(`The lines that begin with a blank or with "-" repeat whole lines of the file exactly as they are there: indentation, quotes, comments, blank lines. Leave nothing out between them, and never write "..." or "rest of the code" for lines that stay.`)
		p.rule(`These lines must fit one place of the file only. Take in neighbouring lines until they do; two or three are mostly enough.`)
		p.rule(`The lines that begin with a blank or with "+" are what is there afterwards, indented as in the file. Lines with "-" alone are deleted.`)
	} else {
		p.rule(l.old + ` repeats whole lines of the file exactly as they are there: indentation, quotes, comments, blank lines. ` +
			`Leave nothing out inside it, and never write "..." or "rest of the code" for lines that stay.`)
		p.rule(l.old + ` must fit one place of the file only. Take in neighbouring lines until it does; two or three are mostly enough.`)
		p.rule(l.new + ` is what is there afterwards, complete and indented as in the file. If it is empty, the lines are deleted.`)
	}
	p.rule("Use one edit for each place, small ones rather than a big one, each with its path, relative to the root of the tree. Several edits may change one file; all of them refer to the file as it was given to you.")
	if l.escape != "" {
		p.rule(l.escape)
	}
	p.rule("For a new file, write all of it:")
	if all[0] != "" && all[1] == "" {
		all[1] = creation(all[0])
	}
	p.example(all[1], parser.Block{Op: parser.OpCreate, Path: "path/to/new.py", Replace: []byte("SIDES = 4\n")})
	p.rule("To delete a file, and to move one, write:")
	p.example(all[2], parser.Block{Op: parser.OpDelete, Path: "path/to/old.py"})
	p.example(all[3], parser.Block{Op: parser.OpMove, Path: "path/to/name.py", NewPath: "path/to/better_name.py"})
	p.paragraph("You may explain the changes in prose between the edits.")
	return strings.TrimRight(p.b.String(), "\n") + "\n", p.err
}

// lessonText is the text of a lesson that is being written.
type lessonText struct {
	format string
	b      strings.Builder
	rules  int
	err    error
}

func (p *lessonText) paragraph(words string) {
	text.Fill(&p.b, strings.Fields(words), 0, 0, columns)
	p.b.WriteString("\n\n")
}

func (p *lessonText) rule(words string) {
	p.rules++
	fmt.Fprintf(&p.b, "%d. ", p.rules)
	text.Fill(&p.b, strings.Fields(words), 3, 3, columns)
	p.b.WriteByte('\n')
	if strings.HasSuffix(words, ":") {
		p.b.WriteByte('\n')
	}
}

// example writes an example: its text, or a block where that is "".
func (p *lessonText) example(literal string, b parser.Block) {
	if literal == "" {
		b.ID, b.Dialect = 1, p.format
		text, err := parser.Format([]parser.Block{b})
		if err != nil {
			p.err = err
		}
		literal = string(text)
	}
	p.b.WriteString(strings.TrimRight(literal, "\n") + "\n\n")
}

// columns is how wide the lines of prose are.
const columns = 120
