package apply_test

import (
	"bytes"
	"context"
	"fmt"
	"go/build"
	"hash/maphash"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/parser"
)

// selfSimilar returns n lines that resemble each other, as in generated code and data.
func selfSimilar(_ *testing.B, n int) []string {
	out := make([]string, 0, n)
	for i := range n {
		out = append(out, fmt.Sprintf("    value_%d = compute_%d(alpha_%d, beta_%d, 0x%x)\n", i,
			i*7%1009, i%13, i%17, i))
	}
	return out
}

// realText returns n lines of Go's source code, one file after the other.
func realText(b *testing.B, n int) []string {
	var out []string
	root := filepath.Join(build.Default.GOROOT, "src", "net")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || len(out) >= n {
			return err
		}
		text, err := os.ReadFile(name)
		out = append(out, strings.SplitAfter(string(text), "\n")...)
		return err
	})
	if err != nil || len(out) < n {
		b.Skipf("%d lines of Go's sources at %s, and %d are needed: %v", len(out), root, n, err)
	}
	return out[:n]
}

// bentBlock returns a block for 30 lines from line first on. It changes the 15th line, and bend
// distorts its lines.
func bentBlock(lines []string, first int, bend func(i int, line string) string) parser.Block {
	var search, replace strings.Builder
	for i, line := range lines[first : first+30] {
		bent := bend(i, line)
		search.WriteString(bent)
		if i == 15 {
			bent = bent[:len(bent)-len(strings.TrimLeft(bent, " \t"))] + "changed_by_the_block()\n"
		}
		replace.WriteString(bent)
	}
	return parser.Block{ID: 1, Op: parser.OpEdit, Path: "a.txt", Search: []byte(search.String()),
		Replace: []byte(replace.String())}
}

