package apply_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// source returns n lines of made-up code in which every line is distinct enough to be found.
func source(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "func step%d(input []int) int {\n", i)
		case 1:
			fmt.Fprintf(&b, "\tlimit := len(input) * %d // bound of step %d\n", i%97, i)
		case 2:
			fmt.Fprintf(&b, "\tif limit > %d {\n", i%113)
		case 3:
			fmt.Fprintf(&b, "\t\treturn compute(limit, %q)\n", fmt.Sprint("name", i))
		default:
			b.WriteString("\t}\n")
		}
	}
	return b.Bytes()
}

// exactBlock changes the third of the 10 lines from line first (0-based) on.
func exactBlock(id int, text []byte, first int) parser.Block {
	lines := strings.SplitAfter(string(text), "\n")[first : first+10]
	search := strings.Join(lines, "")
	lines[2] = "\tif limit > changed" + fmt.Sprint(id) + " {\n"
	return parser.Block{ID: id, Op: parser.OpEdit, Path: "a.txt", Search: []byte(search),
		Replace: []byte(strings.Join(lines, ""))}
}

func mustApply(b *testing.B, text []byte, blocks []parser.Block) {
	b.Helper()
	plan, err := apply.New(apply.Files{"a.txt": text},
		apply.Options{Single: "a.txt"}).Plan(context.Background(), &parser.Reply{Blocks: blocks})
	if err != nil || plan.Status != apply.Applied {
		b.Fatalf("%v %v", plan.Status, err)
	}
}

func elapsed(n int, f func()) time.Duration {
	best := time.Hour
	for range n {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// Measures only the engine, on files of 10 KB, as a worker that scores replies would use it.
func BenchmarkExactSmallFile(b *testing.B) {
	text := source(400)
	blocks := []parser.Block{exactBlock(1, text, 300)}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		mustApply(b, text, blocks)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "placements/s")
}

// Compares an exact block in a large file with searching and reading the file once.
func BenchmarkExactLargeFile(b *testing.B) {
	text := source(100_000)
	file := filepath.Join(b.TempDir(), "a.txt")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.Fatal(err)
	}
	blocks := []parser.Block{exactBlock(1, text, 90_000)}
	floor, ours := time.Hour, time.Hour
	b.ReportAllocs()
	for b.Loop() {
		floor = min(floor, elapsed(1, func() {
			t, _ := os.ReadFile(file)
			if !bytes.Contains(t, blocks[0].Search) {
				b.Fatal("not there")
			}
		}))
		ours = min(ours, elapsed(1, func() {
			t, _ := os.ReadFile(file)
			mustApply(b, t, blocks)
		}))
	}
	b.ReportMetric(float64(ours)/float64(floor), "x-index-and-read")
}

// Many blocks on one file share what is known about the file. us/block is the cost of one more
// block.
func BenchmarkExactManyBlocks(b *testing.B) {
	text := source(100_000)
	lines := strings.SplitAfter(string(text), "\n")
	var blocks []parser.Block
	for i := range 1000 {
		blocks = append(blocks, exactBlock(i+1, []byte(strings.Join(lines[i*100:][:10], "")), 0))
	}
	one, all := time.Hour, time.Hour
	for b.Loop() {
		one = min(one, elapsed(1, func() { mustApply(b, text, blocks[900:901]) }))
		all = min(all, elapsed(1, func() { mustApply(b, text, blocks) }))
	}
	b.ReportMetric(float64(all)/float64(one), "x-one-block")
	b.ReportMetric(float64((all-one).Microseconds())/999, "us/block")
	b.ReportMetric(0, "ns/op")
}

// slipped returns a block of 30 lines from line first on, with a wrong letter in 20 of them and a
// change in the middle.
func slipped(text []byte, first int) parser.Block {
	lines := strings.SplitAfter(string(text), "\n")[first : first+30]
	for i := range lines {
		if i%3 > 0 && i != 15 {
			lines[i] = strings.Replace(lines[i], "limit", "limti", 1)
		}
	}
	search := strings.Join(lines, "")
	lines[15] = "\tfirst := changed(input)\n" + lines[15]
	return parser.Block{ID: 1, Op: parser.OpEdit, Path: "a.txt", Search: []byte(search),
		Replace: []byte(strings.Join(lines, ""))}
}

