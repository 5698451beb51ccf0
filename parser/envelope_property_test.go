package parser

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// contentLine draws a line that is awkward for some format: markers, tags, quotes, blanks, bytes that are no UTF-8.
var contentLine = rapid.OneOf(
	rapid.SampledFrom([]string{"", " ", "\t", "x", "return x", "    y = 1", "}", "- item", "+ plus", "--- a/b.go", "+++ b/b.go",
		"@@ -1,2 +1,2 @@", "*** End Patch", "*** Update File: a", "\\ No newline", "```", "diff --git a/x b/x", "]]>", "<![CDATA[",
		"</content>", "</diff>", "</parameter>", "a < b && c", "List<String>", "\"quoted\"", "back\\slash", "\\n", "{", "}, {", "\xff\xfe", "é\r",
		"<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", ":start_line:3", "-------", "EOF", "-- ", "&lt;", "\u2028", "\x00\x01"}),
	// Signs alone, or with a blank after them, may decorate the tag after them.
	rapid.StringMatching(`([ -~]{1,19}[!-~]|[a-z{}])?`).Filter(func(s string) bool { return s == "" || strings.Trim(s, "*_`~#>- ") != "" }),
)

// content draws whole lines, the last with or without its line end.
func content(t *rapid.T, label string, unterminated bool) []byte {
	lines := strings.Join(rapid.SliceOfN(contentLine, 0, 6).Draw(t, label), "\n")
	if last := lines[strings.LastIndexByte(lines, '\n')+1:]; text.Blank([]byte(last)) || !unterminated || rapid.Bool().Draw(t, label+" terminated") {
		lines += "\n"
	}
	return []byte(lines)
}

var pathName = rapid.StringMatching(`([a-z]{1,5}/){0,2}[a-zA-Z0-9_-]{1,8}(\.[a-z]{1,3})?`)

// drawBlock draws a block that the format is able to express. What those can that are named in draw is known there, and they must print it all.
// Any other format must print some of the plain edits and new files that are drawn.
func drawBlock(t *rapid.T, format string) Block {
	switch format {
	case envelope.V4A, envelope.Diff, envelope.JSON, envelope.Roo, envelope.Zed, envelope.Sweep, envelope.ToolXML:
		return draw(t, format)
	}
	for range 50 {
		b := draw(t, format)
		if _, err := printEnvelope(format, []Block{b}); err == nil {
			return b
		}
		b.StartLine = 0 // hints are the first that a format lacks
		if _, err := printEnvelope(format, []Block{b}); err == nil {
			return b
		}
	}
	t.Fatalf("%s prints none of 50 plain blocks", format)
	return Block{}
}

func draw(t *rapid.T, format string) Block {
	ops := []Op{OpEdit, OpEdit, OpEdit, OpCreate}
	switch format {
	case envelope.V4A:
		ops = append(ops, OpDelete, OpMove, OpAppend)
	case envelope.Diff:
		ops = append(ops, OpDelete, OpMove, OpInsert)
	case envelope.JSON, envelope.ToolXML:
		ops = append(ops, OpInsert)
	}
	unterminated := format != envelope.V4A && format != envelope.Roo && format != envelope.ToolXML
	b := Block{Op: rapid.SampledFrom(ops).Draw(t, "op"), Path: pathName.Draw(t, "path")}
	switch b.Op {
	case OpMove:
		b.NewPath = b.Path + "2"
	case OpCreate, OpAppend:
		b.Replace = content(t, "replace", unterminated)
	case OpInsert:
		b.Replace = content(t, "replace", unterminated)
		b.StartLine = rapid.IntRange(1, 99).Draw(t, "line")
	case OpDelete:
		if format == envelope.Diff {
			b.Search = content(t, "search", true)
		}
	case OpEdit:
		b.Search = content(t, "search", unterminated)
		b.Replace = content(t, "replace", unterminated)
		b.StartLine = rapid.IntRange(0, 99).Draw(t, "line")
		switch format {
		case envelope.ToolXML:
			if b.Substring = rapid.Bool().Draw(t, "text"); b.Substring {
				b.Search, b.Replace = bytes.TrimSpace(b.Search), bytes.TrimSpace(b.Replace)
				b.Search = append(b.Search, 'x')
				b.ReplaceAll = rapid.Bool().Draw(t, "all")
			}
			b.EndLine = rapid.IntRange(0, 99).Draw(t, "end")
		case envelope.JSON:
			b.Substring, b.ReplaceAll = true, rapid.Bool().Draw(t, "all")
			if b.ReplaceAll {
				b.Expected = rapid.IntRange(0, 3).Draw(t, "expected")
			}
			b.EndLine = rapid.IntRange(0, 99).Draw(t, "end")
		case envelope.V4A:
			b.AtEOF = rapid.Bool().Draw(t, "eof")
			b.Scope = rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,5}( [a-z(){}:]{1,8})?`), 0, 2).Draw(t, "scope")
		}
	}
	return b
}

// Blocks that are printed in a format and read again are the same blocks.
func TestEnvelopePrintedBlocksReadTheSame(t *testing.T) {
	for _, format := range EnvelopeFormats() {
		t.Run(format, rapid.MakeCheck(func(t *rapid.T) {
			var blocks []Block
			for range rapid.IntRange(1, 4).Draw(t, "blocks") {
				blocks = append(blocks, drawBlock(t, format))
			}
			text, err := printEnvelope(format, blocks)
			if err != nil {
				t.Fatalf("%v", err)
			}
			// The same in a reply, with prose around it.
			reply := append([]byte("Here is the change:\n\n"), text...)
			reply = append(reply, "\nThat is all.\n"...)
			got, diags := readEnveloped(reply, 1, "")
			if len(diags) > 0 {
				t.Fatalf("diagnostics %v for\n%s", diags, reply)
			}
			if len(got) != len(blocks) {
				t.Fatalf("%d blocks read as %d:\n%s", len(blocks), len(got), reply)
			}
			for i := range got {
				if !sameEdit(&got[i], &blocks[i]) {
					t.Fatalf("block %d reads as %+v, was %+v:\n%s", i+1, got[i], blocks[i], reply)
				}
			}
			cut := rapid.IntRange(0, len(reply)).Draw(t, "cut")
			if b, more := beyond(reply, cut); more {
				t.Fatalf("cut at byte %d it gives %+v, which the whole does not hold:\n%s", cut, b, reply)
			}
		}))
	}
}

func FuzzEnvelopes(f *testing.F) {
	conformance(f, func(_, _ string, reply []byte, _ *[]byte) { f.Add(reply, len(reply)/2) })
	f.Fuzz(func(t *testing.T, reply []byte, cut int) {
		partial := reply[:min(max(cut, 0), len(reply))]
		if last := partial[bytes.LastIndexByte(partial, '\n')+1:]; bytes.Contains(bytes.ToLower(last), []byte("end patch")) {
			return // what ends so is whole, whatever would have followed on the line
		}
		// A diff may lie about the number of its lines, so that a part of it looks whole.
		if b, more := beyond(reply, min(max(cut, 0), len(reply))); more && b.Dialect != envelope.Diff {
			t.Errorf("cut at byte %d it gives %+v", cut, b)
		}
		lines := bytes.Count(reply, []byte("\n")) + 1
		blocks, diags := readEnveloped(reply, 1, "")
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
