package strategy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/strategy"
)

// source is code of n lines, of which few are equal.
func source(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "func step%d(in []int) int {\n", i)
		case 4:
			b.WriteString("}\n")
		default:
			fmt.Fprintf(&b, "\ttotal += scale(in[%d],  %d)\n", i%7, i)
		}
	}
	return b.String()
}

// spread finds all candidates of a pattern in a fresh document and returns how long that took and
// how many they were.
func spread(s strategy.Strategy, content, find string, verbatim bool) (time.Duration, int) {
	start, n := time.Now(), 0
	doc, pat := index(content, find, verbatim)
	for range s.Candidates(doc, pat) {
		n++
	}
	return time.Since(start), n
}

// quicker is the shorter of two times, of which the first may be unknown: what disturbs a run only
// makes it longer.
func quicker(known, took time.Duration) time.Duration {
	if known == 0 {
		return took
	}
	return min(known, took)
}

// BenchmarkGrowth reports what a line costs in 100,000 lines for one in 1,000, index included: 1 is
// linear.
func BenchmarkGrowth(b *testing.B) {
	small, large := source(1000), source(100_000)
	finds := map[string]func(string) string{
		"exact":                 func(s string) string { return s },
		"line-trimmed":          func(s string) string { return strings.ReplaceAll(s, "\t", "    ") },
		"block-anchor":          func(s string) string { return strings.ReplaceAll(s, "total", "totals") },
		"whitespace-normalized": func(s string) string { return strings.ReplaceAll(s, "  ", " ") },
		"indentation-flexible":  func(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") },
		"escape-normalized":     func(s string) string { return strings.ReplaceAll(s, "\t", `\t`) },
		"trimmed-boundary":      func(s string) string { return " \n" + s + " \n" },
		"context-aware":         func(s string) string { return strings.Replace(s, "total", "totals", 1) },
		"multi-occurrence":      func(s string) string { return s },
	}
	for _, s := range strategy.Strategies() {
		b.Run(s.Name(), func(b *testing.B) {
			block := func(text string) string {
				lines := strings.SplitAfter(text, "\n")
				return finds[s.Name()](strings.TrimSuffix(strings.Join(lines[len(lines)*4/5/5*5:][:5], ""), "\n"))
			}
			smallFind, largeFind := block(small), block(large)
			var inSmall, inLarge time.Duration
			for b.Loop() {
				took, n := spread(s, small, smallFind, false)
				if inSmall = quicker(inSmall, took); n == 0 {
					b.Fatalf("%q not found", smallFind)
				}
				took, n = spread(s, large, largeFind, false)
				if inLarge = quicker(inLarge, took); n == 0 {
					b.Fatalf("%q not found", largeFind)
				}
			}
			b.ReportMetric(float64(inLarge)/float64(100*inSmall), "growth")
			b.ReportMetric(float64(inLarge.Nanoseconds())/100_000, "ns/line")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkHostile reports what texts made to be slow cost per line at 50,000 lines for one at
// 25,000, for the strategy that grows most: 1 is linear, 2 quadratic.
func BenchmarkHostile(b *testing.B) {
	repeat := strings.Repeat
	texts := []struct {
		name    string
		content func(n int) string
		find    string
	}{
		{"equal lines", func(n int) string { return repeat("\tx = x\n", n) }, repeat("x = x\n", 2500)},
		{"equal lines, last differs", func(n int) string { return repeat("\tx = x\n", n) },
			repeat("x = x\n", 2499) + "x\n"},
		{"equal lines at two depths",
			func(n int) string { return repeat("\tx = x\n\t\tx = x\n", n/2) }, repeat("x = x\n\tx = x\n", 1250)},
		{"blank lines", func(n int) string { return repeat(" \n", n) }, repeat("\n", 2500)},
		{"blank lines, one not", func(n int) string { return repeat(" \n", n) }, repeat("\n", 2499) + "x\n"},
		{"anchors", func(n int) string { return repeat("}\n", n) }, "}\nx\ny\nz\n}\n"},
		{"first anchors", func(n int) string { return repeat("{\n", n-1) + "}\n" }, "{\n" + repeat("x\n", 50) + "}\n"},
		{"backslashes", func(n int) string { return repeat("\\\\\\\n", n) }, repeat("\\\\\n", 2500)},
		{"no anchors below", func(n int) string { return repeat("{\n", n) }, "{\nx\n}\n"},
		{"one line", func(n int) string { return repeat("a b  ", n) }, repeat("a b ", 2500) + "c"},
		{"one line of words", func(n int) string { return repeat("a b  ", n) }, "b a"},
	}
	for _, text := range texts {
		b.Run(text.name, func(b *testing.B) {
			half, whole := text.content(25_000), text.content(50_000)
			strategies := strategy.Strategies()
			inHalf, inWhole := make([]time.Duration, len(strategies)), make([]time.Duration, len(strategies))
			for b.Loop() {
				for i, s := range strategies {
					took, _ := spread(s, half, text.find, false)
					inHalf[i] = quicker(inHalf[i], took)
					took, _ = spread(s, whole, text.find, false)
					inWhole[i] = quicker(inWhole[i], took)
				}
			}
			worst, slowest := 0.0, time.Duration(0)
			for i := range strategies {
				worst = max(worst, float64(inWhole[i])/float64(2*inHalf[i]))
				slowest = max(slowest, inWhole[i])
			}
			b.ReportMetric(worst, "growth")
			b.ReportMetric(float64(slowest.Nanoseconds())/50_000, "ns/line")
			b.ReportMetric(0, "ns/op")
		})
	}
}
