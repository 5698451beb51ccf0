package envelope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/command"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
)

// A call that changes files is never passed over: what is clear becomes a block, what a shell would do is listed, and the rest is refused.
// It is asked here for calls in whatever spelling, for all of them are read as JSON.

// found is how much has come of the value so far.
func (r *jsonReader) found() int { return len(r.blocks) + len(r.diags) }

// doubt lists a value that may as well only show something.
func (r *jsonReader) doubt(v jsontext.Span, path, what string) {
	line := r.line(v.Start)
	r.diags = append(r.diags, Fault{Code: "like-an-edit", Line: line, Doubt: &Doubt{Last: max(line, r.line(v.End-1)), Path: path, What: what}})
}

// toolIn notes in ctx what the tool that an object names does; called says that it changes files or runs something.
func (r *jsonReader) toolIn(v jsontext.Span, ctx *jsonContext) (called bool) {
	kind, described, result, given := toolKind(0), false, false, false
	ctx.named = false
	for key, value := range jsontext.Members(r.text, v) {
		role := jsontext.Roles(key)
		given = given || isArguments(key) || role == jsontext.Path
		switch {
		case r.kind(value) != '"':
		case role == jsontext.Tool:
			if s, ok := r.str(value); ok {
				k, known := kindOf(string(s))
				kind, called, ctx.named = kind|k, called || known, true
			}
		case key == "type":
			result = bytes.Contains(r.text[value.Start:value.End], []byte("result"))
		case key == "description":
			described = true
		}
	}
	if ctx.given || result { // another call is about this one, or it was made before
		kind &^= deletes | moves
	}
	ctx.tool |= kind
	ctx.partial = ctx.partial || ctx.tool&(deletes|moves) != 0 && !r.namesOnlyFile(v)
	return called && !result && (given || !described) // else it describes a tool
}

// isArguments reports whether a key has the arguments of a call.
func isArguments(key string) bool {
	switch key {
	case "arguments", "input", "parameters", "params", "args":
		return true
	}
	return false
}

// fileArgument is the meaning of an argument for a call that deletes or moves a whole file.
type fileArgument uint8

const (
	otherArgument fileArgument = iota // lines, a text, a cell: perhaps only a part of the file is meant
	reason
	theFile
	source
	destination
)

func fileArgumentOf(key string) fileArgument {
	if jsontext.Roles(key) == jsontext.Path {
		return theFile
	}
	plain := strings.Join(slices.Collect(words(key)), "_")
	side := strings.TrimSuffix(strings.TrimSuffix(plain, "_path"), "_file")
	switch plain {
	case "explanation", "reason", "task_progress", "requires_approval":
		return reason
	}
	switch side {
	case "source", "src", "old", "from", "original":
		return source
	case "destination", "dest", "dst", "target", "new", "to":
		return destination
	}
	return otherArgument
}

// namesOnlyFile reports whether an object in a call that deletes or moves a file has no keys except those of the call and
// of its file. Rows of data also have a name and a path, so a call whose arguments are next to the tool's name needs the key
// tool: {"tool": "delete_file", "path": "a.py"}.
func (r *jsonReader) namesOnlyFile(v jsontext.Span) bool {
	name, arguments, call, file := "", false, false, false
	for key, value := range jsontext.Members(r.text, v) {
		switch key {
		case "id", "call_id", "type", "index", "status", "caller":
			call = true
			continue
		}
		if isArguments(key) {
			if !r.isObject(value) {
				return false
			}
			arguments = true
			continue
		}
		if jsontext.Roles(key) == jsontext.Tool {
			name = key
			if s, ok := r.str(value); !ok || !isFileTool(string(s)) {
				return false
			}
			continue
		}
		what := fileArgumentOf(key)
		if what == otherArgument {
			return false
		}
		file = file || what != reason
	}
	switch {
	case arguments:
		return name != "" && !file
	case name != "":
		return name != "name" && !call
	}
	return !call
}

// isObject reports whether a value is an object, or a string that has an object of JSON and nothing else.
func (r *jsonReader) isObject(v jsontext.Span) bool {
	if r.kind(v) != '"' {
		return r.kind(v) == '{'
	}
	text, err := jsontext.Unquote(r.text[v.Start:v.End])
	inner, ok := valueIn(text)
	return err == nil && ok && inner[0] == '{'
}

// isFileTool reports whether a tool deletes or moves whole files.
func isFileTool(name string) bool {
	kind, _ := kindOf(name)
	return kind&(deletes|moves) != 0
}

// fileCall understands the arguments of a call that deletes or moves a file.
func (r *jsonReader) fileCall(v jsontext.Span, e *jsonEdit, ctx jsonContext) bool {
	if ctx.partial {
		return false
	}
	from, to, named := "", "", e.seen&jsontext.Path != 0
	if named {
		from = ctx.path
	}
	if r.kind(v) == '{' {
		for key, value := range jsontext.Members(r.text, v) {
			s, _ := r.str(value)
			switch what := fileArgumentOf(key); {
			case what == source && from == "":
				from = string(s)
			case what == destination && to == "":
				to = string(s)
			case what == source, what == destination:
				return false
			}
		}
	}
	b := r.block(e, ctx)
	b.Op, b.Path, b.NewPath, b.StartLine, b.EndLine = OpDelete, from, to, 0, 0
	switch ctx.tool & (deletes | moves) {
	case deletes:
		if !named || to != "" {
			return false
		}
	case moves:
		if b.Op = OpMove; !filename.Likely(to) || from == to {
			return false
		}
	default:
		return false
	}
	if !filename.Likely(from) {
		return false
	}
	r.blocks = append(r.blocks, b)
	return true
}

