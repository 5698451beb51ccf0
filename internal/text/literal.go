package text

import "bytes"

// IsQuote reports whether mark may begin a string literal.
func IsQuote(mark byte) bool { return mark == '"' || mark == '\'' || mark == '`' }

// InOneQuote returns line, trimmed, with single and double quotes replaced by the same sign.
func InOneQuote(line []byte) []byte {
	return bytes.ReplaceAll(bytes.TrimSpace(line), []byte{'"'}, []byte{'\''})
}

// QuotesChar reports whether, in the file called name, single quotes enclose characters and double
// quotes enclose strings.
func QuotesChar(name string) bool {
	return among(".c .h .cc .cpp .cxx .hpp .hh .m .mm .go .rs .java .kt .scala .swift .cs .zig "+
		".d .hs .ml ", extension(name))
}

// IsStringPrefix reports whether token may consist of the letters before a string literal, as in
// f"" and rb"".
func IsStringPrefix(token []byte) bool {
	return len(token) <= 2 && len(bytes.Trim(bytes.ToLower(token), "fbru")) == 0
}

// InString reports whether offset at is inside a string literal of line.
func InString(line []byte, at int) bool {
	var open byte
	for i := 0; i < at; i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case open == 0 && IsQuote(c):
			open = c
		case c == open:
			open = 0
		}
	}
	return open != 0
}

// StringLen returns the length of the string literal at the start of text, including its quotes. It
// returns 0 if the literal isn't closed, because then an apostrophe is more likely.
func StringLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 0
}

// Unescape removes the backslash before each of the given signs.
func Unescape(line []byte, signs string) []byte {
	if bytes.IndexByte(line, '\\') < 0 {
		return line
	}
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		if isEscaped(line[i:], signs) {
			i++
		}
		out = append(out, line[i])
	}
	return out
}

// isEscaped reports whether text begins with a backslash and one of the given signs.
func isEscaped(text []byte, signs string) bool {
	return len(text) > 1 && text[0] == '\\' && bytes.IndexByte([]byte(signs), text[1]) >= 0
}
