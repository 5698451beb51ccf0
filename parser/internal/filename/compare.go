package filename

import "bytes"

// comparesFile reports whether one of the words introduces a file for comparison: "like", "as in".
func comparesFile(words [][]byte) bool {
	for i, word := range words {
		if introducesComparison(word) || i > 0 && string(word) == "in" && string(bytes.ToLower(words[i-1])) == "as" {
			return true
		}
	}
	return false
}

// introducesComparison reports whether a word introduces a file for comparison.
func introducesComparison(word []byte) bool {
	switch string(bytes.ToLower(bytes.Trim(word, "(*_,>:"))) {
	case "like", "unlike", "see", "mirrors", "mirroring", "matches", "matching", "than", "cf":
		return true
	}
	return false
}
