package editdist

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestScan compares with the plain table whose first row is zero: a piece may begin anywhere.
func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 500 {
		letters := []string{"ab", letters, "абв\xff \n"}[r.IntN(3)]
		a := randomText(r, letters, 1+r.IntN(300))
		text := randomText(r, letters, r.IntN(200)) + edited(r, letters, a, r.IntN(60)) + randomText(r, letters, r.IntN(200))
		x, y := AppendSymbols(nil, []byte(a)), AppendSymbols(nil, []byte(text))
		p := Prepare(x)
		codes := p.AppendCodes(nil, []byte(text))
		for _, k := range []int{0, 5, 30, len(x) / 2, len(x)} {
			s := p.Scan(k)
			column := make([]int, len(x)+1)
			for i := range column {
				column[i] = i
			}
			for j, want := range y {
				diagonal := column[0]
				for i, have := range x {
					cost := 1
					if have == want {
						cost = 0
					}
					diagonal, column[i+1] = column[i+1], min(column[i+1]+1, column[i]+1, diagonal+cost)
				}
				s.Feed(codes[j : j+1])
				d, ok := s.Least()
				holds(t, a, column[len(x)], k, d, ok)
			}
		}
	}
}

func TestScanOfAnEmptyPattern(t *testing.T) {
	s := Prepare(nil).Scan(3)
	s.Feed(slices.Repeat([]Code{0}, 5))
	if d, ok := s.Least(); d != 0 || !ok {
		t.Errorf("Least = %d, %v", d, ok)
	}
}

func BenchmarkScan(b *testing.B) {
	r := rand.New(rand.NewPCG(11, 12))
	p := Prepare(AppendSymbols(nil, []byte(randomText(r, letters, 1200))))
	text := p.AppendCodes(nil, []byte(strings.Repeat(randomText(r, letters, 4000), 10)))
	start := p.Steps()
	for b.Loop() {
		p.Scan(480).Feed(text)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(p.Steps()-start), "ns/step")
}
