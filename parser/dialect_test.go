package parser

import (
	"strings"
	"testing"

	"github.com/srpatch/srpatch/fsm"
)

// TestEachDialectReportsAttempts checks that text that is nearly a block is reported in every
// dialect, even if only that dialect is requested. Such text was once ignored.
func TestEachDialectReportsAttempts(t *testing.T) {
	for d := range fsm.Dialects() {
		if d.Tentative() {
			continue // without its own closer it is a merge conflict
		}
		opener, closer := d.Opener(7), d.Closer(7)
		_, label := d.Labels()
		block := opener + "\na\n=======\nb\n" + closer + "\n"
		commented := "# " + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n# ") + "\n"
		for name, reply := range map[string]string{
			"short opener": "a.py\n" + strings.Replace(block, opener, d.Opener(7)[5:], 1),
			"entities": "a.py\n" +
				strings.NewReplacer("<", "&lt;", ">",
					"&gt;").Replace(strings.Replace(block, opener, strings.ReplaceAll(opener, "-", "<"), 1)),
			"comments":              "a.py\n" + commented,
			"bold":                  "a.py\n**" + opener + "**\na\n=======\nb\n**" + closer + "**\n",
			"cut off in the opener": "Now b.\n\n" + opener[:len(opener)-2],
			"cut off in SEARCH":     "a.py\n" + opener + "\na\n",
			"closer as a heading":   "a.py\n" + opener + "\na\n=======\nb\n## " + label + "\n" + block,
			"closer alone":          "a.py\na\n" + closer + "\n",
		} {
			for _, format := range []string{"", d.String()} {
				r := Parse([]byte(reply), WithFormat(format))
				if len(r.Diagnostics) == 0 {
					t.Errorf("%s, format %q, %s: %d blocks and nothing is reported\n%s", d, format,
						name, len(r.Blocks), reply)
				}
			}
		}
		if opener[0] != '<' {
			continue // its markers are lines of a patch
		}
		r := Parse([]byte("*** Begin Patch\n*** Update File: b.py\n@@\n-x\n+y\n\na.py\n" + block))
		if len(r.Blocks) == 0 || r.Blocks[len(r.Blocks)-1].Dialect != d.String() || len(r.Diagnostics) == 0 {
			t.Errorf("%s: below an unfinished patch: %+v", d, r)
		}
	}
}
