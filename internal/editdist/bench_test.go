package editdist

import (
	"math/rand/v2"
	"testing"
	"time"

	edlib "github.com/hbollon/go-edlib"
)

// The benchmarks compare with go-edlib within the same run: "x-edlib" is how many times faster.
func BenchmarkWithin(b *testing.B) {
	for _, c := range []struct {
		name, letters string
		length, edits int
		cut           int // per cent of the length, 100 for none
	}{
		{"line-near", letters, 40, 2, 100},
		{"line-far", letters, 40, -1, 100},
		{"block-near", letters, 2000, 100, 100},
		{"block-far", letters, 2000, -1, 100},
		{"block-near-cut", letters, 2000, 100, 10},
		{"block-far-cut", letters, 2000, -1, 10},
		{"block-near-cut-cjk", "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341 \n", 2000, 100, 10},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(7, 8))
			pattern := randomText(r, c.letters, c.length)
			text := randomText(r, c.letters, c.length)
			if c.edits >= 0 {
				text = edited(r, c.letters, pattern, c.edits)
			}
			p := Prepare(AppendSymbols(nil, []byte(pattern)))
			codes := p.AppendCodes(nil, []byte(text))
			k := c.length * c.cut / 100
			b.ReportAllocs()
			for b.Loop() {
				p.Within(codes, k)
			}
			b.StopTimer()
			own := b.Elapsed() / time.Duration(b.N)
			start := time.Now()
			n := max(3, 200/c.length)
			for range n {
				edlib.LevenshteinDistance(pattern, text)
			}
			b.ReportMetric(float64(time.Since(start))/float64(n)/float64(max(own, 1)), "x-edlib")
		})
	}
}
