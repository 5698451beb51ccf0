package text

import (
	"fmt"
	"strings"
)

// Fill writes words in lines of at most width bytes, starting at column at. All lines except the
// first are indented by indent bytes.
func Fill(b *strings.Builder, words []string, at, indent, width int) {
	for i, word := range words {
		if i > 0 && at+1+len(word) > width {
			fmt.Fprintf(b, "\n%*s", indent, "")
			at = indent
		} else if i > 0 {
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
}
