package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/internal/text"
)

// nested looks for edits in the values of an object that is none itself: lists of edits, and the arguments of calls.
func (r *jsonReader) nested(v jsonSpan, start int, ctx jsonContext) {
	for key, value := range jsonMembers(r.text, v) {
		role := jsonRoles(key)
		if role&(jsonNested|jsonPatch|jsonPath) == 0 {
			continue
		}
		inner := ctx
		inner.diffs = key == "diffs" || key == "diff"
		switch {
		case r.kind(value) == '{', r.kind(value) == '[':
			r.value(value, inner)
		case r.kind(value) == '"' && role == jsonNested:
			r.arguments(value, inner) // a list that was encoded twice
		case r.kind(value) == '"' && role&jsonPatch != 0:
			before := len(r.blocks)
			inner.diffs = inner.diffs || key == "patch" || key == "content" && ctx.diffs
			r.patch(value, inner)
			if start > 0 && len(r.blocks) > before && r.blocks[before].StartLine == 0 {
				r.blocks[before].StartLine = start
			}
		}
	}
}

// maxJSONStrings bounds how deep JSON may be nested in strings of JSON.
const maxJSONStrings = 4

// patch understands a string: the arguments of a call as JSON, or text in another format.
func (r *jsonReader) patch(v jsonSpan, ctx jsonContext) {
	quoted := r.text[v.start:v.end]
	if !ctx.diffs && !bytes.Contains(quoted, []byte("*** Begin Patch")) {
		r.arguments(v, ctx)
		return
	}
	inner, ok := r.str(v)
	if !ok {
		return
	}
	line := r.line(v.start)
	var blocks []Block
	var diags []Diagnostic
	if bytes.Contains(inner, []byte("*** Begin Patch")) {
		blocks, diags = readEnvelopes(closed(inner), line, formatV4A)
	} else if blocks, diags = readEnvelopes(closed(inner), line, formatDiff); len(blocks)+len(diags) == 0 {
		blocks, diags = parseBlocks(inner, line)
	}
	if len(blocks)+len(diags) == 0 && ctx.path != "" && !text.Blank(inner) {
		r.diagnose("malformed-envelope", v, "SEARCH/REPLACE blocks or a unified diff", "write the change as a SEARCH/REPLACE block")
	}
	for _, b := range blocks {
		if b.Path == "" {
			b.Path, b.RawPath = ctx.path, ""
		}
		// The lines of the text are not lines of the reply.
		b.Dialect, b.Lines = formatJSON, [2]int{line, line}
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
func (r *jsonReader) arguments(v jsonSpan, ctx jsonContext) {
	inner := bytes.TrimLeft(r.text[v.start+1:v.end-1], " \t\r\n")
	if ctx.depth == maxJSONStrings || len(inner) == 0 || inner[0] != '{' && inner[0] != '[' {
		return
	}
	text, ok := r.str(v)
	if !ok {
		return
	}
	var seen jsonRole
	scan := jsonScanner{key: func(raw []byte) { seen |= jsonRoles(string(raw)) }}
	if _, ok := scan.scan(text); !ok || scan.state != jsonDone {
		if seen&jsonStrong != 0 {
			r.diagnose("malformed-json", v, scan.state.expected(), "send the arguments as valid JSON")
		}
		return
	}
	line := r.line(v.start)
	nested := jsonReader{text: text, line: func(int) int { return line }}
	ctx.depth++
	nested.value(jsonValueAt(text, 0), ctx)
	r.blocks, r.diags = append(r.blocks, nested.blocks...), append(r.diags, nested.diags...)
}
