package text

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/typography"
)

// AppendReduced appends line reduced to its tokens: folded, trimmed, with one space where blanks part two words or two
// operators, and none where they only please the eye. Text between quotes that are closed on the line keeps its blanks.
func AppendReduced(dst, line []byte) []byte {
	line = bytes.TrimRight(line, " \t\r\v\f")
	if typography.Has(line) {
		line = bytes.TrimRight(typography.Plain(line), " \t")
	}
	start := len(dst)
	space := false
	for i := 0; i < len(line); {
		c := line[i]
		if IsASCIISpace(c) {
			space = true
			i++
			continue
		}
		if space && len(dst) > start && Apart(dst[len(dst)-1], c) {
			dst = append(dst, ' ')
		}
		space = false
		if IsQuote(c) {
			if n := StringLen(line[i:]); n > 0 {
				dst = append(dst, line[i:i+n]...)
				i += n
				continue
			}
		}
		dst = append(dst, c)
		i++
	}
	return dst
}

// Apart reports whether blanks between the bytes a and b separate two tokens that would be one without them.
func Apart(a, b byte) bool {
	return IsWordByte(a) && IsWordByte(b) || IsOperatorByte(a) && IsOperatorByte(b)
}
