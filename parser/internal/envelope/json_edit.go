package envelope

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
)

// jsonEdit holds the values of the relevant keys in an object that is an edit.
type jsonEdit struct {
	at                   jsontext.Value
	seen                 jsontext.Role
	old, new, command    jsontext.Value
	find, with           jsontext.Value // old and new text, but only if both are given
	fileText, insertLine jsontext.Value
	content              jsontext.Value // a whole file, if the only other key is its path
	sketch               jsontext.Value // a text that only a model can apply
	start, end, expected int
	all                  bool
	occurrence           int            // number of the intended occurrence, 1-based; 0 if not given
	lists                bool           // the object also has lists of edits
	strongPair           bool           // the object has the key search, or one that only edits use
	named                bool           // the file is under a key that only calls use
	second               jsontext.Value // a second path, old or new text that differs from the first
}

// collect stores the arguments of the edit in the object v in e, and its path and flags in the
// scope.
func (r *jsonReader) collect(e *jsonEdit, v jsontext.Value, in *scope) {
	e.at = v
	for _, m := range v.Members {
		role := jsontext.Roles(m.Key)
		in.pattern = in.pattern || isPattern(m, role)
		if role == 0 && m.Kind == '{' { // options, such as {"regex": true}
			for _, o := range m.Members {
				in.pattern = in.pattern || isPattern(o, jsontext.Roles(o.Key))
			}
		}
		e.note(m, in)
		weak := role == jsontext.Old || role == jsontext.New // a key that data may have, too
		if weak && m.Kind != '"' {
			continue // "replace": true
		}
		if role == jsontext.Path {
			role = e.path(m.Value, in)
		}
		r.argument(e, role, m.Value)
		e.seen |= role
		e.lists = e.lists || role == jsontext.Nested && isObjectOrArray(m.Value)
		e.strongPair = e.strongPair || role&jsontext.Strong != 0 || m.Key == "search"
	}
	e.pair()
}

// isPattern reports whether a flag is set that keeps the old text from being matched literally.
func isPattern(m jsontext.Member, role jsontext.Role) bool {
	return role == jsontext.Pattern && isTrue(m.Value)
}

// pair uses find as the old text if the edit has no other old text. In that case it also uses with
// as the new text, unless there is another one.
func (e *jsonEdit) pair() {
	if e.seen&jsontext.Old != 0 || e.find.Kind != '"' || e.with.Kind != '"' && e.seen&jsontext.New == 0 {
		return
	}
	e.old = e.find
	if e.seen |= jsontext.Old; e.seen&jsontext.New == 0 {
		e.new = e.with
		e.seen |= jsontext.New
	}
}

// note stores the values of keys that count only in exactly this spelling. Most have no role.
func (e *jsonEdit) note(m jsontext.Member, in *scope) {
	switch m.Key {
	case "file_path", "filePath":
		e.named = true
	case "content":
		e.content = m.Value
	case "code_edit":
		e.sketch = m.Value
	case "occurrence":
		e.occurrence, _ = number(m.Value)
	case "match_index":
		if n, ok := number(m.Value); ok {
			e.occurrence = n + 1
		}
	case "expected_hash":
		in.hash = string(m.Text)
	}
}

// path stores a file name in the scope. It returns the role of the value: Path, or 0 if the value
// is no string. In Roo's calls the value may be an object or a list instead of a name, which gives
// the role Nested: {"file": [{"path": ...}]}.
func (e *jsonEdit) path(v jsontext.Value, in *scope) jsontext.Role {
	switch {
	case isObjectOrArray(v):
		return jsontext.Nested
	case v.Kind != '"':
		return 0
	case e.seen&jsontext.Path == 0:
		in.path = string(v.Text)
	case in.path != string(v.Text):
		e.second = v // read refuses the edit
	}
	return jsontext.Path
}

