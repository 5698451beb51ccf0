// Package suggest finds what a mistyped word may have meant, and lists choices.
package suggest

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	edlib "github.com/hbollon/go-edlib"
)

// Nearest returns up to n of the names that differ least from word, nearest first, by optimal
// string alignment distance (a swap of two neighbours is one slip), then in alphabetical order.
// Case only counts if nothing else differs. It leaves out names that need more edits than a third
// of the longer of the two, rounded up. Lengths are in runes.
func Nearest(word string, names iter.Seq[string], n int) []string {
	type candidate struct {
		name     string
		distance int
	}
	lower := strings.ToLower(word)
	var near []candidate
	for name := range names {
		longer := max(len([]rune(word)), len([]rune(name)))
		if d := edlib.OSADamerauLevenshteinDistance(lower, strings.ToLower(name)); 3*d <= longer+2 {
			near = append(near, candidate{name, d})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	near = slices.CompactFunc(near, func(a, b candidate) bool { return a.name == b.name })
	var out []string
	for _, c := range near[:min(n, len(near))] {
		out = append(out, c.name)
	}
	return out
}

// OneOf returns an error if s is not one of the choices. It accepts "", which is the default.
func OneOf(s string, choices []string) error {
	if s == "" || slices.Contains(choices, s) {
		return nil
	}
	return fmt.Errorf("%q, expected %s", s, Or(choices))
}

// Or returns words as a list: "a, b or c".
func Or(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
