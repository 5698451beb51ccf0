package strategy_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/strategy"
)

// Exact windows are those of comparing every window, in texts that repeat themselves and the
// pattern, in whatever order they are searched.
func TestExactWindowsAreThoseOfAPlainSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "a", "a", "b", "\ta", "a b", "}", "\xe9 \x81\xff",
			strings.Repeat("long ", 20)})
		lines := func(name string, least, most int) []string { return rapid.SliceOfN(line, least, most).Draw(t, name) }
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\n\n"}).Draw(t, "line end")
		search := lines("pattern", 1, 8)
		var all []string
		for range rapid.IntRange(0, 6).Draw(t, "parts") {
			all = append(append(all, lines("between", 0, 12)...),
				search[:rapid.IntRange(0, len(search)).Draw(t, "of the pattern")]...)
		}
		text := strings.Join(all, end)
		if rapid.Bool().Draw(t, "terminated") {
			text += end
		}
		doc, pat := strategy.NewDocument([]byte(text)), strategy.NewPattern([]byte(strings.Join(search, "\n")+"\n"), 0)
		var want []int
		plain := plainSplit(text, false)
		for i := 0; i+len(search) <= len(plain.lines); i++ {
			if slices.Equal(plain.lines[i:i+len(search)], search) {
				want = append(want, i)
			}
		}
		for search := range 6 { // by probes first, then by the index
			if got := slices.Collect(strategy.ExactWindows(doc, pat)); !slices.Equal(got, want) {
				t.Fatalf("search %d: %v, want %v", search, got, want)
			}
		}
	})
}
