package indent

// Of is the leading run of spaces and tabs of line.
func Of(line []byte) []byte {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return line[:n:n]
}

// Blank reports whether line holds nothing but spaces, tabs and carriage returns.
func Blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// unit counts an indentation in its own characters: the leading tabs if it begins with one, else the spaces.
// ok is false where both kinds are mixed.
func unit(indent []byte) (char byte, n int, ok bool) {
	if len(indent) == 0 {
		return 0, 0, true
	}
	for _, c := range indent {
		if c != indent[0] {
			return 0, 0, false
		}
	}
	return indent[0], len(indent), true
}
