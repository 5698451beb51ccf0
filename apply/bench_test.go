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

// source is a file of n lines of made-up code in which every line is different enough to be found.
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
	return parser.Block{ID: id, Op: parser.OpEdit, Path: "a.go", Search: []byte(search), Replace: []byte(strings.Join(lines, ""))}
}

func mustApply(b *testing.B, text []byte, blocks []parser.Block) {
	b.Helper()
	plan, err := apply.New(apply.Files{"a.go": text}, apply.Options{Single: "a.go"}).Plan(context.Background(), &parser.Reply{Blocks: blocks})
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

// The engine alone on files of 10 KB, as a worker that scores replies would use it.
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

// An exact block in a large file, against searching the file once and reading it.
func BenchmarkExactLargeFile(b *testing.B) {
	text := source(100_000)
	file := filepath.Join(b.TempDir(), "a.go")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.Fatal(err)
	}
	blocks := []parser.Block{exactBlock(1, text, 90_000)}
	floor := elapsed(5, func() {
		t, _ := os.ReadFile(file)
		if bytes.Index(t, blocks[0].Search) < 0 {
			b.Fatal("not there")
		}
	})
	ours := elapsed(5, func() {
		t, _ := os.ReadFile(file)
		mustApply(b, t, blocks)
	})
	b.ReportAllocs()
	for b.Loop() {
		mustApply(b, text, blocks)
	}
	b.ReportMetric(float64(ours)/float64(floor), "x-index-and-read")
}

// Many blocks on one file share what is known about it.
func BenchmarkExactManyBlocks(b *testing.B) {
	text := source(100_000)
	var blocks []parser.Block
	for i := range 1000 {
		blocks = append(blocks, exactBlock(i+1, text, i*100))
	}
	one := elapsed(5, func() { mustApply(b, text, blocks[900:901]) })
	for b.Loop() {
		mustApply(b, text, blocks)
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(one), "x-one-block")
}

// slipped is a block of 30 lines from line first on, with a letter hit wrong in 20 of them and a change in the middle.
func slipped(text []byte, first int) parser.Block {
	lines := strings.SplitAfter(string(text), "\n")[first : first+30]
	for i := range lines {
		if i%3 > 0 && i != 15 {
			lines[i] = strings.Replace(lines[i], "limit", "limti", 1)
		}
	}
	search := strings.Join(lines, "")
	lines[15] = "\tfirst := changed(input)\n" + lines[15]
	return parser.Block{ID: 1, Op: parser.OpEdit, Path: "a.go", Search: []byte(search), Replace: []byte(strings.Join(lines, ""))}
}

// A block with slips, and one that is not there: the cost of a miss, nearest text and report included.
func BenchmarkTolerant(b *testing.B) {
	small := source(10_000)
	unit := elapsed(3, func() { mustApply(b, small, []parser.Block{slipped(small, 3000)}) })
	for _, n := range []int{10_000, 100_000} {
		text := source(n)
		foreign := slipped(text, n/3)
		foreign.Search = bytes.ReplaceAll(bytes.ReplaceAll(foreign.Search, []byte("e"), []byte("o")), []byte("t"), []byte("kk"))
		for name, blocks := range map[string][]parser.Block{"hit": {slipped(text, n/3)}, "miss": {foreign}} {
			b.Run(fmt.Sprintf("%s/lines=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					plan, err := apply.New(apply.Files{"a.go": text}, apply.Options{Single: "a.go"}).Plan(context.Background(), &parser.Reply{Blocks: blocks})
					if err != nil || (plan.Status == apply.Applied) != (name == "hit") {
						b.Fatal(plan.Blocks[0].Message, err)
					}
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(unit)/float64(n/10_000), "x-hit-per-10k-lines")
			})
		}
	}
}
