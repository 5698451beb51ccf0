package attempt

import (
	"bytes"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// cutCall removes the text before the arguments of a call from a line; ok is false if there is none, or if something other
// than arguments follows.
func cutCall(raw []byte) (rest []byte, ok bool) {
	prefix := fsm.PrefixLen(raw)
	ok = bytes.IndexByte(raw[:prefix], '>') >= 0
	t := bytes.TrimSpace(raw[prefix:])
	for range 5 {
		for len(t) > 0 && (t[0] == ' ' || t[0] == '\t') {
			t = t[1:]
		}
		if len(t) == 0 {
			return t, ok
		}
		if args := afterToken(t); len(args) < len(t) {
			t, ok = args, true
			continue
		}
		switch c := t[0]; {
		case c == '{' || c == '[':
			return t, ok
		case c == '"' || c == '\'':
			if inner := bytes.TrimLeft(t[1:], ` \`); len(inner) > 0 && (inner[0] == '{' || inner[0] == '[') {
				return inner, true // a string that holds the arguments
			}
			return t, callRoles(t) != 0 // the opening brace got lost
		case (c == '-' || c == '+' || c == '*') && len(t) > 1 && t[1] == ' ':
			t, ok = t[2:], true
		case c == '*':
			t = bytes.TrimLeft(t, "*")
		case '0' <= c && c <= '9':
			mark := bytes.TrimLeft(t, "0123456789")
			if len(mark) < 2 || mark[0] != '.' && mark[0] != ')' || mark[1] != ' ' {
				return nil, false
			}
			t, ok = mark[2:], true
		case c == '<':
			end := bytes.IndexByte(t, '>')
			if end < 2 || end > maxCallHead {
				return nil, false
			}
			t, ok = t[end+1:], true
		default:
			n := callHead(t)
			if n == 0 {
				return nil, false
			}
			sign := t[n-1]
			if t, ok = t[n:], true; sign == '(' && (len(t) == 0 || mdline.IsLetter(t[0])) {
				return t, true
			}
		}
	}
	return nil, false
}

// afterToken removes the tokens by which models distinguish a call from text, and the tool's name between them.
func afterToken(t []byte) []byte {
	if call, ok := bytes.CutPrefix(t, []byte("[TOOL_CALLS]")); ok {
		if _, args, ok := bytes.Cut(call, []byte("[ARGS]")); ok {
			return args
		}
		return call
	}
	if bytes.HasPrefix(t, []byte("<|")) {
		if _, message, ok := bytes.Cut(t, []byte("<|message|>")); ok {
			return message
		}
	}
	return t
}

// containsPatch reports whether a string in a line contains a patch.
func containsPatch(text []byte) bool { return bytes.Contains(text, []byte(`*** Begin Patch\n`)) }

// maxCallHead is how long a label or a function's name may be, in bytes.
const maxCallHead = 60

// callHead is the length of a label with its colon, a name with its equals sign, or a function with its bracket; 0 if t
// begins with none.
func callHead(t []byte) int {
	for i, c := range t[:min(len(t), maxCallHead)] {
		switch {
		case i > 0 && c >= utf8.RuneSelf && bytes.HasPrefix(t[i:], []byte("→")):
			return i + len("→")
		case i > 0 && c == '>' && t[i-1] == '-':
			return i + 1
		case i > 0 && bytes.HasPrefix(t[i:], []byte("=>")):
			return i + len("=>")
		case mdline.IsLetter(c) || '0' <= c && c <= '9' || c == '.' || c == ' ' || c == '-' || c == '*':
		case i > 0 && (c == ':' || c == '=' || c == '(' && mdline.IsLetter(t[i-1])):
			if i+1 < len(t) && t[i+1] == '*' {
				return i + 1 + len(t[i+1:]) - len(bytes.TrimLeft(t[i+1:], "*"))
			}
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// callRoles combines the meanings that the keys in a text have for an edit.
func callRoles(text []byte) (seen jsontext.Role) {
	text = text[:min(len(text), maxCallLine)]
	over := 0
	for i, c := range text {
		if c != ':' && c != '=' {
			continue
		}
		if key, end := callKey(text, over, i); end > 0 {
			seen |= jsontext.Roles(string(key))
			over = end
		}
	}
	return seen
}

// callKey is the key before the colon or the equals sign at an offset, where a string follows, as the arguments of a call have it: in JSON, in
// JSON in a string, or by name. The string begins at end, which is 0 if there is no such key. Text up to over belongs to keys before it.
func callKey(text []byte, over, sign int) (key []byte, end int) {
	end = sign + 1
	for end < len(text) && isSpace(text[end]) {
		end++
	}
	if end < len(text) && (text[end] == 'r' || text[end] == 'b' || text[end] == 'f') {
		end++
	}
	for end < len(text) && text[end] == '\\' {
		end++
	}
	if end == len(text) || text[end] != '"' && text[end] != '\'' && text[end] != '`' {
		return nil, 0
	}
	before := text[over:sign]
	for len(before) > 0 && isSpace(before[len(before)-1]) {
		before = before[:len(before)-1]
	}
	before = withoutQuote(before)
	n := len(before)
	for n > 0 && mdline.IsLetter(before[n-1]) {
		n--
	}
	key, before = before[n:], withoutQuote(before[:n])
	if len(key) == 0 || len(before) == 0 && over > 0 || len(before) > 0 && !isSpace(before[len(before)-1]) && bytes.IndexByte([]byte("{,[("), before[len(before)-1]) < 0 {
		return nil, 0
	}
	return key, end + 1
}

// withoutQuote removes a quote from the end of a text, with the backslashes before it.
func withoutQuote(text []byte) []byte {
	if n := len(text) - 1; n >= 0 && (text[n] == '"' || text[n] == '\'') {
		text = text[:n]
	}
	return bytes.TrimRight(text, `\`)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// maxCallLine bounds how much of a line is searched for keys, in bytes.
const maxCallLine = 64 << 10
