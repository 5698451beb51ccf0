package text

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/typography"
)

// plainReduced is a simple version of AppendReduced that works byte by byte.
func plainReduced(line []byte) (out []byte) {
	line = bytes.TrimRight(typography.Plain(bytes.TrimRight(line, " \t\r\v\f")), " \t")
	space := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		if IsASCIISpace(c) {
			space = true
			continue
		}
		if space && len(out) > 0 {
			last := out[len(out)-1]
			if IsWordByte(last) && IsWordByte(c) || isOperatorByte(last) && isOperatorByte(c) {
				out = append(out, ' ')
			}
		}
		space = false
		if n := StringLen(line[i:]); IsQuote(c) && n > 0 {
			out = append(out, line[i:i+n]...)
			i += n - 1
			continue
		}
		out = append(out, c)
	}
	return out
}

func TestAppendReducedIsThatOfEachByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{" ", "  ", "\t", "\v", "a", "ab1", "_", "+", "=", "&",
			"(", ";", "'", "\"", "`", "\\", "é", "…", "“", "\u00a0", "\u200b", "\xff", "\r"})
		line := []byte(strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces"), ""))
		if got, want := AppendReduced([]byte("a"), line)[1:], plainReduced(line); !bytes.Equal(got, want) {
			t.Fatalf("%q is reduced to %q, want %q", line, got, want)
		}
	})
}
