package envelope

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// jsonContext is what the objects around an edit say about it.
type jsonContext struct {
	path  string
	hash  string   // that the file must have
	diffs bool     // inside a list of diffs, whose content is marker blocks
	tool  toolKind // of the call that it is inside of
	edits bool     // inside a list of edits
	named bool     // the object names a tool
	given bool     // inside the arguments of a call, where no other one is named
	// partial says that a call has more than the name of a file, and may mean a part of the file.
	partial bool
	// misnamed says that a file is named in a way that is not understood: then the one named in the text above is another one.
	misnamed bool
	depth    int // of JSON in strings in JSON
}

// jsonReader turns a scanned JSON value into blocks.
type jsonReader struct {
	markers Markers
	text    []byte
	line    func(offset int) int
	blocks  []Block
	diags   []Fault
	looks   bool // a call only looks at a file
}

func (r *jsonReader) diagnose(code string, at jsontext.Span, expected, remedy string) {
	r.diags = append(r.diags, Fault{Code: code, Line: r.line(at.Start), Found: mdline.Excerpt(r.text[at.Start:at.End]), Expected: expected, Remedy: remedy})
}

// kind is the first byte of a value: { [ " or that of a number, true, false or null.
func (r *jsonReader) kind(v jsontext.Span) byte { return r.text[v.Start] }

// str returns the text of a string value; ok is false for other values and, with a diagnostic, for broken ones.
func (r *jsonReader) str(v jsontext.Span) (text []byte, ok bool) {
	if r.kind(v) != '"' {
		return nil, false
	}
	text, err := jsontext.Unquote(r.text[v.Start:v.End])
	if err != nil {
		r.diagnose(diagnosis.Malformed, v, "both halves of the pair, or the character itself", "write the character as UTF-8")
		return nil, false
	}
	return text, true
}

// number returns a whole number, also one in quotes; not ok for anything else, or where there is nothing.
func (r *jsonReader) number(v jsontext.Span) (n int, ok bool) {
	n, err := strconv.Atoi(strings.Trim(string(r.text[v.Start:v.End]), `"`))
	return n, err == nil
}

// isTrue reads a truth value, also one in quotes.
func (r *jsonReader) isTrue(v jsontext.Span) bool {
	return strings.EqualFold(strings.Trim(string(r.text[v.Start:v.End]), `"`), "true")
}

func (r *jsonReader) value(v jsontext.Span, ctx jsonContext) {
	switch r.kind(v) {
	case '{':
		r.object(v, ctx)
	case '[':
		var unread []jsontext.Span
		blocks, broken := len(r.blocks), len(r.diags)
		for e := range jsontext.Elements(r.text, v) {
			before := r.found()
			switch r.kind(e) {
			case '{', '[':
				r.value(e, ctx)
			case '"':
				r.patch(e, ctx)
			}
			if r.found() == before && ctx.edits && r.kind(e) != '[' {
				unread = append(unread, e)
			}
		}
		if edits := len(r.blocks) > blocks; edits || len(r.diags) == broken {
			r.leftOut(unread, ctx.path, edits)
		}
	}
}

// jsonEdit is an object on its way to a block: the values of the keys that matter.
type jsonEdit struct {
	at                       jsontext.Span
	seen                     jsontext.Role
	old, new, command        jsontext.Span
	fileText, insertLine     jsontext.Span
	content                  jsontext.Span // of a whole file, if there is only a path next to it
	sketch                   jsontext.Span // a text for a model to apply
	op                       string        // what is to be done at an anchor
	anchored                 bool          // at an anchor
	tagged                   bool          // at lines with their hashes
	start, end, expectations int
	all                      bool
	pattern                  bool          // the old text is a pattern, or its case does not count
	lists                    bool          // there are also lists of edits
	strongPair               bool          // search and replace, or a name that only edits use
	contradiction            jsontext.Span // a second value of path, old or new text that differs from the first
}