// Measures a block with typos and one that is not in the file. The cost of a miss includes the
// nearest text and the report.
func BenchmarkTolerant(b *testing.B) {
	small := source(10_000)
	unit := elapsed(3, func() { mustApply(b, small, []parser.Block{slipped(small, 3000)}) })
	for _, n := range []int{10_000, 100_000} {
		text := source(n)
		for name, blocks := range map[string][]parser.Block{"hit": {slipped(text, n/3)}, "miss": {foreign(text, n/3)}} {
			b.Run(fmt.Sprintf("%s/lines=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					plan, err := apply.New(apply.Files{"a.txt": text},
						apply.Options{Single: "a.txt"}).Plan(context.Background(), &parser.Reply{Blocks: blocks})
					if err != nil || (plan.Status == apply.Applied) != (name == "hit") {
						b.Fatal(plan.Blocks[0].Message, err)
					}
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(unit)/float64(n/10_000), "x-hit-per-10k-lines")
			})
		}
	}
}

// foreign returns a block of 30 lines that are nowhere in the file.
func foreign(text []byte, first int) parser.Block {
	block := slipped(text, first)
	block.Search = bytes.ReplaceAll(bytes.ReplaceAll(block.Search, []byte("e"), []byte("o")), []byte("t"), []byte("kk"))
	return block
}

// Misses on one file also share what is known about the file. x-one-miss is the cost of all of them
// divided by the cost of a single one.
func BenchmarkManyMisses(b *testing.B) {
	text := source(20_000)
	var blocks []parser.Block
	for i := range 100 {
		block := foreign(text, 100*i)
		block.ID = i + 1
		blocks = append(blocks, block)
	}
	plan := func(blocks []parser.Block) {
		plan, err := apply.New(apply.Files{"a.txt": text},
			apply.Options{Single: "a.txt"}).Plan(context.Background(), &parser.Reply{Blocks: blocks})
		if err != nil || plan.Status != apply.Refused {
			b.Fatal(plan.Status, err)
		}
	}
	one, all := time.Hour, time.Hour
	for b.Loop() {
		one = min(one, elapsed(1, func() { plan(blocks[:1]) }))
		all = min(all, elapsed(1, func() { plan(blocks) }))
	}
	b.ReportMetric(float64(all)/float64(one), "x-one-miss")
	b.ReportMetric(0, "ns/op")
}

// What a line costs in a file of 100,000 lines for one in a file of 1,000 and of 10,000: 1 is
// linear, less is what a run costs whatever the file.
func BenchmarkGrowth(b *testing.B) {
	exact := func(text []byte, first int) parser.Block { return exactBlock(1, text, first) }
	for name, make := range map[string]func([]byte, int) parser.Block{"exact": exact,
		"slips": slipped, "miss": foreign} {
		b.Run(name, func(b *testing.B) {
			sizes := []int{1_000, 10_000, 100_000}
			var least [3]time.Duration
			var texts [3][]byte
			var blocks [3]parser.Block
			for i, n := range sizes {
				texts[i], least[i] = source(n), time.Hour
				blocks[i] = make(texts[i], n*4/5/5*5)
			}
			for b.Loop() {
				for i := range sizes {
					least[i] = min(least[i], elapsed(1, func() {
						plan, err := apply.New(apply.Files{"a.txt": texts[i]},
							apply.Options{Single: "a.txt"}).Plan(context.Background(), one(blocks[i]))
						if err != nil || (plan.Status == apply.Applied) != (name != "miss") {
							b.Fatal(plan.Status, err)
						}
					}))
				}
			}
			b.ReportMetric(float64(least[2])/float64(100*least[0]), "growth-from-1k")
			b.ReportMetric(float64(least[2])/float64(10*least[1]), "growth-from-10k")
			b.ReportMetric(float64(least[2].Microseconds())/1000, "ms-at-100k")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// The largest of the hostile files: seconds is the least of all runs, and to stay below 1.
func BenchmarkHostileAtFullSize(b *testing.B) {
	for name, c := range map[string]struct {
		kind string
		n    int
	}{
		"10k equal lines":  {"equal lines", 10_000},
		"100k equal lines": {"equal lines", 100_000},
		"one 5 MB line":    {"one long line", 5 << 20 / len("call(a, b); ")},
		"100k blank lines": {"blank lines", 100_000},
		"5k-line block":    {"tall block", 10_000}, // the block is half of the file
	} {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			text, block := hostile[c.kind](c.n)
			least := time.Hour
			for b.Loop() {
				least = min(least, elapsed(1, func() {
					if _, err := apply.New(apply.Files{"f.txt": text},
						apply.Options{}).Plan(context.Background(), one(block)); err != nil {
						b.Fatal(err)
					}
				}))
			}
			b.ReportMetric(least.Seconds(), "seconds")
			b.ReportMetric(0, "ns/op")
		})
	}
}