// BenchmarkEngine prints the cost of a block of 30 lines in the engine, relative to one pass over
// the same text that splits it into lines and hashes them. It measures an exact block, one without
// indentation, one with three typos, and one that is not in the file, including the refusal.
func BenchmarkEngine(b *testing.B) {
	forms := []struct {
		name string
		bend func(i int, line string) string
	}{
		{"exact", func(_ int, line string) string { return line }},
		{"indentation-lost", func(_ int, line string) string { return strings.TrimLeft(line, " \t") }},
		{"three-slips", slip},
		{"miss", absent},
		{"miss-alike", alike},
	}
	for _, of := range []struct {
		name string
		text func(*testing.B, int) []string
	}{{"self-similar", selfSimilar}, {"real", realText}} {
		for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
			for _, form := range forms {
				b.Run(fmt.Sprintf("%s/%s/lines=%d", of.name, form.name, n), func(b *testing.B) {
					lines := of.text(b, n)
					text := []byte(strings.Join(lines, ""))
					reply := one(bentBlock(lines, placeOf(lines, n/3), form.bend))
					pass, engine := time.Hour, time.Hour
					for b.Loop() {
						pass = min(pass, elapsed(1, func() {
							if hashLines(text) == 0 {
								b.Fatal("no line was hashed")
							}
						}))
						engine = min(engine, elapsed(1, func() {
							plan,
								err := apply.New(apply.Files{"a.txt": text},
								apply.Options{Single: "a.txt"}).Plan(context.Background(), reply)
							if err != nil || (plan.Status == apply.Refused) != strings.HasPrefix(form.name, "miss") {
								b.Fatal(plan.Blocks[0].Message, err)
							}
						}))
					}
					b.ReportMetric(float64(engine)/float64(pass), "x-pass")
					b.ReportMetric(float64(engine.Microseconds())/1000, "ms")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

// slip drops one character from each of three lines of a block.
func slip(i int, line string) string {
	if i%10 != 4 || len(line) < 12 {
		return line
	}
	at := len(line) / 2
	return line[:at] + line[at+1:]
}

// absent returns lines that are nowhere in the file.
func absent(i int, line string) string {
	return fmt.Sprintf("%x other %d\n", line[:min(len(line), 6)], i)
}

// alike returns lines that resemble all lines of [selfSimilar] but equal none of them.
func alike(i int, _ string) string {
	return fmt.Sprintf("    value_%d = compute_%d(alpha_%d, beta_%d, 0x%x)\n", 17+i*31%900, 9+i*5%80,
		3+i%9, 7+i%5, 40+i)
}

// BenchmarkEngineManyBlocks prints the cost of 1,000 blocks of 30 lines on 100,000 lines, relative
// to the cost of one of them.
func BenchmarkEngineManyBlocks(b *testing.B) {
	const n, count = 100_000, 1000
	for _, form := range []struct {
		name string
		bend func(i int, line string) string
		is   apply.Status
	}{{"three-slips", slip, apply.Applied}, {"miss", absent, apply.Refused}} {
		b.Run(form.name, func(b *testing.B) {
			lines := selfSimilar(b, n)
			text := []byte(strings.Join(lines, ""))
			var blocks []parser.Block
			for k := range count {
				block := bentBlock(lines, k*(n/count),
					func(i int, line string) string { return form.bend(30*k+i, line) })
				block.ID = k + 1
				blocks = append(blocks, block)
			}
			plan := func(blocks []parser.Block) {
				plan, err := apply.New(apply.Files{"a.txt": text},
					apply.Options{Single: "a.txt", RunBudget: 1 << 40}).Plan(context.Background(),
					&parser.Reply{Blocks: blocks})
				if err != nil || plan.Status != form.is {
					b.Fatal(plan.Status, plan.Blocks[0].Message, err)
				}
			}
			one, all := time.Hour, time.Hour
			for b.Loop() {
				one = min(one, elapsed(3, func() { plan(blocks[count/2:][:1]) }))
				all = min(all, elapsed(1, func() { plan(blocks) }))
			}
			b.ReportMetric(float64(all)/float64(one), "x-one-block")
			b.ReportMetric(float64(all.Microseconds())/1000, "ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkEngineManyFiles prints the cost of 10,000 exact blocks of 10 lines on 5,000 files of 200
// lines, relative to reading the files.
func BenchmarkEngineManyFiles(b *testing.B) {
	dir, text := b.TempDir(), source(1000)
	lines := strings.SplitAfter(string(text), "\n")
	reply := &parser.Reply{}
	var names []string
	for i := range effort.Of(100, 5000, 5000) {
		name := fmt.Sprintf("f%04d.txt", i)
		names = append(names, filepath.Join(dir, name))
		own := []byte(strings.Join(lines[i%800:][:200], ""))
		if err := os.WriteFile(names[i], own, 0o600); err != nil {
			b.Fatal(err)
		}
		for k := range 2 {
			block := exactBlock(2*i+k+1, own, 50+100*k)
			block.Path = name
			reply.Blocks = append(reply.Blocks, block)
		}
	}
	read, planned := time.Hour, time.Hour
	for b.Loop() {
		read = min(read, elapsed(1, func() {
			for _, name := range names {
				if _, err := os.ReadFile(name); err != nil {
					b.Fatal(err)
				}
			}
		}))
		planned = min(planned, elapsed(1, func() {
			plan, err := apply.New(dirTree{os.DirFS(dir)}, apply.Options{}).Plan(context.Background(), reply)
			if err != nil || plan.Status != apply.Applied {
				b.Fatal(plan.Status, plan.Blocks[0].Message, err)
			}
		}))
	}
	b.ReportMetric(float64(planned)/float64(read), "x-reading")
	b.ReportMetric(float64(planned.Microseconds())/1000, "ms")
	b.ReportMetric(0, "ns/op")
}

// dirTree is a tree with the files of a directory.
type dirTree struct{ fs.FS }

func (t dirTree) ReadFile(p string) ([]byte, error) { return fs.ReadFile(t.FS, p) }
func (t dirTree) Complete() bool                    { return true }
func (t dirTree) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		_ = fs.WalkDir(t.FS, ".", func(p string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && !yield(p) {
				return fs.SkipAll
			}
			return err
		})
	}
}

// placeOf returns a line at or after from at which 30 lines begin, few of them blank.
func placeOf(lines []string, from int) int {
	for ; from+30 < len(lines); from++ {
		blank := 0
		for _, line := range lines[from : from+30] {
			if strings.TrimSpace(line) == "" {
				blank++
			}
		}
		if blank < 3 && strings.HasPrefix(lines[from], "\t") {
			break
		}
	}
	return min(from, len(lines)-30)
}

// hashLines returns the sum of the hashes of text's lines.
func hashLines(text []byte) (sum uint64) {
	seed := maphash.MakeSeed()
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		sum += maphash.Bytes(seed, text[:n])
		text = text[n:]
	}
	return sum
}
