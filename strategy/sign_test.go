package strategy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/text"
)

// aLine draws lines that often differ in nothing but blanks and typography.
func aLine(t *rapid.T, name string) []byte {
	piece := rapid.SampledFrom([]string{"a", "ab", "=", "+", "+=", "(", ")", "\"x  y\"", " ", "\t",
		"  ", "\r", "é", "“", "…", "ﬃ", "\u00a0", "\u200b", "\u2028", "\ufeff", "\x00", "\xff",
		"long_name_of_something"})
	return []byte(strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, name), ""))
}

// respaced is line with some of its blanks in other places.
func respaced(t *rapid.T, line []byte) []byte {
	var out []byte
	for _, c := range line {
		if rapid.Bool().Draw(t, "blank") {
			out = append(out, rapid.SampledFrom([]string{" ", "\t", "  "}).Draw(t, "which")...)
		}
		if !text.IsASCIISpace(c) || rapid.Bool().Draw(t, "kept") {
			out = append(out, c)
		}
	}
	return out
}

// Lines with equal keys have equal marks, and so have lines that are equal except for whitespace
// around them.
func TestSameLinesHaveTheSameMark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := aLine(t, "a")
		b := respaced(t, a)
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			b = aLine(t, "b")
		case 1:
			b = slices.Concat([]byte("\t \u00a0"), a, []byte("\u3000 "))
		case 2:
			b = text.AppendReduced(nil, a)
		}
		doc, pat := NewDocument(slices.Concat(a, []byte("\n"))), NewDocument(slices.Concat(b, []byte("\n")))
		same := doc.Key(0) == pat.Key(0) || equalTrimmed(doc, 0, pat, 0)
		if same && doc.marks()[0] != pat.marks()[0] {
			t.Fatalf("%q and %q have different marks", a, b)
		}
		// Only the strategies treat U+2028 as a blank, so it has no mark next to a zero-width character.
		blank := doc.Key(0) == BlankKey || len(trimECMA(text.AppendReduced(nil, a))) == 0
		if blank != (doc.marks()[0] == 0) {
			t.Fatalf("%q has the mark %d and the key %d", a, doc.marks()[0], doc.Key(0))
		}
	})
}

// Lines that differ in the blanks of a string only have the same mark; their keys tell them apart.
func TestLinesOfOneMarkAreToldApart(t *testing.T) {
	var lines []string
	for i := range 2000 {
		lines = append(lines, strings.NewReplacer("0", "x", "1", " x").Replace(fmt.Sprintf("say('%011b')", i)))
	}
	doc := NewDocument([]byte(strings.Join(lines, "\n")))
	if m := doc.marks(); m[0] != m[len(m)-1] {
		t.Fatal("the marks differ")
	}
	for _, line := range lines {
		if n := doc.CountLine([]byte("\t"+line), 9); n != 1 {
			t.Fatalf("%q occurs %d times", line, n)
		}
	}
}

// What likeness rules out is less similar than is asked for.
func TestLikenessIsNeverWrong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := aLine(t, "a"), aLine(t, "b")
		if rapid.Bool().Draw(t, "near") {
			b = respaced(t, a)
			b = slices.Concat(b[:len(b)/2], aLine(t, "inserted"), b[len(b)/2:])
		}
		want, have := text.AppendReduced(nil, a), text.AppendReduced(nil, b)
		least := rapid.SampledFrom([]float64{similarLine, 0.8, 0.9, 1}).Draw(t, "similarity")
		longer := max(len(bytes.Runes(want)), len(bytes.Runes(have)))
		similarity := 1 - float64(editdist.Distance(want, have))/float64(max(1, longer))
		_, nonblanks := markOf(b)
		if l := newLikeness(want); similarity >= least && (!l.mayReach(b, least) || nonblanks > l.longest(least)) {
			t.Fatalf("%q and %q have the similarity %g, and %g is ruled out", a, b, similarity, least)
		}
	})
}

// Lines are counted alike by a look at each and by the index.
func TestLinesAreCountedByTheirKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text []byte
		var lines [][]byte
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			line := aLine(t, "line")
			lines = append(lines, line, respaced(t, line))
		}
		for _, line := range lines {
			text = append(append(text, line...), '\n')
		}
		doc, line := NewDocument(text), aLine(t, "asked for")
		if len(lines) > 0 && rapid.Bool().Draw(t, "there") {
			line = respaced(t, rapid.SampledFrom(lines).Draw(t, "which"))
		}
		key := NewDocument(slices.Concat(line, []byte("\n"))).Key(0)
		want := 0
		for _, k := range NewDocument(text).Keys() {
			if k == key && k != BlankKey {
				want++
			}
		}
		for range 4 { // the first looks are at each line
			if n := doc.CountLine(line, len(lines)+1); n != want {
				t.Fatalf("%q occurs %d times in %q, want %d", line, n, text, want)
			}
			if has := doc.HasLine(line); has != (want > 0 || key == BlankKey) {
				t.Fatalf("HasLine(%q) = %v in %q", line, has, text)
			}
		}
	})
}
