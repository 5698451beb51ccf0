package text

// Weight says how much a line shows where it belongs: blank lines next to nothing, braces little,
// long lines most.
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

// HasWord reports whether line has a word in it, rather than only brackets, marks and blanks.
func HasWord(line []byte) bool { return Weight(line) > 2 }

// Telling reports whether line says more than a short word: enough to be known by, if no other line
// is like it.
func Telling(line []byte) bool { return Weight(line) > 4 }
