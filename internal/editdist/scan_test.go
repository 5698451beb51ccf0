package editdist

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestScan compares with the plain table whose first row is zero, up to where pieces may begin.
func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 500 {
		letters := []string{"ab", letters, "абв\xff \n"}[r.IntN(3)]
		a := randomText(r, letters, 1+r.IntN(300))
		text := randomText(r, letters, r.IntN(200)) + edited(r, letters, a, r.IntN(60)) +
			randomText(r, letters, r.IntN(200))
		x, y := AppendSymbols(nil, []byte(a)), AppendSymbols(nil, []byte(text))
		p := Prepare(x)
		codes := p.AppendCodes(nil, []byte(text))
		for i, k := range []int{0, 5, 30, len(x) / 2, len(x)} {
			s := p.Scan(k)
			closed := len(y) // no piece begins after so many symbols
			if i%2 == 0 {
				closed = r.IntN(len(y) + 1)
			}
			column := make([]int, len(x)+1)
			for i := range column {
				column[i] = i
			}
			for j, want := range y {
				diagonal := column[0]
				if j >= closed {
					s.Close()
					column[0]++
				}
				for i, have := range x {
					cost := 1
					if have == want {
						cost = 0
					}
					diagonal, column[i+1] = column[i+1], min(column[i+1]+1, column[i]+1, diagonal+cost)
				}
				s.Feed(codes[j : j+1])
				d, ok := s.Least()
				checkWithin(t, a, text, column[len(x)], k, d, ok)
			}
		}
	}
}

// TestCloseSavesWork: a long pattern costs a band around its place, not the triangle above it.
func TestCloseSavesWork(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	text := randomText(r, letters, 10_000)
	p := Prepare(AppendSymbols(nil, []byte(text)))
	codes := p.AppendCodes(nil, []byte(edited(r, letters, text, 50)))
	s := p.Scan(100)
	s.Feed(codes[:1])
	s.Close()
	s.Feed(codes[1:])
	if d, ok := s.Least(); !ok || d > 50 || p.Steps() > 80_000 {
		t.Errorf("Least = %d, %v after %d steps", d, ok, p.Steps())
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