// commands lists commands in the arguments of a call that change a file.
func (r *jsonReader) commands(v jsontext.Span) {
	r.eachText(v, maxJSONStrings, func(_ string, text []byte) bool {
		file, ok := command.Edit(text)
		if ok {
			r.doubt(v, file, "a command that changes a file")
		}
		return !ok
	})
}

// unread refuses a call of which nothing came although it changes files. A call that names no file may only be spoken of, and one without
// any text next to the file's name asks for nothing.
func (r *jsonReader) unread(v jsontext.Span, ctx jsonContext) {
	path, sample, wants := "", false, ctx.tool&asks != 0
	r.eachText(v, maxJSONStrings, func(key string, text []byte) bool {
		switch {
		case jsontext.Roles(key) == jsontext.Tool:
		case path == "" && filename.Likely(string(text)) && !isRoute(string(text)):
			path = string(text)
		default:
			wants = true
		}
		sample = sample || key == "type" && string(text) == "object" || string(text) == "..." // the description of a tool
		return !sample
	})
	switch {
	case sample || !wants || path == "" && ctx.path != "" && ctx.tool&asks == 0:
	case path == "":
		r.doubt(v, "", "text that looks like a tool call")
	default:
		r.diagnose(diagnosis.Unsupported, v, "the arguments of a tool that srpatch knows", "send the edit as a SEARCH/REPLACE block")
	}
}

// eachText calls f for the strings in a value, those in JSON in strings too, until f returns false.
func (r *jsonReader) eachText(v jsontext.Span, depth int, f func(key string, text []byte) bool) bool {
	each := func(key string, value jsontext.Span) bool {
		switch r.kind(value) {
		case '{', '[':
			return depth == 0 || r.eachText(value, depth-1, f)
		case '"':
			text, err := jsontext.Unquote(r.text[value.Start:value.End])
			if err != nil {
				return true
			}
			if inner, n := leadingValue(text); n > 0 && depth > 0 {
				nested := jsonReader{text: inner[:n]}
				more := nested.eachText(jsontext.ValueAt(inner[:n], 0), depth-1, f)
				if !more || n == len(inner) {
					return more
				}
			}
			return f(key, text)
		}
		return true
	}
	switch r.kind(v) {
	case '{':
		for key, value := range jsontext.Members(r.text, v) {
			if !each(key, value) {
				return false
			}
		}
	case '[':
		for value := range jsontext.Elements(r.text, v) {
			if !each("", value) {
				return false
			}
		}
	}
	return true
}

// valueIn returns a text that is a whole object or array of JSON.
func valueIn(text []byte) ([]byte, bool) {
	inner, n := leadingValue(text)
	return inner, n > 0 && n == len(inner)
}

// leadingValue returns a text without blanks around it, and the length of the object or array of JSON that it begins with, or 0.
func leadingValue(text []byte) ([]byte, int) {
	inner := bytes.TrimSpace(text)
	if len(inner) == 0 || inner[0] != '{' && inner[0] != '[' {
		return inner, 0
	}
	s := jsontext.Scanner{Key: func([]byte) {}}
	n, ok := s.Scan(inner)
	if !ok || !s.Done() {
		return inner, 0
	}
	return inner, n
}

// leftOut refuses entries of a list of edits of which nothing came, next to others that were read. Alone they may be data, but for those
// with two texts.
func (r *jsonReader) leftOut(entries []jsontext.Span, path string, edits bool) {
	for _, v := range entries {
		switch {
		case edits:
			r.diagnose(diagnosis.Malformed, v, "old_string and new_string", "send the call again, with the keys of the tool in each edit")
		case path != "" && r.hasTwoTexts(v):
			r.doubt(v, path, "text that looks like an edit")
		}
	}
}

// hasTwoTexts reports whether an object has two strings that may be the sides of an edit.
func (r *jsonReader) hasTwoTexts(v jsontext.Span) bool {
	if r.kind(v) != '{' {
		return false
	}
	n := 0
	for key, value := range jsontext.Members(r.text, v) {
		if r.kind(value) == '"' && key != "type" && key != "description" && !strings.Contains(strings.ToLower(key), "line") {
			n++
		}
	}
	return n > 1
}

// fileList is a list of files to delete or to move: "deletes": ["a.py"].
type fileList struct {
	kind toolKind
	list jsontext.Span
}

// fileLists understands lists of files next to edits. Without edits, the lists may just tell what was done. Next to edits that
// are all for one file, they may list something in it.
func (r *jsonReader) fileLists(lists []fileList, edits bool, path string) {
	const expected, remedy = "the path of a file", "write the change as a patch"
	for _, l := range lists {
		if !edits {
			r.doubt(l.list, "", "a list of files to delete or to move")
			continue
		}
		if path != "" {
			r.diagnose(diagnosis.Unsupported, l.list, expected, remedy)
			continue
		}
		for v := range jsontext.Elements(r.text, l.list) {
			ctx := jsonContext{tool: l.kind}
			before := r.found()
			if e := (jsonEdit{at: v, seen: jsontext.Path}); r.kind(v) == '{' {
				r.object(v, ctx)
			} else if s, ok := r.str(v); ok {
				ctx.path = string(s)
				r.fileCall(v, &e, ctx)
			}
			if r.found() == before {
				r.diagnose(diagnosis.Unsupported, v, expected, remedy)
			}
		}
	}
}
