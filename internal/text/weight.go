package text

// Weight returns a measure of how distinctive a line is. Blank lines count next to nothing, braces
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

// HasWord reports whether line contains a word, rather than only brackets, signs and blanks.
func HasWord(line []byte) bool { return Weight(line) > 2 }

// Telling reports whether line contains more than a short word. That is enough to recognize the
// line if no other line is like it.
func Telling(line []byte) bool { return Weight(line) > 4 }
