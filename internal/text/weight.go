package text

// Weight says how well a line shows where it belongs: blank lines count next to nothing, braces
// little, and long lines most.
func Weight(line []byte) int {
	words, marks := 0, false
	for _, c := range line {
		if classes[c] == classWord {
			if words++; words == 32 {
				break
			}
		} else if c > ' ' {
			marks = true
		}
	}
	switch {
	case words > 0:
		return 4 + words/4
	case marks:
		return 2
	}
	return 1
}

// HasWord reports whether line has a word, rather than only brackets, signs and blanks.
func HasWord(line []byte) bool { return Weight(line) > 2 }

// Telling reports whether line has more than a short word: enough to recognize it by, if no other
// line is like it.
func Telling(line []byte) bool { return Weight(line) > 4 }
