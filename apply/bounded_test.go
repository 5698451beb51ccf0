package apply_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/parser"
)

// hostile returns files of about n lines made to keep a search busy, each with a block that must
// search the whole file.
var hostile = map[string]func(n int) ([]byte, parser.Block){
	"equal lines": func(n int) ([]byte, parser.Block) {
		return bytes.Repeat([]byte("\tx = compute(a, b)\n"), n),
			asking(repeated("x = compute(a, b)", 20)+"y = 1\n", "z = 2\n")
	},
	"equal lines found everywhere": func(n int) ([]byte, parser.Block) {
		return bytes.Repeat([]byte("\tx = compute(a, b)\n"), n), asking(repeated("x = compute(a, b)", 20), "z = 2\n")
	},
	"blank lines": func(n int) ([]byte, parser.Block) {
		return bytes.Repeat([]byte("\n"), n), asking("\n\n\na = 1\n\n\n", "\n\n\nb = 2\n\n\n")
	},
	"two lines in turn": func(n int) ([]byte, parser.Block) {
		return bytes.Repeat([]byte("if a {\n}\n"), n/2), asking(repeated("if a {\n}", 10)+"if b {\n}\n", "")
	},
	"one long line": func(n int) ([]byte, parser.Block) {
		return append(bytes.Repeat([]byte("call(a, b); "), n), '\n'),
			asking(strings.Repeat("call(a, b); ", 400)+"call(b, a);\n", "x\n")
	},
	"long lines alike": func(n int) ([]byte, parser.Block) {
		line := strings.Repeat("lorem ipsum ", 100)
		return bytes.Repeat([]byte(line+"\n"), n/100), asking(strings.Replace(line, "lorem", "dolor", 7)+"\n", "x\n")
	},
	"anchors everywhere": func(n int) ([]byte, parser.Block) {
		return bytes.Repeat([]byte("{\n\tx()\n}\n"), n/3), asking("{\n"+repeated("y(1)", 15)+"}\n", "{\n}\n")
	},
	"escapes": func(n int) ([]byte, parser.Block) {
		return bytes.Repeat([]byte(`say(\"a\", '\\n')`+"\n"), n),
			asking(strings.Repeat(`say(\\\"b\\\", '\\\\n')`+"\n", 10), "x\n")
	},
	"tall block": func(n int) ([]byte, parser.Block) {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "\tvalue = compute(%d, %d)\n", i%7, i%11)
		}
		half := text.String()[:text.Len()/2]
		return []byte(text.String()), asking(strings.ReplaceAll(half, "(3, ", "(4, ")+"end\n", "end\n")
	},
	"every line a near miss": func(n int) ([]byte, parser.Block) {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "handler.register(%q, callback_%d)\n", fmt.Sprint("event", i), i)
		}
		return []byte(text.String()), asking(repeated("handler.register(\"evnt\", calback_)", 30), "x\n")
	},
	"elisions": func(n int) ([]byte, parser.Block) {
		return bytes.Repeat([]byte("a()\nb()\n"), n/2),
			asking("a()\n...\nb()\n...\na()\n...\nc()\n", "a()\n...\nb()\n...\na()\n...\nd()\n")
	},
}

func repeated(line string, n int) string { return strings.Repeat(line+"\n", n) }

func asking(search, replace string) parser.Block {
	return parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt", Search: []byte(search), Replace: []byte(replace)}
}

// The cost of a search that finds nothing grows linearly with the file, not quadratically.
// /doubling is how many times longer a file with twice as many lines takes; each time is the best
// of several runs.
func BenchmarkHostile(b *testing.B) {
	const size = 40000
	for name, make := range hostile {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			least := func(n int) time.Duration {
				text, block := make(n)
				best := time.Hour
				for range 3 {
					begun := time.Now()
					if _, err := apply.New(apply.Files{"f.txt": text},
						apply.Options{}).Plan(context.Background(), one(block)); err != nil {
						b.Fatal(err)
					}
					best = min(best, time.Since(begun))
				}
				return best
			}
			var single, double time.Duration
			for b.Loop() {
				single, double = least(size), least(2*size)
			}
			b.ReportMetric(float64(double)/float64(single), "doubling")
			b.ReportMetric(float64(single)/1e6/size*1000, "ms/kline")
		})
	}
}