func (r *jsonReader) object(v jsontext.Span, ctx jsonContext) {
	e := jsonEdit{at: v}
	ctx.misnamed = ctx.misnamed || r.misnames(v)
	broken, before, first := len(r.diags), r.found(), len(r.blocks)
	keys, named := 0, false
	called := r.toolIn(v, &ctx)
	for key, value := range jsontext.Members(r.text, v) {
		role := jsontext.Roles(key)
		keys++
		switch key {
		case "file_path", "filePath":
			named = true
		case "content":
			e.content = value
		case "code", "code_edit":
			e.sketch = value
			named = named || key == "code_edit"
		case "op":
			if s, ok := r.str(value); ok {
				e.op = string(s)
			}
		case "expected_hash":
			if s, ok := r.str(value); ok && r.kind(value) == '"' {
				ctx.hash = string(s)
			}
		case "line":
			if ctx.tool&inserts != 0 {
				e.insertLine = value
			}
		}
		if role&(jsontext.Old|jsontext.New) != 0 && role&jsontext.Strong == 0 && r.kind(value) != '"' {
			continue // "replace": true
		}
		switch {
		case role&jsontext.Path != 0:
			if s, ok := r.str(value); ok {
				if e.seen&jsontext.Path == 0 {
					ctx.path = string(s)
				} else if ctx.path = longerPath(ctx.path, string(s)); ctx.path == "" {
					e.contradiction = value
				}
			} else if role = 0; r.kind(value) == '{' || r.kind(value) == '[' {
				role = jsontext.Nested // Roo's arguments: {"file": [{"path": ...}]}
			}
		case role&jsontext.Old != 0:
			r.setText(&e, &e.old, value)
		case role&jsontext.New != 0:
			r.setText(&e, &e.new, value)
		case role&jsontext.All != 0:
			e.all = r.isTrue(value)
		case role&jsontext.ExpectedCount != 0:
			var ok bool
			if e.expectations, ok = r.number(value); !ok || e.expectations < 1 {
				r.diagnose(diagnosis.Malformed, value, "a whole number, 1 or more, as expected_replacements", "say how often old_string occurs, or leave expected_replacements out to change one place")
			}
		case role&jsontext.StartLine != 0:
			e.start, _ = r.number(value)
		case role&jsontext.EndLine != 0:
			e.end, _ = r.number(value)
		case role&jsontext.Command != 0:
			e.command = value
		case role&jsontext.FileText != 0:
			r.setText(&e, &e.fileText, value)
		case role&jsontext.InsertLine != 0:
			e.insertLine = value
		case role&jsontext.Anchor != 0:
			s, _ := r.str(value)
			e.tagged = e.tagged || r.kind(value) == '{' && key != "pos" && key != "anchor" || key == "pos" && bytes.ContainsAny(s, "#:")
			e.anchored = e.anchored || key == "anchor" && r.kind(value) == '"'
		case role&jsontext.Pattern != 0:
			e.pattern = e.pattern || r.isTrue(value)
		}
		e.seen |= role
		e.lists = e.lists || role == jsontext.Nested && (r.kind(value) == '{' || r.kind(value) == '[')
		e.strongPair = e.strongPair || role&jsontext.Strong != 0 || key == "search"
	}
	if len(r.diags) > broken {
		return
	}
	if e.seen&jsontext.Old != 0 && e.seen&jsontext.New == 0 { // nothing would take the old text's place
		if misspelt, ok := r.likeNew(v); ok {
			r.diagnose(diagnosis.Malformed, misspelt, "the new text below the key new_str", "send the call again, with the keys of the tool")
			return
		}
	}
	switch {
	case e.seen&(jsontext.Old|jsontext.New) != 0 && r.isSchema(v): // the description of a tool
	case e.contradiction.End > 0 && (e.seen&jsontext.Strong != 0 ||
		(e.seen&jsontext.Path != 0 || ctx.path != "") && e.seen&(jsontext.Old|jsontext.New|jsontext.FileText) != 0):
		r.diagnose(diagnosis.Malformed, e.contradiction, "one path, one old and one new text in an edit",
			"give each of them once; write further changes as edits of their own")
	case e.seen&jsontext.Command != 0 && r.kind(e.command) == '"' && r.commandEdit(&e, ctx):
	case e.seen&(jsontext.Old|jsontext.New) != 0 && !e.strongPair && !e.lists && isRoute(ctx.path): // a row of data
	case e.seen&(jsontext.Old|jsontext.New) != 0 && ctx.path == "" && e.strongPair && ctx.misnamed:
		r.diagnose(diagnosis.MissingName, v, ExpectedPath, RemedyPath)
	case e.seen&(jsontext.Old|jsontext.New) != 0 && (ctx.path != "" || e.strongPair):
		r.edit(&e, ctx)
		if e.lists {
			r.nested(v, e.start, ctx)
		}
	case e.anchoredBy() != "":
		r.diagnose(diagnosis.Unsupported, e.at, "the lines to change, as they are in the file",
			"write the change as a SEARCH/REPLACE block: only "+e.anchoredBy()+" knows which lines its anchors mean")
	case ctx.path == "" && e.content.End > 0 && keys == 2 && e.seen&jsontext.StartLine != 0 && bytes.Contains(r.text[e.content.Start:e.content.End], []byte("<<<<< SEARCH")):
		ctx.diffs = true // one of Roo's, without the list that it is in
		r.nested(v, e.start, ctx)
	case ctx.tool&inserts != 0 && e.content.End > 0:
		r.insertion(&e, ctx)
	case ctx.edits && ctx.path != "" && e.seen&jsontext.Old == 0 && r.byNumber(v):
		r.diagnose(diagnosis.Unsupported, e.at, "the lines to change, as they are in the file",
			"write the change as a SEARCH/REPLACE block: line numbers alone do not prove which lines are meant")
	case e.sketch.End > 0 && r.kind(e.sketch) == '"' && e.seen&jsontext.Path != 0 && (named || ctx.tool&sketches != 0):
		r.diagnose(diagnosis.Unsupported, e.at, "the lines to change and what they become", "send the edit as a SEARCH/REPLACE block: only a model can apply a sketch")
	case e.content.End > 0 && r.kind(e.content) == '"' && !ctx.diffs && e.seen&jsontext.Path != 0 && (keys == 2 && named || ctx.tool&writes != 0):
		if s, ok := r.str(e.content); ok {
			r.create(r.block(&e, ctx), s)
		}
	case ctx.tool&(deletes|moves) != 0 && r.fileCall(v, &e, ctx):
	case e.seen&(jsontext.Nested|jsontext.Patch) != 0:
		r.nested(v, e.start, ctx)
	case ctx.path == "":
		r.byFile(v, ctx)
	}
	r.refuseDeeds(v, e.seen, first)
	if called && r.found() == before && keys > 1 {
		switch {
		case ctx.tool&runs != 0:
			r.commands(v)
		case !r.looks:
			r.unread(v, ctx)
		}
	}
}

