package strategy_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/strategy"
)

func index(content, find string, verbatim bool) (*strategy.Document, *strategy.Pattern) {
	if verbatim {
		return strategy.NewVerbatim([]byte(content)), strategy.NewVerbatimPattern([]byte(find))
	}
	return strategy.NewDocument([]byte(content)), strategy.NewPattern([]byte(find), 0)
}

func named(name string) strategy.Strategy {
	for _, s := range strategy.Strategies() {
		if s.Name() == name {
			return s
		}
	}
	panic(name)
}

func TestOrderOfTheCascade(t *testing.T) {
	var names []string
	for _, s := range strategy.Strategies() {
		names = append(names, s.Name())
	}
	want := []string{"exact", "line-trimmed", "block-anchor", "whitespace-normalized", "indentation-flexible",
		"escape-normalized", "trimmed-boundary", "context-aware", "multi-occurrence"}
	if !slices.Equal(names, want) {
		t.Errorf("strategies %q, want %q", names, want)
	}
}

// check compares one strategy with the oracle and holds what every strategy promises.
func check(t *testing.T, name, content, find string, verbatim bool) (found int) {
	t.Helper()
	doc, pat := index(content, find, verbatim)
	s := named(name)
	got := slices.Collect(s.Candidates(doc, pat))
	if string(doc.Text()) != content || string(pat.Text()) != find {
		t.Fatalf("%s modified its input", name)
	}
	for _, c := range got {
		if c.Start < 0 || c.End < c.Start || c.End > len(content) {
			t.Fatalf("%s yields %v in a text of %d bytes", name, c, len(content))
		}
	}
	for c := range s.Candidates(doc, pat) {
		if c != got[0] {
			t.Fatalf("%s yields %v the second time, %v before", name, c, got[0])
		}
		break
	}
	if !utf8.ValidString(content) || !utf8.ValidString(find) {
		return len(got) // the oracle reads such bytes as U+FFFD
	}
	want := oracle[name](plainSplit(content, verbatim), plainSplit(find, verbatim))
	if !slices.Equal(got, want) {
		t.Fatalf("%s (verbatim %v) of\n%q in\n%q:\ngot  %v\nwant %v", name, verbatim, find, content, got, want)
	}
	return len(got)
}

// pieces are what small texts are made of: few enough that lines repeat, with everything that some
// rule looks at.
var pieces = []string{"\n", "\n", "\n", "\n\n", " ", "  ", "\t", "a", "b", "ab", "a b", "{", "}",
	"\\", "\\n", "\\t", "\\\\", "'", "\\'",
	"\r\n", "\r", "\u00a0", "\ufeff", "\u2028", "é", "😀", "😁", "$"}

// madeUp is a content and something to find in it that often resembles a part of it.
func madeUp(r *rand.Rand) (content, find string) {
	pieces := pieces
	switch r.IntN(4) {
	case 0:
		pieces = []string{"\n", "\n", "a", " "}
	case 1:
		pieces = []string{"\n", "\n", "  ", "a", "b", "\\", "\\n"}
	}
	text := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	content = text(40)
	if r.IntN(3) == 0 {
		return content, text(8)
	}
	lines := strings.SplitAfter(content, "\n")
	from := r.IntN(len(lines))
	lines = slices.Clone(lines[from : from+1+r.IntN(min(len(lines)-from, 6))])
	for range r.IntN(3) {
		i := r.IntN(len(lines))
		switch r.IntN(7) {
		case 0:
			lines[i] = pieces[r.IntN(len(pieces))] + lines[i]
		case 1:
			lines[i] = strings.TrimLeft(lines[i], " \t")
		case 2:
			lines[i] = strings.ReplaceAll(lines[i], "\\", "\\\\")
		case 3:
			lines[i] = text(3)
		case 4:
			for j := range lines {
				lines[j] = "  " + lines[j]
			}
		case 5:
			lines = append([]string{"\n"}, lines...)
		case 6:
			lines = append(lines, "\n", " ")
		}
	}
	find = strings.Join(lines, "")
	if r.IntN(2) == 0 {
		find = strings.TrimSuffix(find, "\n")
	}
	return content, find
}

