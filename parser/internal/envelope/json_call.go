package envelope

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// The messages about a call that names no file.
const (
	ExpectedPath = "the file's path under the key path"
	RemedyPath   = "send the call again, with the path"
)

// scope holds what the objects around a value say about it.
type scope struct {
	path  string
	hash  string   // expected hash of the file
	diffs bool     // inside a list of diffs, which contain marker blocks
	tool  toolKind // of the call around it
	edits bool     // inside a list of edits
	// pattern says that the old text is a pattern, or that it matches regardless of case.
	pattern bool
	// misnamed says that the file is named in an unknown way. In that case a file named in the text
	// above must not be used.
	misnamed bool
	depth    int // levels of JSON in strings of JSON
}

// jsonReader turns a JSON value into blocks. It never ignores a call that changes files: clear
// edits become blocks, shell commands that change a file become notices, and the rest is refused.
type jsonReader struct {
	tagged
	views bool // a call only views a file
}

func (r *jsonReader) diagnose(code string, at jsontext.Value, expected, remedy string) {
	r.tagged.diagnose(code, at.Start, r.text[at.Start:at.End], expected, remedy)
}

// doubt adds a notice about a value that may only show something.
func (r *jsonReader) doubt(v jsontext.Value, path, what string) {
	line := r.line(v.Start)
	last := max(line, r.line(max(0, v.End-1)))
	r.faults = append(r.faults, Fault{Diagnostic: Diagnostic{Code: "like-an-edit", Line: line},
		Doubt: &Doubt{Last: last, Path: path, What: what}})
}

// refuseBroken adds a fault for each broken string among the members of a value, and reports whether
// there are any. The edit isn't read then, because such a string may say how to read the others.
func (r *jsonReader) refuseBroken(v jsontext.Value) (broken bool) {
	for _, m := range v.Members {
		if m.Broken {
			broken = true
			r.diagnose(diagnosis.Malformed, m.Value, "both halves of the pair, or the character itself",
				"write the character as UTF-8")
		}
	}
	return broken
}

// number returns the value as a whole number. The number may be in quotes.
func number(v jsontext.Value) (n int, ok bool) {
	n, err := strconv.Atoi(string(v.Text))
	return n, err == nil
}

// isTrue reports whether the value is true. The word may be in quotes.
func isTrue(v jsontext.Value) bool { return strings.EqualFold(string(v.Text), "true") }

// isObjectOrArray reports whether a value is one of the two.
func isObjectOrArray(v jsontext.Value) bool { return v.Kind == '{' || v.Kind == '[' }

// value reads the edits in an object or an array, and ignores other values. If a list of edits has
// an edit that was read, every element that wasn't is refused. If none was read, the list may be
// data, so it becomes a notice at most.
func (r *jsonReader) value(v jsontext.Value, in scope) {
	switch v.Kind {
	case '{':
		r.object(v, in)
	case '[':
		var unread []jsontext.Value
		blocks, found := len(r.blocks), r.found() // before the list
		r.refuseBroken(v)
		for _, m := range v.Members {
			before := r.found()
			if isObjectOrArray(m.Value) {
				r.value(m.Value, in)
			} else if m.Kind == '"' && !m.Broken {
				r.patch(m.Value, in)
			}
			if in.edits && r.found() == before && m.Kind != '[' { // neither an edit nor a fault
				unread = append(unread, m.Value)
			}
		}
		if len(r.blocks) == blocks { // no edit was read
			object := func(v jsontext.Value) bool { return v.Kind == '{' }
			quiet := r.found() == found && in.tool&changes == 0 // nothing else reports the list
			if quiet && in.path != "" && slices.ContainsFunc(unread, object) {
				r.doubt(v, in.path, "text that looks like an edit")
			}
			return
		}
		for _, v := range unread {
			r.diagnose(diagnosis.Malformed, v, "old_string and new_string",
				"send the call again, with the tool's keys in each edit")
		}
	}
}

// object reads an object that is an edit or contains edits. If a string in the object is broken, or
// the object requests another action than an edit, it adds faults instead of blocks. A call of an
// editing tool that gives no edit is reported.
func (r *jsonReader) object(v jsontext.Value, in scope) {
	in.misnamed = in.misnamed || misnames(v) // then a file named in the text above must not be used
	called := toolIn(v, &in)
	before, first, faults := r.found(), len(r.blocks), len(r.faults)
	if r.refuseBroken(v) {
		return
	}
	var e jsonEdit
	if r.collect(&e, v, &in); len(r.faults) > faults {
		return
	}
	r.read(&e, in)
	r.refuseOther(v, e.seen, first)
	if called && r.found() == before && len(v.Members) > 1 { // more than the tool's name
		r.unanswered(v, in)
	}
}

