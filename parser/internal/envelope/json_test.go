package envelope

import (
	"bytes"
	"slices"
	"testing"
)

// A JSON document over the limit is neither kept in memory nor passed over in silence.
func TestEnvelopeTooLargeJSON(t *testing.T) {
	filler := bytes.Repeat([]byte("    \"line\",\n"), maxJSON/12+1)
	reply := slices.Concat([]byte("{\n  \"path\": \"a\",\n  \"old_string\": \"b\",\n  \"list\": [\n"), filler, []byte("    0\n  ]\n}\n"))
	blocks, diags := Read(reply, 1, "", nil)
	if len(blocks) != 0 || len(diags) != 1 || diags[0].Code != "too-large" || diags[0].Line != 1 {
		t.Errorf("blocks %v, diagnostics %v", blocks, diags)
	}
	e := startJSON(reply[:2], 1, nil)
	number := 0
	for line := range bytes.Lines(reply) {
		number++
		e.Line(line, number)
	}
	if kept := len(e.(*jsonEnvelope).text); kept > 0 {
		t.Errorf("%d bytes of it are kept", kept)
	}
}