// argument stores the value of an argument with the given role in e. It adds a fault if the
// expected number of occurrences is invalid.
func (r *jsonReader) argument(e *jsonEdit, role jsontext.Role, v jsontext.Value) {
	for _, place := range [...]struct {
		role  jsontext.Role
		value *jsontext.Value
	}{
		{jsontext.Old, &e.old}, {jsontext.New, &e.new},
		{jsontext.Find, &e.find}, {jsontext.With, &e.with},
		{jsontext.FileText, &e.fileText},
		{jsontext.Command, &e.command}, {jsontext.InsertLine, &e.insertLine},
	} {
		if role&place.role != 0 {
			e.set(place.value, v)
			return
		}
	}
	switch {
	case role&jsontext.All != 0:
		e.all = isTrue(v)
	case role&jsontext.StartLine != 0:
		e.start, _ = number(v)
	case role&jsontext.EndLine != 0:
		e.end, _ = number(v)
	case role&jsontext.ExpectedCount != 0:
		var ok bool
		if e.expected, ok = number(v); !ok || e.expected < 1 {
			r.diagnose(diagnosis.Malformed, v, "a whole number of 1 or more as expected_replacements",
				"say how often old_string occurs, or leave expected_replacements out to change one place")
		}
	}
}

// set stores v at place. If place already has a different value, v is recorded as a contradiction.
func (e *jsonEdit) set(place *jsontext.Value, v jsontext.Value) {
	if place.Kind != 0 && !bytes.Equal(place.Text, v.Text) {
		e.second = v
	}
	*place = v
}

// contradicts reports whether an edit gives a path or a text twice, with different values. An
// object without a file and without a key that only edits use may be data, so it doesn't count.
func (e *jsonEdit) contradicts(in scope) bool {
	const texts = jsontext.Old | jsontext.New | jsontext.FileText
	return e.second.Kind != 0 && (e.seen&jsontext.Strong != 0 ||
		(e.seen&jsontext.Path != 0 || in.path != "") && e.seen&texts != 0)
}

// onlyContent reports whether an object has only content and a path, with the path under a key that
// only calls use.
func (e *jsonEdit) onlyContent() bool { return e.named && len(e.at.Members) == 2 }

// hasLikeNew reports whether a key is nearly one for a new text, such as "new_sting". If that text
// were ignored, the edit would delete the old text.
func hasLikeNew(v jsontext.Value) bool {
	return slices.ContainsFunc(v.Members, func(m jsontext.Member) bool {
		near := func(name string) bool { return Nearly(m.Key, name) }
		return m.Kind == '"' && jsontext.Roles(m.Key) == 0 &&
			slices.ContainsFunc([]string{"new_str", "new_string", "new_text", "replace"}, near)
	})
}

// edit adds a block with the old text and the new text. If one of them is missing, edit adds a
// fault instead. An object without a file and without a key that only edits use may be data, so it
// gives no fault.
func (r *jsonReader) edit(e *jsonEdit, in scope) {
	const remedy = `give both: {"path": "a.go", "old_string": "...", "new_string": "..."}`
	expected := ""
	switch {
	case e.seen&jsontext.Old == 0 && in.tool&fills != 0 && in.path != "":
		r.fill(e, in)
		return
	case e.seen&jsontext.Old == 0:
		expected = "old_string next to new_string"
	case e.seen&jsontext.New == 0:
		expected = "new_string next to old_string"
	}
	if expected != "" {
		if e.seen&jsontext.Strong != 0 || in.path != "" {
			r.diagnose(diagnosis.MissingText, e.at, expected, remedy)
		}
		return
	}
	inRange := in.tool&replacesAll != 0 && (e.start > 0 || e.end > 0) // only in these lines
	if in.pattern || inRange {
		r.diagnose(diagnosis.Unsupported, e.at, "the exact text to find",
			"write each change as a SEARCH/REPLACE block")
		return
	}
	if e.old.Kind != '"' || e.new.Kind != '"' {
		r.diagnose(diagnosis.Malformed, e.at, "strings as old and new text", remedy)
		return
	}
	b := r.block(e, in)
	b.Op, b.Substring, b.Search, b.Replace = OpEdit, true, e.old.Text, e.new.Text
	b.ReplaceAll = e.all || in.tool&replacesAll != 0
	b.Occurrence = max(e.occurrence, 0)
	if len(b.Search) == 0 {
		b.Op, b.Substring = OpCreate, false
	}
	if e.expected > 1 {
		b.ReplaceAll = true
		b.Warnings = append(b.Warnings,
			warning.ExpectedCount.Say("expected_replacements was treated as replace_all"))
	}
	if b.ReplaceAll {
		b.Expected = max(e.expected, 0)
	}
	r.blocks = append(r.blocks, b)
}