// read reads an object according to the arguments in it. A case without statements has read the
// object in its condition.
func (r *jsonReader) read(e *jsonEdit, in scope) {
	named := e.seen&jsontext.Path != 0
	switch {
	case named && e.seen&(jsontext.Old|jsontext.New) == 0 && r.operation(e, in):
	case e.contradicts(in):
		r.diagnose(diagnosis.Malformed, e.second, "one path, one old and one new text in an edit",
			"give each of them once; write further changes as separate edits")
	case e.command.Kind == '"' && r.command(e, in):
	case e.seen&(jsontext.Old|jsontext.New) != 0 && r.sides(e, in):
	case e.sketch.Kind == '"' && named:
		r.diagnose(diagnosis.Unsupported, e.at, "the lines to change and their replacement",
			"send the edit as a SEARCH/REPLACE block: only a model can apply a sketch")
	case e.content.Kind == '"' && !in.diffs && named && (e.onlyContent() || in.tool&writes != 0):
		r.create(r.block(e, in), e.content.Text)
	case e.seen&(jsontext.Nested|jsontext.Patch) != 0:
		r.nested(e, in)
	case in.path == "": // the keys may name files
		r.byFile(e.at, in)
	}
}

// operation reads an operation of the patch tool built into OpenAI's models: the hunks of a V4A
// patch, without its markers. It returns false for any other object.
func (r *jsonReader) operation(e *jsonEdit, in scope) bool {
	section, diff := "", []byte(nil)
	for _, m := range e.at.Members {
		switch {
		case m.Key == "diff" && m.Kind == '"':
			diff = m.Text
		case m.Key == "type":
			section = map[string]string{
				"update_file": "Update", "create_file": "Add", "delete_file": "Delete",
			}[string(m.Text)]
		}
	}
	if section == "" || strings.ContainsAny(in.path, "\r\n") || section != "Delete" && len(diff) == 0 {
		return false
	}
	v := e.at
	v.Text = fmt.Appendf(nil, "*** Begin Patch\n*** %s File: %s\n%s\n*** End Patch\n", section, in.path,
		bytes.TrimSuffix(diff, []byte("\n")))
	v.Kind = '"'
	in.diffs = true
	r.patch(v, in)
	return true
}

// sides reads an object that has an old or a new text, or ignores it if it is certainly data. It
// returns false if it is unclear whether the object is an edit. strongPair says that the object has
// a key that hardly any data has, such as old_string.
func (r *jsonReader) sides(e *jsonEdit, in scope) bool {
	switch {
	case givesType(e.old) || givesType(e.new): // the description of a tool
	case !e.strongPair && !e.lists && isRoute(in.path): // a row of data, such as a JSON patch
	case in.path == "" && e.strongPair && in.misnamed:
		r.diagnose(diagnosis.MissingName, e.at, ExpectedPath, RemedyPath)
	case in.path != "" || e.strongPair || in.tool&changes != 0 && e.seen&jsontext.Old != 0:
		r.edit(e, in)
		if e.lists {
			r.nested(e, in)
		}
	default:
		return false
	}
	return true
}

// isArguments reports whether a key holds the arguments of a call.
func isArguments(key string) bool {
	switch key {
	case "arguments", "input", "parameters", "params", "args":
		return true
	}
	return false
}

// toolIn adds the kind of the tool that an object names to a scope. It reports whether the object
// is a call of a tool that changes files or runs commands.
func toolIn(v jsontext.Value, in *scope) (called bool) {
	described, result, given := false, false, false
	for _, m := range v.Members {
		role := jsontext.Roles(m.Key)
		given = given || isArguments(m.Key) || role == jsontext.Path
		switch {
		case m.Kind != '"':
		case role == jsontext.Tool:
			kind, known := kindOf(string(m.Text))
			in.tool |= kind
			called = called || known
		case m.Key == "type":
			result = bytes.Contains(m.Text, []byte("result")) // of an earlier call
		case m.Key == "description":
			described = true
		}
	}
	return called && !result && (given || !described) // otherwise it describes a tool
}

