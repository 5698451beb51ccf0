package report

import (
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// TestFeedbackLosesItsShape: a backtick in a line of SEARCH, or in a name, ended the code that it was quoted as.
func TestFeedbackLosesItsShape(t *testing.T) {
	var b strings.Builder
	err := Feedback(&b, Outcome{
		Blocks: []apply.BlockReport{{
			ID: 1, Path: "a`b.md", Status: apply.BlockFailed, Reason: apply.NotFound, Message: "there is no file a`b.md",
			Block: &parser.Block{Search: []byte("```go `x`\nx\n")}, Warnings: []string{"the name `x` was taken", "an odd ` one"},
		}},
		Diagnostics: []Located{{Diagnostic: parser.Diagnostic{Code: "malformed", Line: 3, Found: "```", Expected: "a line of `=======`"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## Block 1, `` a`b.md ``\n", "Refused: `` there is no file a`b.md ``.\n", "Its SEARCH begins with: ```` ```go `x` ````\n",
		"Note: the name `x` was taken.\n", "Note: `` an odd ` one ``.\n", "Found: ```` ``` ````\n", "Expected: a line of `=======`\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in:\n%s", want, b.String())
		}
	}
}