// fill reads a call that has only a new text: with insert_line, the text is inserted before that
// line; without it, the text is a new file.
func (r *jsonReader) fill(e *jsonEdit, in scope) {
	if e.insertLine.Kind != 0 {
		r.insert(e, in, 1)
	} else if e.new.Kind == '"' {
		r.create(r.block(e, in), e.new.Text)
	}
}

// insert reads a call that inserts its new text next to a line. first is the number that the call
// gives for the beginning of the file.
func (r *jsonReader) insert(e *jsonEdit, in scope, first int) {
	line, isLine := number(e.insertLine)
	if e.new.Kind != '"' || !isLine || line < first {
		r.diagnose(diagnosis.Malformed, e.at, "the text to insert, and the number of a line as insert_line",
			fmt.Sprintf(`give "insert_line": %d for the beginning of the file`, first))
		return
	}
	b := r.block(e, in)
	b.Op, b.Replace, b.StartLine, b.EndLine = OpInsert, e.new.Text, line-first, 0
	r.blocks = append(r.blocks, b)
}

// block returns a block with the file and the line numbers of an edit, but without its texts.
func (r *jsonReader) block(e *jsonEdit, in scope) Block {
	b := Block{Path: in.path, Dialect: JSON, StartLine: e.start, EndLine: e.end,
		Lines:        [2]int{r.line(e.at.Start), r.line(max(0, e.at.End-1))},
		ExpectedHash: in.hash}
	if e.start < 0 || e.end < 0 { // an editor's way to say the end of the file
		b.StartLine, b.EndLine = 0, 0
	}
	return b
}

// create adds the block b, which has only a file and line numbers so far, as one that makes the
// file.
func (r *jsonReader) create(b Block, content []byte) {
	var warnings []string
	b.Op = OpCreate
	b.Replace, warnings = WholeFile(b.Path, content)
	b.Warnings = append(b.Warnings, warnings...)
	r.blocks = append(r.blocks, b)
}

// command reads a call of Anthropic's editor tool according to its command: str_replace, create,
// insert, undo_edit or view. It returns false for any other command.
func (r *jsonReader) command(e *jsonEdit, in scope) bool {
	b := r.block(e, in)
	isText := func(v jsontext.Value, key string) bool { // adds a fault if v is no string
		if v.Kind != '"' {
			r.diagnose(diagnosis.Malformed, e.at, "the text of the change in "+key,
				"give "+key+" as a string")
		}
		return v.Kind == '"'
	}
	switch string(e.command.Text) {
	case "str_replace":
		if e.seen&jsontext.New != 0 || e.seen&jsontext.Old == 0 || hasLikeNew(e.at) {
			e.seen |= jsontext.Strong // the command shows that a missing text is a fault
			r.edit(e, in)
		} else if isText(e.old, "old_str") { // the tool deletes the text then
			b.Op, b.Substring, b.Search, b.ReplaceAll = OpEdit, true, e.old.Text, e.all
			r.blocks = append(r.blocks, b)
		}
	case "create":
		if isText(e.fileText, "file_text") {
			r.create(b, e.fileText.Text)
		}
	case "insert":
		r.insert(e, in, 0)
	case "undo_edit":
		r.diagnose(diagnosis.Unsupported, e.at, "str_replace, insert or create",
			"undo the last run yourself")
	case "view":
		r.views = true
	default:
		return false
	}
	return true
}
