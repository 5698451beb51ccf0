package apply

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/strategy"
)

// TestNoMadeLinesAreMissed: where edits make lines that the text did not have in a row, the ledger says that they may.
func TestNoMadeLinesAreMissed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "ab\n", "\n", "a\r\n"}), 0, 12)
		text := []byte(strings.Join(lines.Draw(t, "text"), "") + rapid.SampledFrom([]string{"", "a"}).Draw(t, "end"))
		var edits []splice.Edit
		for at := rapid.IntRange(0, 6).Draw(t, "start"); at <= len(text); at += rapid.IntRange(1, 12).Draw(t, "gap") {
			e := splice.Edit{Start: at, End: min(len(text), at+rapid.IntRange(0, 5).Draw(t, "deleted"))}
			e.Text = []byte(strings.Join(lines.Draw(t, "added"), "") + rapid.SampledFrom([]string{"", "b"}).Draw(t, "part"))
			edits = append(edits, e)
			at = e.End
		}
		var l ledger
		owners := make([]*item, len(edits))
		for i, k := range rapid.Permutation(numbers(len(edits))).Draw(t, "order") {
			owners[k] = &item{}
			l.add(edits[k], owners[k])
			if rapid.Bool().Draw(t, "asked in between") {
				l.mayHold(text, strategy.NewPattern(text, 0))
			}
			if i > 0 && rapid.IntRange(0, 5).Draw(t, "dropped") == 0 {
				l.drop(owners[k])
			}
		}
		after, _ := applyEdits(text, l.edits)
		made := strategy.NewDocument(after)
		for first := range made.Len() {
			for end := first + 1; end <= made.Len(); end++ {
				pat := strategy.NewPattern(bytes.Clone(after[made.Start(first):made.Start(end)]), 0)
				if !occurs(strategy.NewDocument(text), pat) && !l.mayHold(text, pat) {
					t.Fatalf("%q comes of %q by %+v, and is not expected", pat.Text(), text, l.edits)
				}
			}
		}
	})
}

// numbers are those below n.
func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