// create adds the block that makes a file.
func (r *jsonReader) create(b Block, content []byte) {
	var warnings []string
	b.Op = OpCreate
	b.Replace, warnings = WholeFile(b.Path, content)
	b.Warnings = append(b.Warnings, warnings...)
	r.blocks = append(r.blocks, b)
}

// byNumber reports whether an object says by their numbers which lines become another text.
func (r *jsonReader) byNumber(v jsontext.Span) bool {
	line, text := false, false
	for key, value := range jsontext.Members(r.text, v) {
		switch key = strings.ToLower(key); {
		case strings.Contains(key, "line") && r.kind(value) != '"':
			_, ok := r.number(value)
			line = line || ok
		case r.kind(value) == '"':
			text = text || strings.Contains(key, "content") || strings.Contains(key, "code") || strings.Contains(key, "text") || key == "replacement"
		}
	}
	return line && text
}

// anchoredBy is the tool whose anchors say where the edit goes; "" if none does.
func (e *jsonEdit) anchoredBy() string {
	switch e.op {
	case "replace", "delete", "insert_before", "insert_after", "append", "prepend":
		if e.anchored {
			return "gptme"
		}
		if e.tagged {
			return "hashline"
		}
	case "":
		if e.tagged && e.seen&^(jsontext.Anchor|jsontext.Path) == 0 {
			return "hashline"
		}
	}
	return ""
}

// likeNew finds a text in an object whose key has a slip of the pen in the name of a new text.
func (r *jsonReader) likeNew(v jsontext.Span) (jsontext.Span, bool) {
	for key, value := range jsontext.Members(r.text, v) {
		if jsontext.Roles(key) != 0 || r.kind(value) != '"' {
			continue
		}
		for _, name := range [...]string{"new_str", "new_string", "new_text", "replace"} {
			if Nearly(key, name) {
				return value, true
			}
		}
	}
	return jsontext.Span{}, false
}

// isSchema reports whether an object gives the type of each of its keys, as a JSON Schema does.
func (r *jsonReader) isSchema(v jsontext.Span) bool {
	for _, value := range jsontext.Members(r.text, v) {
		if r.kind(value) != '{' || !r.givesType(value) {
			return false
		}
	}
	return true
}

