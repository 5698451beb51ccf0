package envelope

import (
	"bytes"
	"slices"
	"testing"
)

// A JSON document over the limit is reported, not ignored.
func TestEnvelopeTooLargeJSON(t *testing.T) {
	filler := bytes.Repeat([]byte("    \"line\",\n"), 8<<20/12+1)
	head := []byte("{\n  \"path\": \"a\",\n  \"old_string\": \"b\",\n  \"list\": [\n")
	reply := slices.Concat(head, filler, []byte("    0\n  ]\n}\n"))
	e := Start(reply, 1, nil)
	if len(e.Blocks) != 0 || len(e.Faults) != 1 || e.Faults[0].Code != "too-large" || e.Faults[0].Line != 1 {
		t.Errorf("blocks %v, faults %v", e.Blocks, e.Faults)
	}
}
