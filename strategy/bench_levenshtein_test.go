package strategy

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// block is a block of h lines out of text, with the given number of edits, or a foreign one for
// less than none.
func block(r *rand.Rand, text, kind string, h, edits int) string {
	if edits < 0 {
		return sourceText(r, kind, h)
	}
	lines := strings.SplitAfter(text, "\n")
	at := len(lines) / 3
	return scramble(r, strings.Join(lines[at:at+h], ""), edits)
}

// BenchmarkLevenshtein makes the document's index in each round, as a run does. "x-edlib" is how
// many times faster that is than comparing every window by go-edlib, which is measured on a tenth
// of a percent of the windows in the same run.
func BenchmarkLevenshtein(b *testing.B) {
	for _, c := range []struct {
		name, kind   string
		lines, edits int
		nearest      bool
	}{
		{"hit/1k", "code", 1_000, 25, false},
		{"hit/10k", "code", 10_000, 25, false},
		{"hit/100k", "code", 100_000, 25, false},
		{"hit/10k-repetitive", "repetitive", 10_000, 25, false},
		{"hit/10k-cyrillic", "cyrillic", 10_000, 25, false},
		{"hit/10k-cjk", "cjk", 10_000, 25, false},
		{"miss/1k", "code", 1_000, -1, false},
		{"miss/10k", "code", 10_000, -1, false},
		{"miss/100k", "code", 100_000, -1, false},
		{"nearest-edited/10k", "code", 10_000, 250, true},
		{"nearest-edited/100k", "code", 100_000, 250, true},
		{"nearest-foreign/10k", "code", 10_000, -1, true},
		{"nearest-foreign/100k", "code", 100_000, -1, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(30, 31))
			text := sourceText(r, c.kind, c.lines)
			search := block(r, text, c.kind, 30, c.edits)
			var l Levenshtein
			bytes := []byte(text)
			pat := NewPattern([]byte(search), 0)
			var got []Window
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				doc := NewDocument(bytes)
				got = l.Windows(doc, pat)
				if c.nearest {
					l.Nearest(doc, pat)
				}
			}
			b.StopTimer()
			if (len(got) > 0) != (c.edits >= 0 && !c.nearest) {
				b.Fatalf("best is %s", show(got, 0))
			}
			own := b.Elapsed() / time.Duration(b.N)
			sample := NewDocument(bytes[:NewDocument(bytes).Start(40)])
			start := time.Now()
			windows := len(searchAll(sample, pat).windows)
			whole := float64(time.Since(start)) / float64(windows) * float64(c.lines-29)
			b.ReportMetric(whole/float64(own), "x-edlib")
		})
	}
}