// givesType reports whether an object names a type of JSON Schema, or a list of them.
func (r *jsonReader) givesType(v jsontext.Span) bool {
	for key, value := range jsontext.Members(r.text, v) {
		if key != "type" {
			continue
		}
		switch string(r.text[value.Start:value.End]) {
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
func (r *jsonReader) setText(e *jsonEdit, place *jsontext.Span, value jsontext.Span) {
	if place.End > 0 && !bytes.Equal(r.text[place.Start:place.End], r.text[value.Start:value.End]) {
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
	if e.seen&jsontext.Old == 0 {
		if e.seen&jsontext.Strong != 0 || ctx.path != "" {
			r.diagnose(diagnosis.MissingText, e.at, "old_string next to new_string", remedy)
		}
		return
	}
	if e.seen&jsontext.New == 0 {
		if e.seen&jsontext.Strong != 0 || ctx.path != "" {
			r.diagnose(diagnosis.MissingText, e.at, "new_string next to old_string", remedy)
		}
		return
	}
	if e.pattern || ctx.tool&replacesAll != 0 && (e.start > 0 || e.end > 0) {
		r.diagnose(diagnosis.Unsupported, e.at, "the text to find, letter for letter, in all of the file", "write each change as a SEARCH/REPLACE block")
		return
	}
	broken := len(r.diags)
	old, okOld := r.str(e.old)
	new, okNew := r.str(e.new)
	if !okOld || !okNew {
		if len(r.diags) == broken {
			r.diagnose(diagnosis.Malformed, e.at, "strings as old and new text", remedy)
		}
		return
	}
	b := r.block(e, ctx)
	b.Op, b.Substring, b.Search, b.Replace, b.ReplaceAll = OpEdit, true, old, new, e.all || ctx.tool&replacesAll != 0
	if len(old) == 0 {
		b.Op, b.Substring = OpCreate, false
	}
	if e.expectations > 1 {
		b.ReplaceAll = true
		b.Warnings = append(b.Warnings, warning.ExpectedCount.Say("expected_replacements is taken as replace_all"))
	}
	if b.ReplaceAll {
		b.Expected = max(e.expectations, 0)
	}
	r.blocks = append(r.blocks, b)
}

func (r *jsonReader) block(e *jsonEdit, ctx jsonContext) Block {
	b := Block{Path: ctx.path, Dialect: JSON, Lines: [2]int{r.line(e.at.Start), r.line(e.at.End - 1)},
		StartLine: e.start, EndLine: e.end, ExpectedHash: ctx.hash}
	if e.start < 0 || e.end < 0 {
		b.StartLine, b.EndLine = 0, 0
		b.Warnings = append(b.Warnings, warning.IgnoredHint.Say("a negative line number is ignored"))
	}
	return b
}

// insertion understands content that comes before the line of a number: at the beginning of the file for 1, at its end for 0.
func (r *jsonReader) insertion(e *jsonEdit, ctx jsonContext) {
	s, ok := r.str(e.content)
	line, isLine := e.start, e.seen&jsontext.StartLine != 0
	if e.insertLine.End > 0 {
		line, isLine = r.number(e.insertLine)
	}
	if !ok || !isLine || line < 0 || ctx.path == "" {
		r.diagnose(diagnosis.Malformed, e.at, "path, line and content", "give the line before which the content goes; 0 for the end of the file")
		return
	}
	if line > 1 { // the number is counted by a model, and nothing else says where
		r.diagnose(diagnosis.Unsupported, e.at, "the line that the content follows", "write a SEARCH/REPLACE block with that line in both parts")
		return
	}
	if len(s) > 0 && !mdline.Ended(s) {
		s = append(s, '\n')
	}
	b := r.block(e, ctx)
	b.Op, b.Replace, b.StartLine, b.EndLine = OpInsert, s, 0, 0
	if line == 0 {
		b.Op = OpAppend
	}
	r.blocks = append(r.blocks, b)
}

// commandEdit understands the commands of Anthropic's editor tool; it returns false for any other command.
func (r *jsonReader) commandEdit(e *jsonEdit, ctx jsonContext) bool {
	command, _ := r.str(e.command)
	b := r.block(e, ctx)
	text := func(v jsontext.Span, key string) ([]byte, bool) {
		if v.End > 0 {
			if s, ok := r.str(v); ok || r.kind(v) == '"' {
				return s, ok
			}
		}
		r.diagnose(diagnosis.Malformed, e.at, "the text of the change in "+key, "give "+key+" as a string")
		return nil, false
	}
	switch string(command) {
	case "str_replace":
		if e.seen&jsontext.New == 0 && e.seen&jsontext.Old != 0 { // the tool takes a missing new_str as a deletion
			if old, ok := text(e.old, "old_str"); ok {
				b.Op, b.Substring, b.Search, b.ReplaceAll = OpEdit, true, old, e.all
				r.blocks = append(r.blocks, b)
			}
			return true
		}
		e.seen |= jsontext.Strong
		r.edit(e, ctx)
	case "create":
		if s, ok := text(e.fileText, "file_text"); ok {
			r.create(b, s)
		}
	case "insert":
		s, ok := text(e.new, "new_str")
		line, isLine := r.number(e.insertLine)
		switch {
		case !ok:
		case !isLine || line < 0:
			r.diagnose(diagnosis.Malformed, e.at, "insert_line, the line after which the text goes", `give "insert_line": 0 for the beginning of the file`)
		default:
			b.Op, b.Replace, b.StartLine, b.EndLine = OpInsert, s, line, 0
			r.blocks = append(r.blocks, b)
		}
	case "undo_edit":
		r.diagnose(diagnosis.Unsupported, e.at, "str_replace, insert or create", "take the last run back yourself")
	case "view":
		r.looks = true
	default:
		return false
	}
	return true
}
