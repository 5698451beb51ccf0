package excerpt

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Of an output that is too long lines are left out in its middle, whichever pieces it comes in, and
// all bytes are counted.
func TestWriter(t *testing.T) {
	var long bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	for name, all := range map[string]string{
		"short":         "one\ntwo",
		"empty":         "",
		"just fits":     strings.Repeat("x", maxHead+maxTail),
		"lines":         long.String(),
		"one long line": strings.Repeat("é", maxHead+maxTail),
	} {
		for _, piece := range []int{1000, 32 << 10, 1 << 30} {
			var w Writer
			for rest := all; rest != ""; {
				n, err := w.Write([]byte(rest[:min(piece, len(rest))]))
				if err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			text, left := w.Text()
			head, tail, cut := strings.Cut(text, fmt.Sprintf("[%d bytes left out]\n", left))
			if cut != (left > 0) || len(w.tail) > 2*maxTail {
				t.Errorf("%s: %d bytes left out, %d kept", name, left, len(w.tail))
			}
			if !cut {
				tail = ""
			}
			if name == "one long line" {
				head = strings.TrimSuffix(head, "\n")
			}
			if !strings.HasPrefix(all, strings.TrimSuffix(head, "\uFFFD")) ||
				!strings.HasSuffix(all, strings.TrimPrefix(tail, "\uFFFD")) {
				t.Errorf("%s: neither its beginning nor its end: %.80q ... %.80q", name, head, tail)
			}
			if name == "lines" && int64(len(head)+len(tail))+left != int64(len(all)) {
				t.Errorf("%s: %d bytes, and %d left out, of %d", name, len(head)+len(tail), left, len(all))
			}
		}
	}
}
