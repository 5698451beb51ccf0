package attempt

import (
	"bytes"
	"strings"

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
	if len(text) == 0 {
		return nil
	}
	tags, content := tagRoles(text[:min(len(text), maxLooseLine)])
	var named jsontext.Role
	var wholly bool
	var value []byte
	if l.Signs&mdline.Assign != 0 {
		named, wholly, value = namedRoles(text)
	}
	patch := l.Signs&mdline.Star != 0 && containsPatch(text)
	if tags|named == 0 && !content && !wholly && !patch {
		return nil
	}
	if table := text[0] == '|' && text[len(text)-1] == '|'; table || bytes.Contains(text, []byte(`"..."`)) {
		return nil // it says how calls are
	}
	far := maxApart
	if tags != 0 || content {
		far = maxOldSide
	}
	begins := k.line == 0 || l.At.Line-k.last > far
	if only := tags == 0 && named == jsontext.Path && !content && !wholly && !patch; only && begins && text[0] == '{' && text[len(text)-1] == '}' {
		return nil // all of a value
	}
	if named&jsontext.Path != 0 && !isFile(value, `"'`) {
		named &^= jsontext.Path // "...", which stands for one
	}
	if tags|named == 0 && !content && !wholly && !patch {
		return nil
	}
	if begins {
		*k = keys{begun: begun{line: l.At.Line}}
	}
	k.seen |= tags | named
	path := k.seen&jsontext.Path != 0
	whole := wholly && named&jsontext.Path != 0 || content && l.At.Line-k.last <= maxApart || k.seen&jsontext.FileText != 0
	k.last = l.At.Line
	const both, commanded = jsontext.Old | jsontext.New, jsontext.Strong | jsontext.Command
	if path && (k.seen&both == both && (k.seen&jsontext.Strong != 0 || tags != 0 || named&both == both) || k.seen&commanded == commanded || whole) || patch {
		before := k.begun
		*k = keys{}
		return before.doubt(l.At.Line, "text that looks like a tool call")
	}
	return nil
}

// namedRoles are the meanings of keys before strings. whole says that one is for the text of a file, path is what may be a file's name.
func namedRoles(text []byte) (seen jsontext.Role, whole bool, path []byte) {
	for i, c := range text {
		if c != ':' && c != '=' {
			continue
		}
		name, value := keyAround(text, i)
		if len(name) == 0 {
			continue
		}
		role := jsontext.Roles(string(name)) & argument
		if role == 0 {
			role = nearRole(name)
		}
		if role == jsontext.Path && (path == nil || !isFile(path, `"'`)) {
			path = value
		}
		seen |= role
		whole = whole || isSlip(name, "content")
	}
	return seen, whole, path
}

// argument are the meanings that show a call; those of what contains one do not.
const argument = jsontext.Path | jsontext.Old | jsontext.New | jsontext.Strong | jsontext.Command | jsontext.FileText

// nearRole is the meaning of a key that is misspelt; 0 for any other.
func nearRole(name []byte) jsontext.Role {
	for _, meant := range [...]string{"file_path", "old_string", "new_string"} {
		if isSlip(name, meant) {
			return jsontext.Roles(meant)
		}
	}
	return 0
}

// isSlip reports whether a key is another one, misspelt or not. With one slip the first two letters have one in common.
func isSlip(name []byte, meant string) bool {
	return len(name) > len(meant)-2 && len(name) < len(meant)+2 &&
		(strings.IndexByte(meant[:2], name[0]|0x20) >= 0 || strings.IndexByte(meant[:2], name[1]|0x20) >= 0) && envelope.Nearly(string(name), meant)
}

// keyAround is the key before a sign, and what follows the quote of its string; "" if a string does not follow. It takes more than callKey
// does: several quotes, and whatever is before them.
func keyAround(text []byte, sign int) (name, value []byte) {
	before := bytes.TrimRight(text[max(0, sign-maxKey):sign], " \t")
	before = bytes.TrimRight(bytes.TrimRight(before, `"'`), `\`)
	n := len(before)
	for n > 0 && mdline.IsLetter(before[n-1]) {
		n--
	}
	value = bytes.TrimLeft(text[sign+1:], " \t")
	if len(value) > 1 && (value[0] == 'r' || value[0] == 'b' || value[0] == 'f') {
		value = value[1:]
	}
	if value = bytes.TrimLeft(value, `\`); len(value) == 0 || value[0] != '"' && value[0] != '\'' && value[0] != '`' {
		return nil, nil
	}
	return before[n:], value[1:]
}

// maxKey is how long a key with the blanks after it may be, in bytes.
const maxKey = 40

// tagRoles are the meanings of arguments in tags. whole says that one is for the text of a file.
func tagRoles(text []byte) (seen jsontext.Role, whole bool) {
	for i, c := range text {
		if c != '<' || i+1 == len(text) || !mdline.IsLetter(text[i+1]) {
			continue
		}
		text := text[i+1:]
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
	word := string(bytes.TrimRight(bytes.TrimSpace(name), `\`))
	_, strength := filename.OfWord(word)
	return filename.Likely(word) || strength >= filename.Weak && bytes.IndexByte(name, ' ') > 0
}

// maxName is how long the name of a file may be, in bytes.
const maxName = 400
