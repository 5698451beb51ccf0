package envelope

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/command"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
)

// A call that changes files is never passed over: what is clear becomes a block, what a shell would do is listed, and the rest is refused.
// It is asked here for calls in whatever spelling, for all of them are read as JSON.

// found is how much has come of the value so far.
func (r *jsonReader) found() int { return len(r.blocks) + len(r.diags) }

// doubt lists a value that may as well only show something.
func (r *jsonReader) doubt(code string, v jsontext.Span, path, what string) {
	line := r.line(v.Start)
	r.diags = append(r.diags, Fault{Code: code, Line: line, Doubt: &Doubt{Last: max(line, r.line(v.End-1)), Path: path, What: what}})
}

// toolIn is what the tool that an object names does; called says that it changes files or runs something.
func (r *jsonReader) toolIn(v jsontext.Span, ctx jsonContext) (kind toolKind, called bool) {
	result := false
	for key, value := range jsontext.Members(r.text, v) {
		switch {
		case r.kind(value) != '"':
		case jsontext.Roles(key) == jsontext.Tool:
			if s, ok := r.str(value); ok {
				kind, called = kindOf(string(s))
			}
		case key == "type":
			result = bytes.Contains(r.text[value.Start:value.End], []byte("result"))
		case key == "description":
			result = true // it describes a tool
		}
		if called {
			break
		}
	}
	return kind | ctx.tool, called && !result
}

// fileCall understands the arguments of a call that deletes or moves a file.
func (r *jsonReader) fileCall(v jsontext.Span, e *jsonEdit, ctx jsonContext) bool {
	b := r.block(e, ctx)
	b.StartLine, b.EndLine = 0, 0
	switch {
	case ctx.tool&deletes != 0 && e.seen&jsontext.Path != 0:
		b.Op = OpDelete
	case ctx.tool&moves != 0 && r.kind(v) == '{':
		for key, value := range jsontext.Members(r.text, v) {
			s, ok := r.str(value)
			if !ok || !filename.Likely(string(s)) {
				continue
			}
			for word := range words(key) {
				switch word {
				case "source", "src", "old", "from":
					b.Path = string(s)
				case "destination", "dest", "dst", "target", "new", "to":
					b.NewPath = string(s)
				}
			}
		}
		b.Op = OpMove
		if b.NewPath == "" || b.Path == b.NewPath {
			return false
		}
	default:
		return false
	}
	if !filename.Likely(b.Path) {
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
			r.doubt("shell-edit", v, file, "a command that changes a file")
		}
		return !ok
	})
}

// unread refuses a call of which nothing came although it changes files. A call that names no file may only be spoken of, and one without
// any text next to the file's name asks for nothing.
func (r *jsonReader) unread(v jsontext.Span, ctx jsonContext) {
	path, sample, asks := "", false, ctx.tool&(deletes|moves) != 0
	r.eachText(v, maxJSONStrings, func(key string, text []byte) bool {
		switch {
		case jsontext.Roles(key) == jsontext.Tool:
		case path == "" && filename.Likely(string(text)) && !isRoute(string(text)):
			path = string(text)
		default:
			asks = true
		}
		sample = sample || key == "type" && string(text) == "object" || string(text) == "..." // the description of a tool
		return !sample
	})
	switch {
	case sample || !asks || path == "" && ctx.path != "":
	case path == "":
		r.doubt("like-an-edit", v, "", "what looks like the call of a tool")
	default:
		r.diagnose("unsupported", v, "the arguments of a tool that is understood", "send the edit as a SEARCH/REPLACE block")
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
			if inner, ok := valueIn(text); ok && depth > 0 {
				nested := jsonReader{text: inner}
				return nested.eachText(jsontext.ValueAt(inner, 0), depth-1, f)
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
	inner := bytes.TrimSpace(text)
	if len(inner) == 0 || inner[0] != '{' && inner[0] != '[' {
		return nil, false
	}
	s := jsontext.Scanner{Key: func([]byte) {}}
	n, ok := s.Scan(inner)
	return inner, ok && s.Done() && n == len(inner)
}

// leftOut refuses entries of a list of edits of which nothing came, next to others that were read. Alone they may be data, but for those
// with two texts.
func (r *jsonReader) leftOut(entries []jsontext.Span, path string, edits bool) {
	for _, v := range entries {
		switch {
		case edits:
			r.diagnose("malformed-envelope", v, "old_string and new_string", "send the call again, with the keys of the tool in each edit")
		case path != "" && r.hasTwoTexts(v):
			r.doubt("like-an-edit", v, path, "what looks like an edit")
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

// fileLists understands lists of files next to edits. Without any, they may as well tell what was done.
func (r *jsonReader) fileLists(lists []fileList, edits bool) {
	for _, l := range lists {
		if !edits {
			r.doubt("like-an-edit", l.list, "", "a list of files to delete or to move")
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
				r.diagnose("unsupported", v, "the path of a file", "write the change as a patch")
			}
		}
	}
}
