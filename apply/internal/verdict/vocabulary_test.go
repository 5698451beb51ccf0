package verdict

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// After many words were looked for, others are found as before.
func TestManyWordsAreKnownAsFewAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "b", "_", "1", "é", "語", ".", " ", "\n", "\t", "\xff", "\xc3", "\u0301", "\\"})
		parts := rapid.SliceOfN(part, 0, 40)
		file := strings.Join(parts.Draw(t, "file"), "")
		v := &vocabulary{doc: strategy.NewDocument([]byte(file)), known: map[string]bool{}}
		for i := range manyWords {
			v.known[fmt.Sprint("known", i)] = false
		}
		for word := range text.EachToken([]byte(file + "\n" + strings.Join(parts.Draw(t, "asked for"), ""))) {
			if text.BeginsWithWord(word) && v.has(word) != v.find(word) {
				t.Fatalf("%q is a word of %q: %v", word, file, v.find(word))
			}
		}
	})
}
