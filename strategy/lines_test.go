package strategy

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/text"
)

// Lines are the same whether they are noted or looked up, and in whatever order they are asked for.
func TestLinesAreThoseOfAPlainSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"", "x", "\r", "\n", "\n\n", "\r\n", "eight by",
			"\x8a\x0b\x09", strings.Repeat("long ", 1000)})
		text := []byte(strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "\n"))
		plain := bytes.SplitAfter(text, []byte{'\n'})
		if n := len(plain) - 1; len(plain[n]) == 0 {
			plain = plain[:n]
		}

		sparse := &Document{text: text}
		if len(text) > 0 {
			sparse.lineTable = countLines(text)
			sparse.wait = rapid.IntRange(0, 5000).Draw(t, "wait")
		} else {
			sparse.starts = lineStarts(text)
		}
		for name, doc := range map[string]*Document{"noted": {text: text,
			lineTable: lineTable{starts: lineStarts(text)}}, "counted": sparse} {
			if doc.Len() != len(plain) {
				t.Fatalf("%s: %d lines, want %d", name, doc.Len(), len(plain))
			}
			if end := doc.Start(doc.Len()); end != len(text) {
				t.Fatalf("%s: the text ends at %d, want %d", name, end, len(text))
			}
			for range min(30, len(plain)) {
				i := rapid.IntRange(0, len(plain)-1).Draw(t, "line")
				raw := append(bytes.Clone(doc.Line(i)), doc.EOL(i)...)
				if !bytes.Equal(raw, plain[i]) {
					t.Fatalf("%s: line %d is %q and %q, want %q", name, i, doc.Line(i), doc.EOL(i), plain[i])
				}
				start := len(bytes.Join(plain[:i], nil))
				if doc.Start(i) != start || doc.LineAt(start) != i || doc.LineAt(start+len(raw)-1) != i {
					t.Fatalf("%s: line %d begins at %d, want %d", name, i, doc.Start(i), start)
				}
			}
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
