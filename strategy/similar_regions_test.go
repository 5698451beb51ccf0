package strategy_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/strategy"
)

// What is left out because enough better lines are known is no loss: the answer is that of
// comparing every line and sorting.
func TestSimilarRegionsAreTheMostSimilarOfAllLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		w := []rune("abcdefghijkl")[:6+r.IntN(7)]
		for range r.IntN(4) {
			w[r.IntN(len(w))] = []rune("xyé")[r.IntN(3)]
		}
		return string(w)
	}
	const limit = 4
	for range 300 {
		lines := make([]string, 1+r.IntN(40))
		for i := range lines {
			lines[i] = word()
		}
		search := word()
		if slices.Contains(lines, search) {
			continue
		}
		var want []strategy.Region
		for i, line := range lines {
			longer := max(len([]rune(line)), len([]rune(search)))
			d := plainDistance([]rune(line), []rune(search))
			if d <= int(float64(longer)*(1-0.7)) {
				want = append(want, strategy.Region{Low: i, High: i, Votes: 1 - float64(d)/float64(longer)})
			}
		}
		slices.SortStableFunc(want, func(a, b strategy.Region) int { return cmp.Compare(b.Votes, a.Votes) })
		want = want[:min(limit, len(want))]
		doc, pat := strategy.NewDocument([]byte(strings.Join(lines, "\n"))), strategy.NewPattern([]byte(search), 0)
		if got := strategy.SimilarRegions(doc, pat, limit, nil); !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v, want %v", search, lines, got, want)
		}
	}
}

// A search that its budget ends finds nothing, in a document of any length.
func TestSimilarRegionsEndWithTheirBudget(t *testing.T) {
	doc := strategy.NewDocument([]byte(strings.Repeat("value = compute(other)\n", 1000)))
	pat := strategy.NewPattern([]byte("value = compute(others)\n"), 0)
	budget := strategy.NewBudget(1000)
	if got := strategy.SimilarRegions(doc, pat, 4, budget); got != nil || !budget.Exhausted() {
		t.Errorf("found %v", got)
	}
}
