package mdline

import "bytes"

// WithoutCode removes the code between backticks from a line, so that the code's signs are not
// taken for punctuation.
func WithoutCode(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for {
		head, tail, ok := bytes.Cut(line, []byte("`"))
		code, rest, closed := bytes.Cut(tail, []byte("`"))
		if !ok || !closed || len(code) == 0 {
			return append(out, line...)
		}
		out = append(append(out, head...), '`')
		line = rest
	}
}

// InBrackets reports whether the whole line is in brackets.
func InBrackets(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) > 2 && text[0] == '(' && text[len(text)-1] == ')' && bytes.IndexByte(text[1:], '(') < 0
}