// unanswered reports a call that gave no edit although its tool changes files or runs commands. A
// call that names no file becomes a notice, because it may be an example. A call with nothing but a
// file name is ignored.
func (r *jsonReader) unanswered(v jsontext.Value, in scope) {
	switch {
	case in.tool&runs != 0:
		for _, m := range texts(v, maxJSONStrings) {
			if file, ok := ChangedFile(m.Text); ok {
				r.doubt(v, file, "a command that changes a file")
				return
			}
		}
		return
	case r.views: // the call doesn't edit
		return
	}
	path := ""       // the first file named in the call
	onlyName := true // the call has nothing but a tool's and a file's name
	for _, m := range texts(v, maxJSONStrings) {
		switch text := string(m.Text); {
		case m.Key == "type" && text == "object", text == "...":
			return // the call is the description of a tool, or an example
		case jsontext.Roles(m.Key) == jsontext.Tool:
		case path == "" && filename.Likely(text) && !isRoute(text):
			path = text
		default:
			onlyName = false
		}
	}
	deletes, unlisted := in.tool&deletesOrMoves != 0, in.tool&unlisted != 0
	switch {
	case onlyName && !deletes:
	case path == "" && in.path != "" && !deletes: // the path isn't like a file's
	case path == "" && unlisted: // the tool may do anything
	case path == "" || unlisted:
		r.doubt(v, path, "text that looks like a tool call")
	case deletes:
		r.diagnose(diagnosis.Unsupported, v, expectedEdit, remedyPatch)
	default:
		r.diagnose(diagnosis.Unsupported, v, "the arguments of a known tool",
			"send the edit as a SEARCH/REPLACE block")
	}
}

// texts returns the strings in a value. A string that begins with a JSON object or array gives the
// strings in that, and itself only if text follows the JSON. depth limits the levels of objects,
// arrays and JSON in strings.
func texts(v jsontext.Value, depth int) (all []jsontext.Member) {
	for _, m := range v.Members {
		inner, isText := m.Value, m.Kind == '"'
		if isText && depth > 0 {
			var err *jsontext.Error
			inner, _, err = jsontext.Parse(m.Text)
			isText = err != nil || !isObjectOrArray(inner) || !text.Blank(m.Text[inner.End:])
		}
		if isObjectOrArray(inner) && depth > 0 {
			all = append(all, texts(inner, depth-1)...)
		}
		if isText {
			all = append(all, m)
		}
	}
	return all
}

// nested reads the edits in the values of an object: lists of edits, and the arguments of calls. A
// list of files to delete or move is refused if there are edits next to it.
func (r *jsonReader) nested(e *jsonEdit, in scope) {
	before := r.found()
	var lists []jsontext.Value
	for _, m := range e.at.Members {
		role := jsontext.Roles(m.Key)
		if role&(jsontext.Nested|jsontext.Patch|jsontext.Path) == 0 {
			continue
		}
		inner := in // edits and diffs say what a list has to contain; diffs counts for a string, too
		inner.edits, inner.diffs = false, m.Key == "diffs" || m.Key == "diff"
		switch m.Key {
		case "deletes", "renames", "moves":
			lists = append(lists, m.Value)
			continue
		case "creates":
			inner.tool |= writes
		case "edits", "edit", "changes", "replacements", "operations":
			inner.edits = true
		case "content":
			inner.diffs = in.diffs
		}
		switch {
		case isObjectOrArray(m.Value):
			r.value(m.Value, inner)
		case m.Kind == '"' && role == jsontext.Nested:
			r.arguments(m.Value, inner) // a list that was encoded twice
		case m.Kind == '"' && role&jsontext.Patch != 0:
			n := len(r.blocks)
			inner.diffs = inner.diffs || m.Key == "patch"
			r.patch(m.Value, inner)
			// The object's line number is that of its first hunk.
			if e.start > 0 && len(r.blocks) > n && r.blocks[n].StartLine == 0 {
				r.blocks[n].StartLine = e.start
			}
		}
	}
	for _, list := range lists {
		switch {
		case list.Kind != '[' || len(list.Members) == 0:
		case r.found() > before:
			r.diagnose(diagnosis.Unsupported, list, expectedEdit, remedyPatch)
		default: // the list may only report what was done
			r.doubt(list, "", "a list of files to delete or to move")
		}
	}
}

// byFile reads an object whose keys are file names and whose values are the edits of these files:
// {"a.py": [{"search": ..., "replace": ...}]}.
func (r *jsonReader) byFile(v jsontext.Value, in scope) {
	for _, m := range v.Members {
		if isObjectOrArray(m.Value) && filename.Likely(m.Key) && !isRoute(m.Key) {
			in.path, in.edits = m.Key, true
			r.value(m.Value, in)
		}
	}
}

// maxJSONStrings limits the depth to which JSON may be nested in JSON strings.
const maxJSONStrings = 4

// arguments reads JSON inside a string, which is how many calls give their arguments. Edits in it
// get the line where the string begins. Other strings are ignored.
func (r *jsonReader) arguments(v jsontext.Value, in scope) {
	text := bytes.TrimLeft(v.Text, " \t\r\n")
	if in.depth == maxJSONStrings || len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return
	}
	tree, seen, err := jsontext.Parse(text)
	if err != nil {
		if seen&jsontext.Strong != 0 { // without a key that only edits use, it may be any text
			r.diagnose(diagnosis.Malformed, v, err.Expected, "send the arguments as valid JSON")
		}
		return
	}
	inner := jsonReader{tagged: tagged{text: text, markers: r.markers}}
	in.depth++
	inner.value(tree, in)
	r.take(inner.blocks, inner.faults, v, in)
	r.views = r.views || inner.views
}

