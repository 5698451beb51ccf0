package text

import "unicode/utf8"

// CommonPrefix returns the length, in bytes, of the longest common prefix of a and b that consists
// of whole runes.
func CommonPrefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	return n
}

// CommonSuffix returns the length, in bytes, of the longest common suffix of a and b that consists
// of whole runes.
func CommonSuffix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	return n
}
