package envelope

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// nested looks for edits in the values of an object that is none itself: lists of edits, and the arguments of calls.
func (r *jsonReader) nested(v jsontext.Span, start int, ctx jsonContext) {
	before := r.found()
	var files []fileList
	defer func() { r.fileLists(files, r.found() > before, ctx.path) }()
	for key, value := range jsontext.Members(r.text, v) {
		role := jsontext.Roles(key)
		if role&(jsontext.Nested|jsontext.Patch|jsontext.Path) == 0 {
			continue
		}
		if kind := listed(key); kind != 0 && r.kind(value) == '[' {
			files = append(files, fileList{kind, value})
			continue
		}
		inner := ctx
		inner.given = ctx.given || ctx.named && isArguments(key)
		if key == "creates" {
			inner.tool |= writes
		}
		inner.edits = key == "edits" || key == "edit" || key == "changes" || key == "replacements" || key == "operations"
		inner.diffs = ctx.diffs && key == "content" || key == "diffs" || key == "diff"
		switch {
		case r.kind(value) == '{', r.kind(value) == '[':
			r.value(value, inner)
		case r.kind(value) == '"' && role == jsontext.Nested:
			r.arguments(value, inner) // a list that was encoded twice
		case r.kind(value) == '"' && role&jsontext.Patch != 0:
			before := len(r.blocks)
			inner.diffs = inner.diffs || key == "patch" || key == "content" && ctx.diffs
			r.patch(value, inner)
			if start > 0 && len(r.blocks) > before && r.blocks[before].StartLine == 0 {
				r.blocks[before].StartLine = start
			}
		}
	}
}

// listed is what becomes of the files in a list next to edits.
func listed(key string) toolKind {
	switch key {
	case "deletes":
		return deletes | asks
	case "renames", "moves":
		return moves | asks
	}
	return 0
}

// maxJSONStrings bounds how deep JSON may be nested in strings of JSON.
const maxJSONStrings = 4

// patch understands a string: the arguments of a call as JSON, or text in another format.
func (r *jsonReader) patch(v jsontext.Span, ctx jsonContext) {
	quoted := r.text[v.Start:v.End]
	if inner := bytes.TrimLeft(quoted[1:], " \t"); !ctx.diffs && !bytes.Contains(quoted, []byte("*** Begin Patch")) || inner[0] == '{' || inner[0] == '[' {
		r.arguments(v, ctx)
		return
	}
	inner, ok := r.str(v)
	if !ok {
		return
	}
	line := r.line(v.Start)
	var blocks []Block
	var diags []Fault
	if bytes.Contains(inner, []byte("*** Begin Patch")) {
		blocks, diags = Read(closed(inner), line, V4A, r.markers)
	} else if blocks, diags = Read(closed(inner), line, Diff, r.markers); len(blocks)+len(diags) == 0 {
		blocks, diags = r.markers.Read(inner, line)
	}
	if len(blocks)+len(diags) == 0 && ctx.path != "" && !text.Blank(inner) {
		r.diagnose(diagnosis.Malformed, v, "SEARCH/REPLACE blocks or a unified diff", "write the change as a SEARCH/REPLACE block")
	}
	for _, b := range blocks {
		if b.Path == "" {
			b.Path, b.RawPath = ctx.path, ""
		}
		// The lines of the text are not lines of the reply.
		b.Dialect, b.Lines = JSON, [2]int{line, line}
		for i := range b.Readings {
			b.Readings[i].Divider = line
		}
		r.blocks = append(r.blocks, b)
	}
	for _, d := range diags {
		d.Line = line
		r.diags = append(r.diags, d)
	}
}

// closed returns a patch with the end of a fence after it: the string of the patch has an end, so nothing was cut off.
func closed(patch []byte) []byte {
	if !mdline.Ended(patch) {
		patch = append(patch, '\n')
	}
	return append(patch, "```\n"...)
}

// arguments understands JSON in a string, as the arguments of calls come.
func (r *jsonReader) arguments(v jsontext.Span, ctx jsonContext) {
	inner := bytes.TrimLeft(r.text[v.Start+1:v.End-1], " \t\r\n")
	if ctx.depth == maxJSONStrings || len(inner) == 0 || inner[0] != '{' && inner[0] != '[' {
		return
	}
	text, ok := r.str(v)
	if !ok {
		return
	}
	var seen jsontext.Role
	scan := jsontext.Scanner{Key: func(raw []byte) { seen |= jsontext.Roles(string(raw)) }}
	if _, ok := scan.Scan(text); !ok || !scan.Done() {
		if seen&jsontext.Strong != 0 {
			r.diagnose(diagnosis.Malformed, v, scan.Expected(), "send the arguments as valid JSON")
		}
		return
	}
	line := r.line(v.Start)
	nested := jsonReader{markers: r.markers, text: text, line: func(int) int { return line }}
	ctx.depth++
	nested.value(jsontext.ValueAt(text, 0), ctx)
	r.blocks, r.diags, r.looks = append(r.blocks, nested.blocks...), append(r.diags, nested.diags...), r.looks || nested.looks
}
