package strategy_test

import (
	"slices"
	"testing"

	"github.com/srpatch/srpatch/strategy"
)

func TestCandidates(t *testing.T) {
	const lines, verbatim = false, true
	tests := map[string]struct {
		strategy      string
		verbatim      bool
		content, find string
		want          []strategy.Candidate
	}{
		"exact is whole lines":            {"exact", lines, "ab\nb\nbc\n", "b", []strategy.Candidate{{3, 4}}},
		"exact is any text":               {"exact", verbatim, "ab\nb\n", "b", []strategy.Candidate{{1, 2}, {3, 4}}},
		"exact forgives line ends":        {"exact", lines, "a\r\nb\r\nc", "a\nb\n", []strategy.Candidate{{0, 4}}},
		"exact forgives no final newline": {"exact", lines, "a\nb", "b\n", []strategy.Candidate{{2, 3}}},
		"exact keeps its line ends":       {"exact", verbatim, "a\r\nb\r\n", "a\nb\n", nil},
		"exact finds blank lines": {"exact", lines, "a\n\n\n\nb\n", "\n\n",
			[]strategy.Candidate{{2, 3}, {3, 4}}},
		"exact overlaps": {"exact", lines, "a\na\na\n", "a\na\n",
			[]strategy.Candidate{{0, 3}, {2, 5}}},
		"exact sees no line after the end": {"exact", lines, "a\n", "a\n\n", nil},
		"exact of nothing is nowhere":      {"exact", lines, "a\n", "", nil},
		"exact of nothing is at the start": {"exact", verbatim, "a\n", "", []strategy.Candidate{{0, 0}}},

		"line-trimmed": {"line-trimmed", lines, "x\n\ta \r\n  b\n", "a\nb",
			[]strategy.Candidate{{2, 10}}},
		"line-trimmed minds last blank": {"line-trimmed", lines, " a\nb\n a\n\n", "a\n\n",
			[]strategy.Candidate{{5, 8}}},
		"line-trimmed drops last blank": {"line-trimmed", verbatim, " a\nb\n a\n\n", "a\n",
			[]strategy.Candidate{{0, 2}, {5, 7}}},

		"block-anchor": {"block-anchor", lines, "{\n1\n2\n}\n}\n", "{\nx\n}",
			[]strategy.Candidate{{0, 7}}},
		"block-anchor needs three lines": {"block-anchor", lines, "{\n1\n}\n", "{\n}\n", nil},
		"block-anchor counts a last line": {"block-anchor", verbatim, "{\n1\n}\n", "{\n}\n",
			[]strategy.Candidate{{0, 5}}},
		"block-anchor takes the best": {"block-anchor", lines, "{\nax\n}\n{\nab\n}\n",
			"{\nabc\n}", []strategy.Candidate{{7, 13}}},
		"block-anchor compares characters": {"block-anchor", lines, "{\n😁\n}\n{\nzz\n}\n", "{\n😀\n}", nil},
		"block-anchor compares units": {"block-anchor", verbatim, "{\n😁\n}\n{\nzz\n}\n",
			"{\n😀\n}", []strategy.Candidate{{0, 8}}},

		"whitespace-normalized line": {"whitespace-normalized", lines, "\ta  b \nab\n",
			"a b", []strategy.Candidate{{0, 6}}},
		"whitespace-normalized part": {"whitespace-normalized", lines,
			"f(a,\t b) + a, b\n", "a, b", []strategy.Candidate{{2, 7}}},
		"whitespace-normalized wrapped": {"whitespace-normalized", lines,
			"f(a,\n b)\ng()\n", "f(a, b)\n\n", []strategy.Candidate{{0, 8}}},
		"whitespace-normalized is one place": {"whitespace-normalized", lines,
			"\n\na  b\n\n\n", "\na\nb", []strategy.Candidate{{2, 6}, {1, 7}}},
		"whitespace-normalized is every window": {"whitespace-normalized", verbatim,
			"\n\na  b\n\n", "\na\nb", []strategy.Candidate{{2, 6}, {0, 6}, {1, 7}, {2, 8}}},
		"whitespace-normalized ideographic space": {"whitespace-normalized", lines, "a\u3000b\n",
			"a b", []strategy.Candidate{{0, 5}}},

		"indentation-flexible": {"indentation-flexible", lines, "\ta\n\t  b\n",
			"  a\n    b", []strategy.Candidate{{0, 7}}},
		"indentation-flexible minds depth":    {"indentation-flexible", lines, "    a\n      b\n", "a\n    b", nil},
		"indentation-flexible minds the kind": {"indentation-flexible", lines, "  a\n  \tb\n", "a\n b", nil},
		"indentation-flexible minds the end":  {"indentation-flexible", lines, "  a \n  b\n", "a\nb", nil},
		"indentation-flexible minds blanks":   {"indentation-flexible", lines, "  a\n  \n  b\n", "a\n\nb", nil},
		"indentation-flexible mixed": {"indentation-flexible", lines, "\t a\n\t  b\n",
			"  a\n   b", []strategy.Candidate{{0, 8}}},

		"escape-normalized": {"escape-normalized", lines, "a\n\tb\nc\n",
			`a\n\tb`, []strategy.Candidate{{0, 4}}},
		"escape-normalized in the file": {"escape-normalized", lines, `p("\t\'")` + "\n",
			"p(\"\t'\")", []strategy.Candidate{{0, 9}}},
		"escape-normalized once a place": {"escape-normalized", lines, "a\\b\n", `a\\b`,
			[]strategy.Candidate{{0, 3}}},
		"escape-normalized continued line": {"escape-normalized", lines, "a \\\r\nb\r\nc\n",
			"a \nb", []strategy.Candidate{{0, 6}}},
		"escape-normalized repeated": {"escape-normalized", lines, "a\nb\n", `a\\\nb`,
			[]strategy.Candidate{{0, 3}}},
		"escape-normalized repeated elsewhere": {"escape-normalized", verbatim, "a\nb\n", `a\\nb`, nil},

		"trimmed-boundary": {"trimmed-boundary", lines, "x\n  foo\nbar \ny\n",
			"\nfoo\nbar\n", []strategy.Candidate{{2, 12}}},
		"trimmed-boundary inside a line": {"trimmed-boundary", verbatim,
			"x\n  foo\nbar \ny\n", "\nfoo\nbar\n", []strategy.Candidate{{4, 11}}},
		"trimmed-boundary with blank lines": {"trimmed-boundary", lines, "x\n\nfoo\n\ny\n",
			"  \n foo", []strategy.Candidate{{2, 6}}},
		"trimmed-boundary keeps the inner ones": {"trimmed-boundary", lines, "foo\n  bar\nx\n", "\nfoo\nbar\nx", nil},
		"trimmed-boundary has to trim":          {"trimmed-boundary", lines, " foo\n", "foo\n", nil},

		"context-aware": {"context-aware", lines, "{\na\nb\n}\n", "{\na\nc\n}",
			[]strategy.Candidate{{0, 7}}},
		"context-aware less":       {"context-aware", lines, "{\na\nb\nc\n}\n", "{\na\nx\ny\n}", nil},
		"context-aware other size": {"context-aware", lines, "{\na\nb\n}\n", "{\na\n}", nil},
		"context-aware first end":  {"context-aware", lines, "{\na\n}\nb\n}\n", "{\na\n}\nb\n}", nil},
		"context-aware every one": {"context-aware", lines, "{\na\n}\n{\na\n}\n", "{\na\n}",
			[]strategy.Candidate{{0, 5}, {6, 11}}},

		"multi-occurrence":       {"multi-occurrence", lines, "a\na\na\n", "a\na\n", []strategy.Candidate{{0, 3}}},
		"multi-occurrence text":  {"multi-occurrence", verbatim, "aaaaa", "aa", []strategy.Candidate{{0, 2}, {2, 4}}},
		"multi-occurrence empty": {"multi-occurrence", verbatim, "a", "", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc, pat := index(test.content, test.find, test.verbatim)
			got := slices.Collect(named(test.strategy).Candidates(doc, pat))
			if !slices.Equal(got, test.want) {
				t.Errorf("%q in %q: %v, want %v", test.find, test.content, got, test.want)
			}
		})
	}
}
