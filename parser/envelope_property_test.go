package parser

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// contentLine draws a line that is awkward for some format: markers, tags, quotes, blanks, or
// invalid UTF-8.
var contentLine = rapid.OneOf(
	rapid.SampledFrom([]string{"", " ", "\t", "x", "return x", "    y = 1", "}", "- item", "+ plus",
		"--- a/b.go", "+++ b/b.go",
		"@@ -1,2 +1,2 @@", "*** End Patch", "*** Update File: a", "\\ No newline", "```",
		"diff --git a/x b/x", "]]>", "<![CDATA[",
		"</content>", "</diff>", "</parameter>", "a < b && c", "List<String>", "\"quoted\"",
		"back\\slash", "\\n", "{", "}, {", "\xff\xfe", "é\r",
		"<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", ":start_line:3", "-------", "EOF", "-- ",
		"&lt;", "\u2028", "\x00\x01"}),
	// Signs, with or without a blank after them, may decorate the next tag.
	rapid.StringMatching(`([ -~]{1,19}[!-~]|[a-z{}])?`).Filter(func(s string) bool { return s == "" || strings.Trim(s, "*_`~#>- ") != "" }),
)

var pathName = rapid.StringMatching(`([a-z]{1,5}/){0,2}[a-zA-Z0-9_-]{1,8}(\.[a-z]{1,3})?`)

func FuzzEnvelopes(f *testing.F) {
	conformance(f, func(_, _ string, reply []byte, _ *[]byte) { f.Add(reply, len(reply)/2) })
	f.Fuzz(func(t *testing.T, reply []byte, cut int) {
		partial := reply[:min(max(cut, 0), len(reply))]
		if last := partial[bytes.LastIndexByte(partial,
			'\n')+1:]; bytes.Contains(bytes.ToLower(last), []byte("end patch")) {
			return // what ends so is whole, whatever would have followed on the line
		}
		// A diff may give a wrong number of lines, so that a part of it looks complete.
		if b, more := beyond(reply, min(max(cut, 0), len(reply))); more && b.Dialect != envelope.Diff {
			t.Errorf("cut at byte %d it gives %+v", cut, b)
		}
		lines := bytes.Count(reply, []byte("\n")) + 1
		blocks, diags := readEnveloped(reply, 1)
		for _, b := range blocks {
			if b.Lines[0] < 1 || b.Lines[1] < b.Lines[0] || b.Lines[1] > lines {
				t.Errorf("block is in lines %v of %d", b.Lines, lines)
			}
			if b.Op == "" || b.Dialect == "" {
				t.Errorf("block without operation or dialect: %+v", b)
			}
		}
		for _, d := range diags {
			if d.Line < 1 || d.Line > lines {
				t.Errorf("diagnostic %s in line %d of %d", d.Code, d.Line, lines)
			}
			if d.Code == "" || d.Expected == "" || d.Remedy == "" {
				t.Errorf("incomplete diagnostic %+v", d)
			}
		}
	})
}
