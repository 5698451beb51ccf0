package strategy

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What the strategies that forgive blanks propose is what a look at every line finds.
func TestProposalsAreTheWindowsThatTheRuleLetsThrough(t *testing.T) {
	rules := map[string]func(doc *Document, i int, pat *Document, j int) bool{
		"line-trimmed": func(doc *Document, i int, pat *Document, j int) bool {
			return doc.Key(i) == pat.Key(j) && equalTrimmed(doc, i, pat, j)
		},
		"whitespace-normalized": func(doc *Document, i int, pat *Document,
			j int) bool {
			return doc.Key(i) == pat.Key(j)
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "  ", "a", " a", "a ", "a(b)", "a( b)", "\ta(b)", "}", "  }"})
		doc := NewDocument([]byte(joined(rapid.SliceOfN(line, 1, 12).Draw(t, "file"))))
		pat := NewPattern([]byte(joined(rapid.SliceOfN(line, 1, 4).Draw(t, "search"))), 0)
		for _, s := range Strategies() {
			same := rules[s.Name()]
			if same == nil {
				continue
			}
			var want []Candidate
			for first := 0; first+pat.Len() <= doc.Len(); first++ {
				whole := true
				for j := range pat.Len() {
					whole = whole && same(doc, first+j, pat.Document, j)
				}
				if whole {
					want = append(want, doc.lines(first, pat.Len()))
				}
			}
			if got := slices.Collect(Proposals(s, doc, pat)); !slices.Equal(got, want) {
				t.Fatalf("%s proposes %v, want %v", s.Name(), got, want)
			}
		}
	})
}

func joined(lines []string) (text string) {
	for _, line := range lines {
		text += line + "\n"
	}
	return text
}
