package parser

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/filename"

	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// jsonRole is what a key means for an edit; roles are bits, so that the keys of a value can be summed up.
type jsonRole uint16

const (
	jsonPath jsonRole = 1 << iota
	jsonOld
	jsonNew
	jsonStrong // a name that only edit calls use: old_string, and not before
	jsonAll
	jsonStart
	jsonEnd
	jsonNested // a list of edits, or the arguments of a call
	jsonPatch  // text in another format: marker blocks or a patch
	jsonCommand
	jsonFileText
	jsonInsertLine
	jsonExpected
)

// jsonRoles is the meaning of a key, in all the spellings that tools use; 0 for any other key.
func jsonRoles(key string) jsonRole {
	switch key {
	case "path", "file_path", "filePath", "filepath", "file", "filename", "file_name", "target_file":
		return jsonPath
	case "old_string", "oldString", "old_str", "oldStr", "old_text", "oldText":
		return jsonOld | jsonStrong
	case "old", "before", "search":
		return jsonOld
	case "new_string", "newString", "new_str", "newStr", "new_text", "newText", "insert_text":
		return jsonNew | jsonStrong
	case "new", "after", "replace":
		return jsonNew
	case "replace_all", "replaceAll", "allow_multiple", "allowMultiple":
		return jsonAll
	case "expected_replacements":
		return jsonExpected
	case "start_line", "startLine":
		return jsonStart
	case "end_line", "endLine":
		return jsonEnd
	case "edits", "edit", "changes", "replacements", "files", "diffs", "tool_calls", "function",
		"functionCall", "function_call", "choices", "message", "candidates", "parts":
		return jsonNested
	case "arguments", "input", "parameters", "params", "args", "command", "cmd":
		if key == "command" {
			return jsonCommand | jsonNested | jsonPatch
		}
		return jsonNested | jsonPatch
	case "diff", "patch", "content":
		return jsonNested | jsonPatch
	case "file_text":
		return jsonFileText
	case "insert_line":
		return jsonInsertLine
	}
	return respelledRoles(key)
}

