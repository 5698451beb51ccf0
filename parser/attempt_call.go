package parser

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/srpatch/srpatch/parser/internal/envelope"

	"github.com/srpatch/srpatch/parser/internal/jsontext"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
)

// callAttempt watches a call of an edit tool that does not begin its line, or is no JSON: after the mark of a list, a label, a
// tag, in the brackets of a function. It counts once it has a path, an old and a new text, under the keys that edit
// tools have and no others.
type callAttempt struct {
	lines int // that were watched; 0 if none is
	first int // number of the first one
	seen  jsontext.Role
	found string
}

// callEnds are the last bytes of lines that may begin such a call or contain all of it; '\r' may come after them.
var callEnds = [256]bool{'{': true, '(': true, '[': true, '}': true, ')': true, ']': true, '>': true, '"': true, '\'': true, ';': true, ',': true, '\r': true}

// mayCall reports quickly, by the end of a line, whether the line may begin a call.
func mayCall(raw []byte) bool {
	n := len(raw) - 1
	if n > 0 && raw[n] == '\n' {
		n--
	}
	return n >= 0 && callEnds[raw[n]]
}

// watchCall looks at a line for keys of an edit. It reports whether there are enough of them by now, which is reported.
func (s *Scanner) watchCall(raw []byte, at fsm.Pos) bool {
	text := bytes.TrimSpace(raw)
	if len(text) == 0 {
		return false
	}
	begins := s.beginCall(raw, text, at)
	call := &s.attempt.call
	if call.lines == 0 {
		return false
	}
	if call.lines++; call.lines > maxWatched || mdline.OpensBlock(text) {
		*call = callAttempt{}
		return false
	}
	call.seen |= callRoles(text)
	if containsPatch(text) {
		call.seen |= jsontext.Path | jsontext.Old | jsontext.New | jsontext.Strong
	}
	const all = jsontext.Path | jsontext.Old | jsontext.New | jsontext.Strong
	if call.seen&all == all {
		d := &Diagnostic{Code: "malformed-envelope", Line: call.first, Found: call.found, Expected: "a JSON value at the beginning of a line",
			Remedy: s.out.remedy("send the call again as JSON on lines of its own, or as a SEARCH/REPLACE block", fsm.Aider)}
		first := call.first
		*call = callAttempt{}
		s.out.uses.put(diagnosed, at.Line, at.Line)
		s.out.refuse(d, first, first)
		return true
	}
	open := text[len(text)-1]
	if begins && open != '{' && open != '(' && open != '[' && open != ',' || !begins && (text[0] == '}' || text[0] == ')') {
		*call = callAttempt{}
	}
	return false
}

// beginCall begins to watch with a line that may be the first one of a call.
func (s *Scanner) beginCall(raw, text []byte, at fsm.Pos) bool {
	last := text[len(text)-1]
	if f := s.ctx.top(); s.req.bare || s.req.format != "" && s.req.format != envelope.JSON || f != nil && f.code || !callEnds[last] ||
		last != '{' && last != '(' && last != '[' && !bytes.Contains(text, []byte("ld")) && !containsPatch(text) && text[0] != '"' {
		return false // "old", "Old"
	}
	if s.attempt.call.lines > 0 && (text[0] == '"' || callRoles(text)&jsontext.Path == 0) {
		return false // it goes on, or a text in it looks like one
	}
	rest, ok := cutCall(raw)
	if !ok || bytes.Contains(text, []byte(`"..."`)) {
		return false
	}
	if len(rest) > 0 && rest[0] != '{' && rest[0] != '[' && callRoles(rest) == 0 && !containsPatch(rest) {
		return false
	}
	s.attempt.call = callAttempt{lines: 1, first: at.Line, found: mdline.Excerpt(raw)}
	return true
}

// cutCall removes the text before the arguments of a call from a line; ok is false if there is none, or if something other
// than arguments follows.
func cutCall(raw []byte) (rest []byte, ok bool) {
	prefix := fsm.PrefixLen(raw)
	ok = bytes.IndexByte(raw[:prefix], '>') >= 0
	t := bytes.TrimSpace(raw[prefix:])
	for range 5 {
		if t = bytes.TrimLeft(t, " \t"); len(t) == 0 {
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

// callKey matches a key before a string in the arguments of a call, in JSON, in JSON in a string, or as a named argument.
var callKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?:^|[\\s{,\\[(])\\\\*[\"']?([A-Za-z_]+)\\\\*[\"']?\\s*[:=]\\s*[rbf]?\\\\*[\"'`]")
})

// callRoles combines the meanings that the keys in a text have for an edit.
func callRoles(text []byte) (seen jsontext.Role) {
	for _, key := range callKey().FindAllSubmatch(text[:min(len(text), maxCallLine)], -1) {
		seen |= jsontext.Roles(string(key[1]))
	}
	return seen
}

// maxCallLine bounds how much of a line is searched for keys, in bytes.
const maxCallLine = 64 << 10
