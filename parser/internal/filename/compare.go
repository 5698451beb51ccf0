package filename

import (
	"bytes"
	"strings"
)

// comparesFile reports whether a line contains a word that introduces a file for comparison:
// "like", "as in".
func comparesFile(line []byte) bool {
	var before []byte
	for word := range bytes.FieldsSeq(line) {
		if introducesComparison(word) || string(word) == "in" && strings.ToLower(string(before)) == "as" {
			return true
		}
		before = word
	}
	return false
}

// introducesComparison reports whether a word introduces a file for comparison.
func introducesComparison(word []byte) bool {
	switch strings.ToLower(string(bytes.Trim(word, "(*_,>:"))) {
	case "like", "unlike", "see", "mirrors", "mirroring", "matches", "matching", "than", "cf":
		return true
	}
	return false
}