// respelledRoles is the meaning of a key that is written in other capitals or without underscores, if only edit calls use its
// words: "Old_String", "oldstring".
func respelledRoles(key string) jsonRole {
	var plain [20]byte
	n := 0
	for i := range len(key) {
		c := key[i]
		switch {
		case c == '_' || c == '-':
			continue
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if n == len(plain) {
			return 0
		}
		plain[n] = c
		n++
	}
	switch string(plain[:n]) {
	case "path", "filepath", "filename", "file", "targetfile":
		return jsonPath
	case "oldstring", "oldstr", "oldtext":
		return jsonOld | jsonStrong
	case "newstring", "newstr", "newtext":
		return jsonNew | jsonStrong
	case "replaceall", "allowmultiple":
		return jsonAll
	case "startline":
		return jsonStart
	case "endline":
		return jsonEnd
	}
	return 0
}

// jsonContext is what the objects around an edit say about it.
type jsonContext struct {
	path   string
	diffs  bool // inside a list of diffs, whose content is marker blocks
	writes bool // inside the call of a tool that writes whole files
	depth  int  // of JSON in strings in JSON
}

// writesFiles reports whether a tool of that name takes a path and the whole content of the file.
func writesFiles(name string) bool {
	switch name {
	case "Write", "write", "write_file", "writeFile", "write_to_file", "create_file", "createFile":
		return true
	}
	return false
}

// jsonReader turns a scanned JSON value into blocks.
type jsonReader struct {
	text   []byte
	line   func(offset int) int
	blocks []Block
	diags  []Diagnostic
}

func (r *jsonReader) diagnose(code string, at jsonSpan, expected, remedy string) {
	r.diags = append(r.diags, Diagnostic{Code: code, Line: r.line(at.start), Found: mdline.Excerpt(r.text[at.start:at.end]), Expected: expected, Remedy: remedy})
}

// kind is the first byte of a value: { [ " or that of a number, true, false or null.
func (r *jsonReader) kind(v jsonSpan) byte { return r.text[v.start] }

// str returns the text of a string value; ok is false for other values and, with a diagnostic, for broken ones.
func (r *jsonReader) str(v jsonSpan) (text []byte, ok bool) {
	if r.kind(v) != '"' {
		return nil, false
	}
	text, err := jsonUnquote(r.text[v.start:v.end])
	if err != nil {
		r.diagnose("lone-surrogate", v, "both halves of the pair, or the character itself", "write the character as UTF-8")
		return nil, false
	}
	return text, true
}

// number returns a whole number, also one in quotes; not ok for anything else, or where there is nothing.
func (r *jsonReader) number(v jsonSpan) (n int, ok bool) {
	n, err := strconv.Atoi(strings.Trim(string(r.text[v.start:v.end]), `"`))
	return n, err == nil
}

// isTrue reads a truth value, also one in quotes.
func (r *jsonReader) isTrue(v jsonSpan) bool {
	return strings.EqualFold(strings.Trim(string(r.text[v.start:v.end]), `"`), "true")
}

func (r *jsonReader) value(v jsonSpan, ctx jsonContext) {
	switch r.kind(v) {
	case '{':
		r.object(v, ctx)
	case '[':
		for e := range jsonElements(r.text, v) {
			switch r.kind(e) {
			case '{', '[':
				r.value(e, ctx)
			case '"':
				r.patch(e, ctx)
			}
		}
	}
}

// jsonEdit is an object on its way to a block: the values of the keys that matter.
type jsonEdit struct {
	at                       jsonSpan
	seen                     jsonRole
	old, new, command        jsonSpan
	fileText, insertLine     jsonSpan
	content                  jsonSpan // of a whole file, if there is only a path next to it
	start, end, expectations int
	all                      bool
	lists                    bool     // there are also lists of edits
	strongPair               bool     // search and replace, or a name that only edits use
	contradiction            jsonSpan // a second value of path, old or new text that differs from the first
}

func (r *jsonReader) object(v jsonSpan, ctx jsonContext) {
	e := jsonEdit{at: v}
	broken := len(r.diags)
	keys, named := 0, false
	for key, value := range jsonMembers(r.text, v) {
		role := jsonRoles(key)
		keys++
		switch key {
		case "file_path", "filePath":
			named = true
		case "content":
			e.content = value
		case "name":
			s, ok := r.str(value)
			ctx.writes = ctx.writes || ok && writesFiles(string(s))
		}
		if role&(jsonOld|jsonNew) != 0 && role&jsonStrong == 0 && r.kind(value) != '"' {
			continue // "replace": true
		}
		switch {
		case role&jsonPath != 0:
			if s, ok := r.str(value); ok {
				if e.seen&jsonPath == 0 {
					ctx.path = string(s)
				} else if ctx.path = longerPath(ctx.path, string(s)); ctx.path == "" {
					e.contradiction = value
				}
			} else if role = 0; r.kind(value) == '{' || r.kind(value) == '[' {
				role = jsonNested // Roo's arguments: {"file": [{"path": ...}]}
			}
		case role&jsonOld != 0:
			r.setText(&e, &e.old, value)
		case role&jsonNew != 0:
			r.setText(&e, &e.new, value)
		case role&jsonAll != 0:
			e.all = r.isTrue(value)
		case role&jsonExpected != 0:
			e.expectations, _ = r.number(value)
		case role&jsonStart != 0:
			e.start, _ = r.number(value)
		case role&jsonEnd != 0:
			e.end, _ = r.number(value)
		case role&jsonCommand != 0:
			e.command = value
		case role&jsonFileText != 0:
			r.setText(&e, &e.fileText, value)
		case role&jsonInsertLine != 0:
			e.insertLine = value
		}
		e.seen |= role
		e.lists = e.lists || role == jsonNested && (r.kind(value) == '{' || r.kind(value) == '[')
		e.strongPair = e.strongPair || role&jsonStrong != 0 || key == "search"
	}
	if len(r.diags) > broken {
		return
	}
	switch {
	case e.seen&(jsonOld|jsonNew) != 0 && r.isSchema(v): // the description of a tool
	case e.contradiction.end > 0 && (e.seen&jsonStrong != 0 ||
		(e.seen&jsonPath != 0 || ctx.path != "") && e.seen&(jsonOld|jsonNew|jsonFileText) != 0):
		r.diagnose("malformed-envelope", e.contradiction, "one path, one old and one new text in an edit",
			"give each of them once; write further changes as edits of their own")
	case e.seen&jsonCommand != 0 && r.kind(e.command) == '"' && r.commandEdit(&e, ctx):
	case e.seen&(jsonOld|jsonNew) != 0 && !e.strongPair && !e.lists && isRoute(ctx.path): // a row of data
	case e.seen&(jsonOld|jsonNew) != 0 && (ctx.path != "" || e.strongPair):
		r.edit(&e, ctx)
		if e.lists {
			r.nested(v, e.start, ctx)
		}
	case e.content.end > 0 && r.kind(e.content) == '"' && !ctx.diffs && keys == 2 && e.seen&jsonPath != 0 && (named || ctx.writes):
		if s, ok := r.str(e.content); ok {
			b := r.block(&e, ctx)
			b.Op, b.Replace = OpCreate, s
			r.blocks = append(r.blocks, b)
		}
	case e.seen&(jsonNested|jsonPatch) != 0:
		r.nested(v, e.start, ctx)
	}
}

// isSchema reports whether an object gives the type of each of its keys, as a JSON Schema does.
func (r *jsonReader) isSchema(v jsonSpan) bool {
	for _, value := range jsonMembers(r.text, v) {
		if r.kind(value) != '{' || !r.givesType(value) {
			return false
		}
	}
	return true
}

// givesType reports whether an object names a type of JSON Schema, or a list of them.
func (r *jsonReader) givesType(v jsonSpan) bool {
	for key, value := range jsonMembers(r.text, v) {
		if key != "type" {
			continue
		}
		switch string(r.text[value.start:value.end]) {
		case `"string"`, `"number"`, `"integer"`, `"boolean"`, `"object"`, `"array"`, `"null"`:
			return true
		}
		return r.kind(value) == '['
	}
	return false
}

// isRoute reports whether a path leads to a value or a page and not to a file of a tree: "/name", "/users/1".
func isRoute(name string) bool {
	dir, base := path.Split(name)
	return path.IsAbs(name) && !strings.Contains(base, ".") && !filename.IsKnown(base) && (dir == "/" || strings.Trim(base, "0123456789") == "")
}

// setText takes the value of a key whose role has the given place in the edit. Two keys of one role have to agree.
func (r *jsonReader) setText(e *jsonEdit, place *jsonSpan, value jsonSpan) {
	if place.end > 0 && !bytes.Equal(r.text[place.start:place.end], r.text[value.start:value.end]) {
		e.contradiction = value
	}
	*place = value
}

// longerPath returns the longer one of two paths that may name the same file, as one ends in the other; "" for others.
func longerPath(a, b string) string {
	if len(a) < len(b) {
		a, b = b, a
	}
	if a == b || b == "" || strings.HasSuffix(a, "/"+b) {
		return a
	}
	return ""
}

// edit makes a block of the old and the new text.
func (r *jsonReader) edit(e *jsonEdit, ctx jsonContext) {
	const remedy = `give both: {"path": "a.go", "old_string": "...", "new_string": "..."}`
	if e.seen&jsonOld == 0 {
		if e.seen&jsonStrong != 0 || ctx.path != "" {
			r.diagnose("missing-search", e.at, "old_string next to new_string", remedy)
		}
		return
	}
	if e.seen&jsonNew == 0 {
		if e.seen&jsonStrong != 0 || ctx.path != "" {
			r.diagnose("missing-replace", e.at, "new_string next to old_string", remedy)
		}
		return
	}
	broken := len(r.diags)
	old, okOld := r.str(e.old)
	new, okNew := r.str(e.new)
	if !okOld || !okNew {
		if len(r.diags) == broken {
			r.diagnose("malformed-envelope", e.at, "strings as old and new text", remedy)
		}
		return
	}
	b := r.block(e, ctx)
	b.Op, b.Substring, b.Search, b.Replace, b.ReplaceAll = OpEdit, true, old, new, e.all
	if len(old) == 0 {
		b.Op, b.Substring = OpCreate, false
	}
	if e.expectations > 1 {
		b.ReplaceAll = true
		b.Warnings = append(b.Warnings, "expected_replacements is taken as replace_all")
	}
	if b.ReplaceAll {
		b.Expected = max(e.expectations, 0)
	}
	r.blocks = append(r.blocks, b)
}

func (r *jsonReader) block(e *jsonEdit, ctx jsonContext) Block {
	b := Block{Path: ctx.path, Dialect: formatJSON, Lines: [2]int{r.line(e.at.start), r.line(e.at.end - 1)},
		StartLine: e.start, EndLine: e.end}
	if e.start < 0 || e.end < 0 {
		b.StartLine, b.EndLine = 0, 0
		b.Warnings = append(b.Warnings, "a negative line number is ignored")
	}
	return b
}

// commandEdit understands the commands of Anthropic's editor tool; it returns false for any other command.
func (r *jsonReader) commandEdit(e *jsonEdit, ctx jsonContext) bool {
	command, _ := r.str(e.command)
	b := r.block(e, ctx)
	text := func(v jsonSpan, key string) ([]byte, bool) {
		if v.end > 0 {
			if s, ok := r.str(v); ok || r.kind(v) == '"' {
				return s, ok
			}
		}
		r.diagnose("malformed-envelope", e.at, "the text of the change in "+key, "give "+key+" as a string")
		return nil, false
	}
	switch string(command) {
	case "str_replace":
		if e.seen&jsonNew == 0 && e.seen&jsonOld != 0 { // the tool takes a missing new_str as a deletion
			if old, ok := text(e.old, "old_str"); ok {
				b.Op, b.Substring, b.Search, b.ReplaceAll = OpEdit, true, old, e.all
				r.blocks = append(r.blocks, b)
			}
			return true
		}
		e.seen |= jsonStrong
		r.edit(e, ctx)
	case "create":
		if s, ok := text(e.fileText, "file_text"); ok {
			b.Op, b.Replace = OpCreate, s
			r.blocks = append(r.blocks, b)
		}
	case "insert":
		s, ok := text(e.new, "new_str")
		line, isLine := r.number(e.insertLine)
		switch {
		case !ok:
		case !isLine || line < 0:
			r.diagnose("malformed-envelope", e.at, "insert_line, the line after which the text goes", `give "insert_line": 0 for the beginning of the file`)
		default:
			b.Op, b.Replace, b.StartLine, b.EndLine = OpInsert, s, line, 0
			r.blocks = append(r.blocks, b)
		}
	case "undo_edit":
		r.diagnose("unsupported", e.at, "str_replace, insert or create", "undo the run with srpatch undo")
	case "view":
	default:
		return false
	}
	return true
}
