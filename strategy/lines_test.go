package strategy

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/text"
)

// Searching 64 bytes at a time finds the same lines.
func TestLinesAreThoseOfAPlainSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"", "x", "\r", "\n", "\n\n", "\r\n", "eight by",
			"\x8a\x0b\x09", strings.Repeat("long ", 1000)})
		text := []byte(strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "\n"))
		plain := bytes.SplitAfter(text, []byte{'\n'})
		if n := len(plain) - 1; len(plain[n]) == 0 {
			plain = plain[:n]
		}

		doc := NewDocument(text)
		if doc.Len() != len(plain) {
			t.Fatalf("%d lines, want %d", doc.Len(), len(plain))
		}
		if end := doc.Start(doc.Len()); end != len(text) {
			t.Fatalf("the text ends at %d, want %d", end, len(text))
		}
		start := 0
		for i, want := range plain {
			if raw := append(bytes.Clone(doc.Line(i)), doc.EOL(i)...); !bytes.Equal(raw, want) {
				t.Fatalf("line %d is %q and %q, want %q", i, doc.Line(i), doc.EOL(i), want)
			}
			if doc.Start(i) != start || doc.LineAt(start) != i || doc.LineAt(start+len(want)-1) != i {
				t.Fatalf("line %d begins at %d, want %d", i, doc.Start(i), start)
			}
			start += len(want)
		}
	})
}

// A line that is dismissed before it gets a key must not have the other's: not one that differs in
// blanks and in stand-ins for plain characters.
func TestMayReadAlikeIsNeverWrong(t *testing.T) {
	forms := [][]string{{"", " ", "\t", "\r", "\v", "\u00a0"}, {"a"}, {"b"}, {"+"}, {"\"", "“"},
		{"'", "’"}, {"é"}, {"!", "\uff01"}, {"\x80"}, {"\xc2"}}
	equal := 0
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfN(rapid.SampledFrom(forms), 1, 8).Draw(t, "kinds")
		line := func(name string) []byte {
			var b []byte
			for _, form := range kinds {
				b = append(b, rapid.SampledFrom(form).Draw(t, name)...)
			}
			return b
		}
		a, b := line("a"), line("b")
		if len(a) > 0 && len(b) > 0 && NewDocument(a).Key(0) == NewDocument(b).Key(0) {
			if equal++; !text.MayReadAlike(a, b) {
				t.Fatalf("%q and %q have one key", a, b)
			}
		}
		if plain := bytes.Trim(a, "\t\n\v\f\r "); len(plain) > 0 && plain[0] < 0x80 &&
			text.MayReadAlike(a, append([]byte("z"), a...)) {
			t.Fatalf("%q is not dismissed", a)
		}
	})
	if equal < 10 {
		t.Errorf("only %d pairs had one key", equal)
	}
}
