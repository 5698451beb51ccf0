package verdict

import (
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
		v := &vocabulary{doc: strategy.NewDocument([]byte(file)), asked: manyWords}
		for word := range text.EachToken([]byte(file + "\n" + strings.Join(parts.Draw(t, "asked for"), ""))) {
			if text.BeginsWithWord(word) && v.has(word) != v.find(word) {
				t.Fatalf("%q is a word of %q: %v", word, file, v.find(word))
			}
		}
	})
}

// After many texts were looked for, what the file has is not passed over.
func TestWhatTheFileHasMayOccur(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "b", "_", "1", "é", "語", ".", " ", "\n", "\t", "\xff", "\xc3", "\u0301", "\\"})
		file := strings.Join(rapid.SliceOfN(part, 0, 40).Draw(t, "file"), "")
		from := rapid.IntRange(0, len(file)).Draw(t, "from")
		to := rapid.IntRange(from, len(file)).Draw(t, "to")
		j := NewJudge(strategy.NewDocument([]byte(file)), "a.py", 0)
		j.words.asked = manyWords
		if !j.MayOccur([]byte(file[from:to])) {
			t.Fatalf("%q does not occur in %q", file[from:to], file)
		}
	})
}
