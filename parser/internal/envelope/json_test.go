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
	blocks, faults := Read(reply, 1, "", nil)
	if len(blocks) != 0 || len(faults) != 1 || faults[0].Code != "too-large" || faults[0].Line != 1 {
		t.Errorf("blocks %v, faults %v", blocks, faults)
	}
}
