package attempt

import (
	"bytes"

	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// keys watches for the names that the arguments of edit tools have, wherever they are on their lines: in code, behind the signs of comments,
// in calls with a slip in them. Text about tools has them as well, so what has a path and both texts, or a path and the text of a file, is
// only noticed.
type keys struct {
	begun
	last int // the number of the last line with a name
	seen jsontext.Role
}

// Notice forgets the names where an edit begins or was read, or another speaker.
func (k *keys) Notice(Event) { *k = keys{} }

// maxApart is how many lines further the next name may be, where the texts have their line ends escaped.
const maxApart = 2

// Watch looks at one line.
func (k *keys) Watch(l *Line) *Finding {
	text := bytes.TrimSpace(l.Raw[:min(len(l.Raw), maxCallLine)])
	if table := len(text) > 0 && text[0] == '|' && text[len(text)-1] == '|'; table || bytes.Contains(text, []byte(`"..."`)) {
		return nil // it says how calls are
	}
	if bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, '\'') < 0 && bytes.IndexByte(text, '<') < 0 {
		return nil
	}
	tags, content := tagRoles(text)
	named, wholly := namedRoles(text)
	patch := containsPatch(text)
	if tags|named == 0 && !content && !wholly && !patch {
		return nil
	}
	far := maxApart
	if tags != 0 || content {
		far = maxOldSide
	}
	if k.line == 0 || l.At.Line-k.last > far {
		*k = keys{begun: begun{line: l.At.Line, found: mdline.Excerpt(l.Raw)}}
	}
	k.seen |= tags | named
	path := k.seen&jsontext.Path != 0
	whole := wholly && named&jsontext.Path != 0 || content && l.At.Line-k.last <= maxApart || k.seen&jsontext.FileText != 0
	k.last = l.At.Line
	const both, commanded = jsontext.Old | jsontext.New, jsontext.Strong | jsontext.Command
	if path && (k.seen&both == both && (k.seen&jsontext.Strong != 0 || tags != 0 || named&both == both) || k.seen&commanded == commanded || whole) || patch {
		before := k.begun
		*k = keys{}
		return before.doubt(l.At.Line, "what looks like the call of a tool")
	}
	return nil
}

// namedRoles are the meanings of keys before strings. whole says that one is for the text of a file.
func namedRoles(text []byte) (seen jsontext.Role, whole bool) {
	if bytes.IndexByte(text, ':') < 0 && bytes.IndexByte(text, '=') < 0 {
		return 0, false
	}
	for _, key := range callKey().FindAllSubmatchIndex(text, -1) {
		name := string(text[key[2]:key[3]])
		role := jsontext.Roles(name)
		for _, meant := range [...]string{"file_path", "old_string", "new_string"} {
			if role == 0 && envelope.Nearly(name, meant) {
				role = jsontext.Roles(meant)
			}
		}
		if role == jsontext.Path && !isFile(text[key[1]:], `"'\`) {
			continue // "...", which stands for one
		}
		seen |= role
		whole = whole || envelope.Nearly(name, "content")
	}
	return seen, whole
}

// tagRoles are the meanings of arguments in tags. whole says that one is for the text of a file.
func tagRoles(text []byte) (seen jsontext.Role, whole bool) {
	for at := bytes.IndexByte(text, '<'); at >= 0; at = bytes.IndexByte(text, '<') {
		text = text[at+1:]
		end := bytes.IndexByte(text[:min(len(text), maxCallHead)], '>')
		if end < 0 {
			continue
		}
		name, ok := bytes.CutPrefix(text[:end], []byte("parameter"))
		if ok {
			name = bytes.TrimPrefix(bytes.TrimLeft(name, " ="), []byte("name="))
			name = bytes.Trim(name, `"'`)
		}
		if role := jsontext.Roles(string(name)); role != jsontext.Path || isFile(text[end+1:], "<") {
			seen |= role
		}
		whole = whole || string(name) == "content"
	}
	return seen, whole
}

// isFile reports whether a text begins with what is likely the name of a file, up to one of the characters of end.
func isFile(text []byte, end string) bool {
	name := text[:min(len(text), maxName)]
	if i := bytes.IndexAny(name, end); i >= 0 {
		name = name[:i]
	}
	return filename.Likely(string(bytes.TrimSpace(name)))
}

// maxName is how long the name of a file may be, in bytes.
const maxName = 400
