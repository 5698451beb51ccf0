package text

import (
	"fmt"
	"strings"
)

// Fill writes words from the column at on, in lines of at most width bytes that are indented except
// for the first.
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
