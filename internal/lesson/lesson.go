// Package lesson contains the instructions that teach a model how to write its edits. The command
// and the server print them.
package lesson

import (
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
)

// Formats returns the formats that can be taught to a model. A reply may be restricted to any of
// them.
func Formats() []string {
	markers := []string{"aider", "cline", "original-updated", "head-updated"}
	return append(markers, parser.EnvelopeFormats()...)
}

// The text that is changed in the examples, and the new file in them.
const (
	file    = "path/to/file.py"
	added   = "path/to/new.py"
	before  = "def area(self):\n    return self.w + self.h\n"
	after   = "def area(self):\n    return self.w * self.h\n"
	hunk    = " def area(self):\n-    return self.w + self.h\n+    return self.w * self.h\n"
	created = "SIDES = 4\n"
)

// lesson describes how to teach a format: what an edit is called, what its two sides are called,
// and examples.
type lesson struct {
	what, old, new string
	// escape says how to write text that looks like the format's syntax, or is "" if that can't
	// happen.
	escape string
	// edit and create are examples. If create is "", a new file is an edit with an empty old text.
	edit, create string
	// remove and rename are examples, if the format can delete and move files.
	remove, rename string
}

// lessons returns the lessons for formats other than marker blocks.
func lessons() map[string]lesson {
	return map[string]lesson{
		"v4a": {
			what:   "a patch of this form",
			edit:   "*** Begin Patch\n*** Update File: path/to/file.py\n" + hunk + "*** End Patch\n",
			create: "*** Begin Patch\n*** Add File: path/to/new.py\n+SIDES = 4\n*** End Patch\n",
		},
		"diff": {
			what: "a unified diff in git's format, but without line numbers",
			edit: "diff --git a/path/to/file.py b/path/to/file.py\n" +
				"--- a/path/to/file.py\n+++ b/path/to/file.py\n@@ @@\n" + hunk,
			create: "diff --git a/path/to/new.py b/path/to/new.py\nnew file mode 100644\n--- /dev/null\n" +
				"+++ b/path/to/new.py\n@@ @@\n+SIDES = 4\n",
			remove: "diff --git a/path/to/old.py b/path/to/old.py\ndeleted file mode 100644\n",
			rename: "diff --git a/path/to/name.py b/path/to/better_name.py\nrename from path/to/name.py\n" +
				"rename to path/to/better_name.py\n",
		},
		"json": {
			what: "a JSON object on a line by itself", old: "old_string", new: "new_string",
			edit:   fmt.Sprintf(`{"path": %q, "old_string": %q, "new_string": %q}`+"\n", file, before, after),
			create: fmt.Sprintf(`{"command": "create", "path": %q, "file_text": %q}`+"\n", added, created),
		},
		"roo-xml": {
			what: "a call of this form", old: "SEARCH", new: "REPLACE", escape: asTheyAre,
			edit: "<apply_diff>\n<args>\n<file>\n  <path>path/to/file.py</path>\n  <diff>\n" +
				"    <content><![CDATA[\n<<<<<<< SEARCH\n" + before + "=======\n" + after + ">>>>>>> REPLACE\n" +
				"]]></content>\n  </diff>\n</file>\n</args>\n</apply_diff>\n",
		},
		"zed": betweenTags("old_text", "new_text"),
		"tool-xml": {
			what: "a call of this form", old: "old_string", new: "new_string", escape: asTheyAre,
			edit:   call("Edit", "file_path", file, "old_string", "\n"+before, "new_string", "\n"+after),
			create: call("Write", "file_path", added, "content", "\n"+created),
		},
	}
}

const asTheyAre = "Write < and & in the text unchanged, not as &lt; and &amp;."

// betweenTags returns the lesson for a format that puts each side of an edit between tags.
func betweenTags(old, new string) lesson {
	return lesson{
		what: "a pair of tags", old: old, new: new, escape: asTheyAre,
		edit: fmt.Sprintf("<%s file_path=%q>\n%s</%[1]s>\n<%[4]s>\n%s</%[4]s>\n",
			old, file, before, new, after),
	}
}

// call returns a call of a tool. params alternates between the names and the values of its
// parameters.
func call(tool string, params ...string) string {
	all := fmt.Sprintf("<invoke name=%q>\n", tool)
	for i := 0; i < len(params); i += 2 {
		all += fmt.Sprintf("<parameter name=%q>%s</parameter>\n", params[i], params[i+1])
	}
	return all + "</invoke>\n"
}

// lessonOf returns the lesson for a format.
func lessonOf(format string) lesson {
	d, ok := fsm.DialectNamed(format)
	if !ok {
		return lessons()[format]
	}
	old, new := d.Labels()
	article := "a "
	if strings.ContainsAny(old[:1], "AEIO") {
		article = "an "
	}
	return lesson{
		what: article + old + "/" + new + " block, with the file's path on the line above its fence",
		old:  old, new: new,
		escape: "If the text contains lines that look like markers, make all three markers of that block " +
			"longer: nine characters instead of seven.",
	}
}

// In returns the instructions for a format. "" means aider's format.
func In(format string) (string, error) {
	if format == "" {
		format = fsm.Aider.String()
	}
	l := lessonOf(format)
	if l.edit != "" && l.create == "" {
		l.create = strings.NewReplacer(file, added, before, "", after, created).Replace(l.edit)
	}
	p := lessonText{format: format}
	p.paragraph("Write every change to a file as " + l.what + ":")
	p.example(l.edit, parser.Block{Op: parser.OpEdit, Path: file,
		Search: []byte(before), Replace: []byte(after)})
	p.paragraph("The rules:")
	repeats, within, lines, fit := l.old+" repeats", "inside it", l.old, "it does"
	afterwards := l.new + " is the complete new text of the lines in " + l.old + ", indented as in the file. " +
		"If it is empty, the lines are deleted."
	if l.old == "" { // a patch
		repeats, within = `The lines that begin with a blank or with "-" repeat`, "between them"
		lines, fit = "These lines", "they do"
		afterwards = `The lines that begin with a blank or with "+" are the new text, ` +
			`indented as in the file. Lines with "-" and no "+" lines to replace them are deleted.`
	}
	p.rule(repeats + " whole lines of the file exactly, with their indentation, quotes, comments and blank " +
		"lines. Leave nothing out " + within + `, and never write "..." or "rest of the code" ` +
		"in place of unchanged lines.")
	p.rule(lines + " must match only one place in the file. Add neighbouring lines until " + fit +
		"; two or three are usually enough.")
	p.rule(afterwards)
	p.rule("Use a separate edit for each place, and several small edits rather than a big one; give each " +
		"its path, relative to the root of the tree. Several edits may change the same file; each of them " +
		"refers to the file as it was given to you.")
	if l.escape != "" {
		p.rule(l.escape)
	}
	p.rule("For a new file, write the whole file:")
	p.example(l.create, parser.Block{Op: parser.OpCreate, Path: added, Replace: []byte(created)})
	p.rule("To delete a file or to move one, write:")
	p.example(l.remove, parser.Block{Op: parser.OpDelete, Path: "path/to/old.py"})
	p.example(l.rename, parser.Block{Op: parser.OpMove,
		Path: "path/to/name.py", NewPath: "path/to/better_name.py"})
	p.paragraph("You may explain the changes in prose between the edits.")
	return strings.TrimRight(p.b.String(), "\n") + "\n", p.err
}

// lessonText builds the text of a lesson.
type lessonText struct {
	format string
	b      strings.Builder
	rules  int
	err    error
}

// columns is the maximum width of a line of prose.
const columns = 120

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

// example writes an example: the literal text, or the block b if literal is "".
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