// patch reads a string that contains a call's arguments as JSON, a V4A patch or, among diffs, a
// unified diff or marker blocks. Edits without a file name are for the file in scope.
func (r *jsonReader) patch(v jsontext.Value, in scope) {
	patch := v.Text
	v4a := bytes.Contains(patch, []byte("*** Begin Patch"))
	t := bytes.TrimLeft(patch, " \t")
	likeJSON := len(t) > 0 && (t[0] == '{' || t[0] == '[')
	if likeJSON || !in.diffs && !v4a {
		r.arguments(v, in)
		return
	}
	read := readDiff
	if v4a {
		read = readV4A
	}
	blocks, faults := readPatch(read, patch, 0)
	if len(blocks)+len(faults) == 0 && !v4a {
		blocks, faults = r.markers(patch, 0)
	}
	if len(blocks)+len(faults) == 0 && in.path != "" && !text.Blank(patch) {
		r.diagnose(diagnosis.Malformed, v, "SEARCH/REPLACE blocks or a unified diff",
			"write the change as a SEARCH/REPLACE block")
	}
	r.take(blocks, faults, v, in)
}

// take adds the edits in the string v. They get the number of the line where the string begins,
// because its lines are not lines of the reply.
func (r *jsonReader) take(blocks []Block, faults []Fault, v jsontext.Value, in scope) {
	line := r.line(v.Start)
	for _, b := range blocks {
		b.Path = cmp.Or(b.Path, in.path)
		b.Dialect, b.Lines = JSON, [2]int{line, line}
		for i := range b.Readings {
			b.Readings[i].Divider = line
		}
		r.blocks = append(r.blocks, b)
	}
	for _, f := range faults {
		f.Line = line
		if f.Doubt != nil {
			f.Doubt.Last = line
		}
		r.faults = append(r.faults, f)
	}
}

// readPatch reads a patch that is the value of a string, and therefore was not cut off. read reads
// an envelope of the patch's format, and number is the number of the patch's first line.
func readPatch(read func([]byte, int, Markers) *Envelope, patch []byte, number int) (blocks []Block,
	faults []Fault,
) {
	for rest := closed(patch); len(rest) > 0; {
		lines := 1
		if e := read(rest, number, nil); e != nil {
			e.Read()
			lines = e.Lines
			blocks, faults = append(blocks, e.Blocks...), append(faults, e.Faults...)
		}
		for ; lines > 0; lines-- {
			rest = rest[len(lineOf(rest)):]
			number++
		}
	}
	return blocks, faults
}

// closed returns a copy of patch followed by the end of a fence, which shows that the patch is
// complete.
func closed(patch []byte) []byte {
	closed := bytes.Clone(patch)
	if !mdline.Ended(patch) {
		closed = append(closed, '\n')
	}
	return append(closed, "```\n"...)
}

// misnames reports whether an object names a file in an unknown way: under a key such as
// "document", or in a nested object.
func misnames(v jsontext.Value) bool {
	for _, m := range v.Members {
		role := jsontext.Roles(m.Key)
		switch {
		case role&jsontext.Path != 0 && m.Kind != '[':
			if m.Kind != '"' || len(m.Text) == 0 { // no name under a key for names
				return true
			}
		case role != 0 && role != jsontext.Tool && m.Key != "function": // the value is no name
		case role == 0 && speaksOfFile(m.Key): // "document_uri"
			return true
		case m.Kind == '"' && filename.Likely(string(m.Text)):
			return true
		case role == 0 && m.Kind == '{':
			for _, m := range m.Members {
				if m.Kind == '"' && (speaksOfFile(m.Key) || filename.Likely(string(m.Text))) {
					return true
				}
			}
		}
	}
	return false
}

// speaksOfFile reports whether a key's value refers to a file, in any form.
func speaksOfFile(key string) bool {
	for word := range words(key) {
		switch word {
		case "path", "paths", "file", "filename", "uri", "url", "document", "resource":
			return true
		}
	}
	return false
}

// givesType reports whether an object is the JSON Schema of a text: {"type": "string"}.
func givesType(v jsontext.Value) bool {
	return slices.ContainsFunc(v.Members, func(m jsontext.Member) bool {
		return m.Key == "type" && (m.Kind == '[' || string(m.Text) == "string")
	})
}

// isRoute reports whether a path is a JSON pointer or the path of a web page rather than of a file
// in a tree: "/name", "/users/1".
func isRoute(name string) bool {
	dir, base := path.Split(name)
	return path.IsAbs(name) && !strings.Contains(base, ".") && !filename.IsKnown(base) &&
		(dir == "/" || strings.Trim(base, "0123456789") == "")
}