func TestAgainstTheOracle(t *testing.T) {
	for name := range oracle {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			verbatim, lines := 0, 0
			cases := effort.Of(400, 4000, 4000)
			for range cases {
				content, find := madeUp(r)
				verbatim += check(t, name, content, find, true)
				lines += check(t, name, content, find, false)
			}
			if min(verbatim, lines) < cases/16 {
				t.Errorf("%d and %d candidates: too few to tell anything", verbatim, lines)
			}
		})
	}
}

func TestReplaceAgainstTheOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	won := map[string]int{}
	for range effort.Of(1500, 15000, 15000) {
		content, old := madeUp(r)
		won[checkReplace(t, content, old, "X", r.IntN(5) == 0)]++
	}
	for _, s := range strategy.Strategies() {
		switch s.Name() {
		case "indentation-flexible", "context-aware", "multi-occurrence":
			continue // what these find line-trimmed, block-anchor and exact find before them, all but always
		}
		if won[s.Name()] == 0 {
			t.Errorf("no made-up case is won by %s: %v", s.Name(), won)
		}
	}
}

func checkReplace(t *testing.T, content, old, new string, all bool) string {
	t.Helper()
	result, name, err := strategy.Replace([]byte(content), []byte(old), []byte(new), all)
	want, wantName, wantErr := plainReplace(content, old, new, all)
	if !bytes.Equal(result, []byte(want)) || name != wantName || err != wantErr {
		t.Fatalf("Replace(%q, %q, %q, %v)\n= %q, %q, %v\nwant %q, %q, %v",
			content, old, new, all, result, name, err, want, wantName, wantErr)
	}
	return name
}

func TestBlockAnchorEndsSoonOnLongLines(t *testing.T) {
	// 50,000 characters a line: a table of their distance would have more cells than is allowed.
	other, alike := strings.Repeat("xy", 25_000), strings.Repeat("ab", 25_000)
	content := "{\n" + other + "\n}\n{\n" + alike + "!\n}\n"
	doc, pat := index(content, "{\n"+alike+"?\n}\n", false)
	got := slices.Collect(named("block-anchor").Candidates(doc, pat))
	want := strategy.Candidate{Start: len(content) / 2, End: len(content) - 1}
	if len(got) != 1 || got[0] != want {
		t.Errorf("found %v, want %v", got, want)
	}
}

func fuzz(f *testing.F, name string) {
	r := rand.New(rand.NewPCG(4, 5))
	for range 20 {
		content, find := madeUp(r)
		f.Add(content, find, r.IntN(2) == 0)
	}
	f.Fuzz(func(t *testing.T, content, find string, verbatim bool) {
		if len(content) > 2000 || len(find) > 2000 {
			t.Skip("the oracle is the plain version of the rules: longer inputs would leave it no time for others")
		}
		check(t, name, content, find, verbatim)
	})
}

func FuzzExact(f *testing.F)                { fuzz(f, "exact") }
func FuzzLineTrimmed(f *testing.F)          { fuzz(f, "line-trimmed") }
func FuzzBlockAnchor(f *testing.F)          { fuzz(f, "block-anchor") }
func FuzzWhitespaceNormalized(f *testing.F) { fuzz(f, "whitespace-normalized") }
func FuzzIndentationFlexible(f *testing.F)  { fuzz(f, "indentation-flexible") }
func FuzzEscapeNormalized(f *testing.F)     { fuzz(f, "escape-normalized") }
func FuzzTrimmedBoundary(f *testing.F)      { fuzz(f, "trimmed-boundary") }
func FuzzContextAware(f *testing.F)         { fuzz(f, "context-aware") }
func FuzzMultiOccurrence(f *testing.F)      { fuzz(f, "multi-occurrence") }

func FuzzReplace(f *testing.F) {
	r := rand.New(rand.NewPCG(6, 7))
	for range 20 {
		content, old := madeUp(r)
		f.Add(content, old, "new", r.IntN(2) == 0)
	}
	f.Fuzz(func(t *testing.T, content, old, new string, all bool) {
		if len(content) > 2000 || len(old) > 2000 || !utf8.ValidString(content) || !utf8.ValidString(old) {
			t.Skip("the oracle is the plain version of the rules, too slow for long inputs, and reads invalid UTF-8 as U+FFFD")
		}
		if all && strings.Contains(new, "$") {
			t.Skip("dollar signs have a table of their own")
		}
		checkReplace(t, content, old, new, all)
	})
}
