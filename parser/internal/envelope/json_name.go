package envelope

import (
	"bytes"

	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
)

// What is said of a call that names no file.
const (
	ExpectedPath = "the path of the file below the key path"
	RemedyPath   = "send the call again, with the path"
)

// namesFile reports whether the value of a key is a file's name. Below keys that number or call something it is only with its folder.
func namesFile(key string, value []byte) bool {
	switch key {
	case "type", "tool", "name", "id", "version", "function":
		return bytes.IndexByte(value, '/') >= 0 && filename.Likely(string(value))
	}
	return filename.Likely(string(value))
}

// misnames reports whether an object names a file in a way that is not understood: below a key that speaks of files, or in an object of its
// own.
func (r *jsonReader) misnames(v jsontext.Span) bool {
	for key, value := range jsontext.Members(r.text, v) {
		switch role := jsontext.Roles(key); {
		case role&jsontext.Path != 0 && r.kind(value) != '[':
			if s, ok := r.str(value); !ok || len(s) == 0 {
				return true
			}
		case role != 0 && role != jsontext.Tool && key != "function":
		case role == 0 && speaksOfFile(key):
			return true
		case r.kind(value) == '"':
			if s, ok := r.str(value); ok && namesFile(key, s) {
				return true
			}
		case role == 0 && r.kind(value) == '{':
			if !r.eachText(value, 0, func(key string, text []byte) bool { return !speaksOfFile(key) && !namesFile(key, text) }) {
				return true
			}
		}
	}
	return false
}

// speaksOfFile reports whether the value of a key tells of a file, whatever form it has.
func speaksOfFile(key string) bool {
	for word := range words(key) {
		switch word {
		case "path", "paths", "file", "filename", "uri", "url", "document", "resource":
			return true
		}
	}
	return false
}

// byFile reads an object that has the edits of each file below its name: {"a.py": [{"search": ..., "replace": ...}]}.
func (r *jsonReader) byFile(v jsontext.Span, ctx jsonContext) {
	for key, value := range jsontext.Members(r.text, v) {
		if kind := r.kind(value); kind != '{' && kind != '[' || !filename.Likely(key) || isRoute(key) {
			continue
		}
		ctx.path, ctx.edits = key, true
		r.value(value, ctx)
	}
}
