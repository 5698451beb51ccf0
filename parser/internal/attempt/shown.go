package attempt

import "github.com/srpatch/srpatch/parser/internal/jsontext"

// ShowsCall reports whether code has the arguments of an editing tool: a path, and an old and a new text by names that only such tools
// have. In code a call may as well be a sample.
func ShowsCall(code []byte) bool {
	var seen jsontext.Role
	for i := 0; i < len(code); {
		start := i
		for i < len(code) && isWordByte(code[i]) {
			i++
		}
		if word := code[start:i]; len(word) > 0 && len(word) <= maxArgument && isAfterName(code[i:]) {
			if role := jsontext.Roles(string(word)); role&jsontext.Path != 0 || role&jsontext.Strong != 0 {
				seen |= role
			}
		}
		if i == start {
			i++
		}
	}
	return seen&jsontext.Path != 0 && seen&jsontext.Old != 0 && seen&jsontext.New != 0
}

// maxArgument bounds the name of an argument, in bytes.
const maxArgument = 24

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// isAfterName reports whether a value may follow: "path=", `"path":`, `<parameter name="path">`, "<path>".
func isAfterName(rest []byte) bool {
	for _, c := range rest {
		switch c {
		case ' ', '"', '\'':
		case '=', ':', '>':
			return true
		default:
			return false
		}
	}
	return false
}
