package text

import (
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/typography"
)

// AppendReduced appends line, reduced to its tokens, to dst. The result is folded and trimmed. It
// has one space where blanks separate two words or two operators, and no other blanks except those
// in strings that are closed on the line.
func AppendReduced(dst, line []byte) []byte {
	if typography.Has(line) {
		line = typography.Plain(line)
	}
	for len(line) > 0 && classes[line[len(line)-1]] == classBlank {
		line = line[:len(line)-1]
	}
	dst = slices.Grow(dst, len(line))
	out, start := dst[:cap(dst)], len(dst) // at most one space is added for each one removed
	n := start
	for i := 0; i < len(line); {
		class := classes[line[i]]
		if class == classBlank {
			for class == classBlank {
				i++
				class = classes[line[i]] // the last byte is not a blank
			}
			if n > start && class&classes[out[n-1]]&(classWord|classOperator) != 0 {
				out[n] = ' '
				n++
			}
		}
		if class == classQuote {
			if k := StringLen(line[i:]); k > 0 {
				n += copy(out[n:], line[i:i+k])
				i += k
				continue
			}
		}
		out[n] = line[i]
		n++
		for i++; class == classWord && i < len(line) && classes[line[i]] == classWord; i++ {
			out[n] = line[i]
			n++
		}
	}
	return out[:n]
}

// MayReadAlike reports whether two lines may have the same tokens. It quickly returns false for
// most lines that don't: those that have different ASCII characters in the same place, not counting
// blanks.
func MayReadAlike(a, b []byte) bool {
	for {
		a, b = trimLeftASCII(a), trimLeftASCII(b)
		if len(a) == 0 || len(b) == 0 || a[0] != b[0] {
			return len(a)+len(b) == 0 || beginsBeyondASCII(a) || beginsBeyondASCII(b)
		}
		a, b = a[1:], b[1:]
	}
}

func trimLeftASCII(line []byte) []byte {
	for len(line) > 0 && classes[line[0]] == classBlank {
		line = line[1:]
	}
	return line
}

func beginsBeyondASCII(line []byte) bool { return len(line) > 0 && line[0] >= utf8.RuneSelf }

// Apart reports whether blanks between the bytes a and b separate two tokens that would otherwise
// be one.
func Apart(a, b byte) bool { return classes[a]&classes[b]&(classWord|classOperator) != 0 }

// byteClass is the class of a single byte of a line that is not decoded into characters.
type byteClass uint8

const (
	classBlank byteClass = 1 << iota
	classWord
	classOperator
	classQuote
)

var classes = classesOfBytes()

func classesOfBytes() (table [256]byteClass) {
	for c := range len(table) {
		switch b := byte(c); {
		case IsASCIISpace(b):
			table[c] = classBlank
		case IsWordByte(b):
			table[c] = classWord
		case isOperatorByte(b):
			table[c] = classOperator
		case IsQuote(b):
			table[c] = classQuote
		}
	}
	return table
}