// large returns blocks of about n lines that are indented differently from the files that they fit.
var large = map[string]func(n int) ([]byte, parser.Block){
	"every other line changes": func(n int) ([]byte, parser.Block) {
		var file, search, replace strings.Builder
		for i := range n {
			fmt.Fprintf(&file, "\tvalue%d = compute(%d)\n", i, i)
			fmt.Fprintf(&search, "value%d = compute(%d)\n", i, i)
			fmt.Fprintf(&replace, "value%d = %s(%d)\n", i, []string{"compute", "derive"}[i%2], i)
		}
		return []byte(file.String()), asking(search.String(), replace.String())
	},
	"every other change was made": func(n int) ([]byte, parser.Block) {
		var file, search, replace strings.Builder
		for i := range n {
			fmt.Fprintf(&file, "\tvalue%d = %s(%d)\n", i, []string{"compute", "compute", "compute", "derive"}[i%4], i)
			fmt.Fprintf(&search, "value%d = compute(%d)\n", i, i)
			fmt.Fprintf(&replace, "value%d = %s(%d)\n", i, []string{"compute", "derive"}[i%2], i)
		}
		return []byte(file.String()), asking(search.String(), replace.String())
	},
	"every other line changes of a copy": func(n int) ([]byte, parser.Block) {
		var search, replace strings.Builder
		for i := range n {
			fmt.Fprintf(&search, "value%d = compute(%d)\n", i, i)
			fmt.Fprintf(&replace, "value%d = %s(%d)\n", i, []string{"compute", "derive"}[i%2], i)
		}
		return []byte(search.String()), asking(search.String(), replace.String())
	},
	"one more of many equal lines": func(n int) ([]byte, parser.Block) {
		file := "begin\n" + repeated("\tx", n) + "end\n"
		return []byte(file), asking("begin\n"+repeated("x", n)+"end\n", "begin\n"+repeated("x", n+1)+"end\n")
	},
}

// The cost of a block that fits grows linearly with its lines, not quadratically.
func TestWhatALargeBlockTakesGrowsWithItsLines(t *testing.T) {
	for name, make := range large {
		taken := func(n int) float64 {
			text, block := make(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			plan := planned(t, apply.Files{"f.txt": text}, one(block), apply.Options{})
			runtime.ReadMemStats(&after)
			if plan.Status != apply.Applied {
				t.Fatalf("%s: not applied\n%s", name, reports(plan))
			}
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		n := effort.Of(400, 1000, 1000)
		if growth := taken(4*n) / taken(n); growth > 8 {
			t.Errorf("%s: a block of 4 times the lines takes %.1f times the memory", name, growth)
		}
	}
}

// A long block that fits nearly everywhere is refused before it is fully paired with every place.
func TestATallBlockThatFitsEverywhereTakesLittleMemory(t *testing.T) {
	const n = 10_000
	for name, c := range map[string]struct{ file, search string }{
		"as it is":   {repeated("s", 2*n), repeated("s", n)},
		"indented":   {repeated("\ts", 2*n), repeated("s", n)},
		"cut":        {repeated("some s", 2*n), "ome s\n" + repeated("some s", n)},
		"blank ends": {repeated("s", 2*n), "\n" + repeated("s", n) + "\n"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		plan := planned(t, apply.Files{"f.txt": []byte(c.file)}, one(asking(c.search, c.search+"t\n")), apply.Options{})
		runtime.ReadMemStats(&after)
		if r := plan.Blocks[0]; r.Reason != apply.Ambiguous {
			t.Errorf("%s: not ambiguous\n%s", name, reports(plan))
		}
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 100 {
			t.Errorf("%s: %d MB", name, taken)
		}
	}
}

// Hostile files lead to a named outcome, with reports of bounded size.
func TestHostileFilesAreRefusedWithBoundedReports(t *testing.T) {
	for name, make := range hostile {
		for _, policy := range []apply.Policy{apply.Safe, apply.Strict, apply.Loose} {
			t.Run(fmt.Sprint(name, "/", policy), func(t *testing.T) {
				text, block := make(2000)
				plan := planned(t, apply.Files{"f.txt": text}, one(block), apply.Options{Policy: policy})
				r := plan.Blocks[0]
				if policy != apply.Loose && r.Status != apply.BlockFailed {
					t.Errorf("not refused\n%s", reports(plan))
				}
				size := len(r.Message)
				for _, s := range append(r.Corrected, r.Warnings...) {
					size += len(s)
				}
				if r.Nearest != nil {
					size += len(r.Nearest.Text)
				}
				if limit := 8*len(block.Search) + 8<<10; len(r.Candidates) > 20 || size > limit &&
					name != "one long line" {
					t.Errorf("a report of %d bytes with %d candidates", size, len(r.Candidates))
				}
			})
		}
	}
}
