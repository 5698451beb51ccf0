package apply_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// made returns a text with edits applied.
func made(text []byte, edits []apply.Edit) []byte {
	for _, e := range slices.Backward(edits) {
		text = slices.Concat(text[:e.Start], e.Text, text[e.End:])
	}
	return text
}

// buffer is a text as an editor holds it: lines of UTF-16 code units with their line ends, without
// a byte order mark.
func buffer(text string) (lines [][]uint16) {
	text = strings.TrimPrefix(text, "\ufeff")
	for text != "" {
		end := strings.IndexAny(text, "\r\n") + 1
		switch {
		case end == 0:
			end = len(text)
		case strings.HasPrefix(text[end-1:], "\r\n"):
			end++
		}
		lines = append(lines, utf16.Encode([]rune(text[:end])))
		text = text[end:]
	}
	return append(lines, nil)
}

// inBuffer returns the buffer after edits, which an editor applies from last to first.
func inBuffer(lines [][]uint16, edits []apply.TextEdit) string {
	at := func(p apply.Position) int {
		n := p.Character
		for _, line := range lines[:p.Line] {
			n += len(line)
		}
		return n
	}
	units := slices.Concat(lines...)
	for _, e := range slices.Backward(edits) {
		units = slices.Concat(units[:at(e.Range.Start)], utf16.Encode([]rune(e.NewText)), units[at(e.Range.End):])
	}
	return string(utf16.Decode(units))
}

// The edits of a change turn Before into After, both as bytes and in an editor's buffer.
func TestEditsMakeTheChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 1, 30, true)
		first, end := s.window(t, 8)
		tree := apply.Files{"f.txt": bytes.ReplaceAll(bytes.ReplaceAll(s.bytes(), []byte("order"),
			[]byte("😀")), []byte("caf\xe9 \xff"), []byte("café"))}
		reply := one(bend(t, drawScript(t, s, first, end, 1)).block(1, 0))
		if rapid.Bool().Draw(t, "one on the other") {
			reply.Blocks = append(reply.Blocks,
				parser.Block{ID: 2, Op: parser.OpEdit, Path: "f.txt",
					Search: reply.Blocks[0].Replace, Replace: []byte("all else\n")})
		}
		plan := planned(t, tree, reply, apply.Options{Policy: drawPolicy(t)})
		for _, c := range plan.Files {
			if got := made(c.Before, c.Edits()); !bytes.Equal(got, c.After) {
				t.Fatalf("the edits make %q, the change %q", got, c.After)
			}
			want := strings.TrimPrefix(string(c.After), "\ufeff")
			if got := inBuffer(buffer(string(c.Before)), c.TextEdits()); got != want {
				t.Fatalf("an editor makes %q, the change %q\n%+v", got, want, c.TextEdits())
			}
		}
	})
}

// Edits of arbitrary bytes become positions between characters and line ends.
func TestTextEditsOfAnyBytes(t *testing.T) {
	parts := []string{"a", "é", "😀", "\r", "\n", "\r\n", "日", "\ufeff"}
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		before, in := text.Draw(t, "before"), text.Draw(t, "in")
		start := rapid.IntRange(0, len(before)).Draw(t, "start")
		end := rapid.IntRange(start, len(before)).Draw(t, "end")
		for start > 0 && start < len(before) && before[start]&0xC0 == 0x80 {
			start-- // the result must be text again
		}
		for end < len(before) && before[end]&0xC0 == 0x80 {
			end++
		}
		after := before[:start] + in + before[end:]
		marked := func(s string) bool { return strings.HasPrefix(s, "\ufeff") }
		if marked(before) && start < len("\ufeff") || marked(before) != marked(after) {
			return // editors don't show that a byte order mark is added or removed
		}
		c := apply.FileChange{Path: "f", Action: apply.Modify, Before: []byte(before), After: []byte(after)}
		*apply.Spans(&c) = []apply.Span{{BeforeStart: start, BeforeEnd: end, AfterStart: start,
			AfterEnd: start + len(in)}}
		if got, want := inBuffer(buffer(before), c.TextEdits()), strings.TrimPrefix(after, "\ufeff"); got != want {
			t.Fatalf("an editor makes %q, the change %q\n%+v", got, want, c.TextEdits())
		}
		*apply.Spans(&c) = nil
		if got := made(c.Before, c.Edits()); string(got) != after {
			t.Fatalf("without spans: %q, want %q", got, after)
		}
	})
}

// An edit that begins or ends inside a line end or a character is widened to include all of it.
func TestTextEditsAreWidened(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		span          apply.Span
		want          string
	}{
		"at \\n of \\r\\n": {"a\r\nb", "a\rb",
			apply.Span{BeforeStart: 2, BeforeEnd: 3, AfterStart: 2, AfterEnd: 2},
			`[{"range":{"start":{"line":0,"character":1},"end":{"line":1,"character":0}},"newText":"\r"}]`},
		"up to \\r of \\r\\n": {"a\r\nb", "\nb", apply.Span{BeforeStart: 0, BeforeEnd: 2},
			`[{"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},"newText":"\n"}]`},
		"within a character": {"xé", "xè",
			apply.Span{BeforeStart: 2, BeforeEnd: 3, AfterStart: 2, AfterEnd: 3},
			`[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}},"newText":"è"}]`},
		"between characters": {"é😀", "é",
			apply.Span{BeforeStart: 2, BeforeEnd: 6, AfterStart: 2, AfterEnd: 2},
			`[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":3}},"newText":""}]`},
	} {
		t.Run(name, func(t *testing.T) {
			change := apply.FileChange{Path: "f", Action: apply.Modify, Before: []byte(c.before),
				After: []byte(c.after)}
			*apply.Spans(&change) = []apply.Span{c.span}
			if got, err := json.Marshal(change.TextEdits()); err != nil || string(got) != c.want {
				t.Errorf("%v %s, want %s", err, got, c.want)
			}
		})
	}
}
