package apply_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// taking returns the memory that f allocates, in bytes.
func taking(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A reply of a few kilobytes that would expand to a file of gigabytes once allocated that memory
// first.
func TestRepeatedTextThatWouldFillTheMemoryIsRefused(t *testing.T) {
	line := strings.Repeat("x", 80_000)
	lines := strings.Repeat("x\n", 40_000)
	for name, c := range map[string]struct {
		file            string
		search, replace string
		substring       bool
		opt             apply.Options
	}{
		"text inside of a line": {file: line, search: "x", replace: strings.Repeat("y", 80_000), substring: true},
		"whole lines":           {file: lines, search: "x\n", replace: strings.Repeat("y\n", 40_000)},
		"whole lines, indented": {file: strings.ReplaceAll(lines, "x", "  x"), search: "x\n",
			replace: strings.Repeat("y\n", 40_000)},
		"the reference mode": {file: line, search: "x", replace: strings.Repeat("$`", 40_000), substring: true,
			opt: apply.Options{Policy: apply.Loose, Splice: apply.Verbatim}},
	} {
		t.Run(name, func(t *testing.T) {
			b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt", Search: []byte(c.search),
				Replace: []byte(c.replace), ReplaceAll: true, Substring: c.substring}
			c.opt.Limits = apply.Limits{Added: 1 << 20}
			var plan *apply.Plan
			took := taking(func() {
				plan, _ = apply.New(apply.Files{"f.txt": []byte(c.file)}, c.opt).Plan(context.Background(), one(b))
			})
			if r := plan.Blocks[0]; r.Reason != apply.TooLarge {
				t.Errorf("%s %s %s, want too-large", r.Status, r.Reason, r.Message)
			}
			if took > 100<<20 {
				t.Errorf("it took %d MB", took>>20)
			}
		})
	}
}

// Each of many blocks doubles the file, and none of them alone is too large.
func TestBlocksThatDoubleTheFileOneAfterTheOtherAreRefused(t *testing.T) {
	word := func(id int) string { return fmt.Sprintf("<%d>", id) }
	var reply parser.Reply
	for id := 1; id <= 40; id++ {
		b := parser.Block{ID: id, Op: parser.OpEdit, Path: "f.txt", Search: []byte(word(id)),
			Replace: []byte(word(id+1) + word(id+1)), ReplaceAll: true, Substring: true}
		reply.Blocks = append(reply.Blocks, b)
	}
	plan, err := apply.New(apply.Files{"f.txt": []byte(word(1) + "\n")},
		apply.Options{Limits: apply.Limits{Added: 1 << 20}}).Plan(context.Background(), &reply)
	if err != nil {
		t.Fatal(err)
	}
	var first apply.BlockReport
	for _, r := range plan.Blocks {
		if r.Status == apply.BlockFailed {
			first = r
			break
		}
	}
	if first.Reason != apply.TooLarge {
		t.Errorf("%q %s, want too-large", first.Reason, first.Message)
	}
}

// The line index of a file of line ends once took a hundred times the size of the file.
func TestAFileOfLineEndsIsRefusedWithoutAnIndex(t *testing.T) {
	text := bytes.Repeat([]byte{'\n'}, 60<<20)
	b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt", Search: []byte("a\n"), Replace: []byte("b\n")}
	var plan *apply.Plan
	took := taking(func() {
		plan, _ = apply.New(apply.Files{"f.txt": text}, apply.Options{}).Plan(context.Background(), one(b))
	})
	if r := plan.Blocks[0]; r.Reason != apply.TooLarge || took > 1<<20 {
		t.Errorf("%s %s after %d bytes", r.Reason, r.Message, took)
	}
}

// Each of 2,000 blocks once had a separate budget, so they took 2,000 times as long as one.
func TestManyMissesShareOneBudget(t *testing.T) {
	var file strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&file, "value_%d = compute(alpha_%d, %d)\n", i%300, i%70, i)
	}
	work := func(blocks int, budget int64) (left int64, plan *apply.Plan) {
		var reply parser.Reply
		for id := 1; id <= blocks; id++ {
			reply.Blocks = append(reply.Blocks, parser.Block{ID: id, Op: parser.OpEdit, Path: "f.py",
				Search: fmt.Appendf(nil,
					"valeu_%d = compte(aplha, %d)\nvaleu_%d = compute(alhpa, %d)\n", id, id, id+1,
					id), Replace: []byte("x\n")})
		}
		plan, err := apply.New(apply.Files{"f.py": []byte(file.String())},
			apply.Options{RunBudget: budget}).Plan(context.Background(), &reply)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Work, plan
	}
	single, _ := work(1, 0)
	all, plan := work(2_000, 10*single)
	if all > 25*single {
		t.Errorf("2,000 misses took %d units, one %d", all, single)
	}
	if last := plan.Blocks[len(plan.Blocks)-1]; last.Reason != apply.Budget && last.Reason != apply.NotFound {
		t.Errorf("%s %s", last.Reason, last.Message)
	}
	exact := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.py",
		Search: []byte("value_9 = compute(alpha_9, 9)\n"), Replace: []byte("x\n")}
	if r := planned(t, apply.Files{"f.py": []byte(file.String())}, one(exact),
		apply.Options{RunBudget: 1}).Blocks[0]; r.Status != apply.BlockApplied {
		t.Errorf("an exact block needs the budget: %s", r.Message)
	}
}

func TestLimitsAreThoseOfTheCaller(t *testing.T) {
	edit := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt", Search: []byte("a\n"), Replace: []byte("aaaa\n")}
	create := parser.Block{ID: 1, Op: parser.OpCreate, Path: "g.txt", Replace: []byte("bbbb\n")}
	for name, c := range map[string]struct {
		limits apply.Limits
		block  parser.Block
		want   apply.Reason
	}{
		"defaults":                 {apply.Limits{}, edit, ""},
		"bytes of the file before": {apply.Limits{FileSize: 3}, edit, apply.TooLarge},
		"bytes of the file after":  {apply.Limits{FileSize: 6}, edit, apply.TooLarge},
		"as many as it comes to":   {apply.Limits{FileSize: 7}, edit, ""},
		"lines":                    {apply.Limits{FileLines: 1}, edit, apply.TooLarge},
		"as many as it has":        {apply.Limits{FileLines: 2}, edit, ""},
		"bytes added":              {apply.Limits{Added: 4}, edit, apply.TooLarge},
		"as many as it adds":       {apply.Limits{Added: 5}, edit, ""},
		"a new file":               {apply.Limits{Added: 4}, create, apply.TooLarge},
		"a new file of that size":  {apply.Limits{Added: 5, FileSize: 5}, create, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tree := apply.Files{"f.txt": []byte("a\nb\n")}
			if got := planned(t, tree, one(c.block), apply.Options{Limits: c.limits}).Blocks[0]; got.Reason != c.want {
				t.Errorf("%s %q %s, want %q", got.Status, got.Reason, got.Message, c.want)
			}
		})
	}
}

// A hundred blocks with typos in a long file once took half a minute, because most of the work was
// not counted and so the budget didn't end it.
func TestSlipsOnALongFileAreCounted(t *testing.T) {
	var file strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&file, "value_%d = compute(alpha_%d, %d)\n", i, i*7, i%13)
	}
	one := parser.Reply{Blocks: []parser.Block{{
		ID: 1, Op: parser.OpEdit, Path: "f.py",
		Search: []byte("valeu_70 = compute(alpah_490, 5)\n"), Replace: []byte("x\n"),
	}}}
	plan, err := apply.New(apply.Files{"f.py": []byte(file.String())}, apply.Options{}).Plan(context.Background(), &one)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Work < int64(file.Len()) { // each line was read
		t.Errorf("%d units for a file of %d bytes", plan.Work, file.Len())
	}
}

// The work under the policy loose with verbatim splice was once not counted at all.
func TestTheReferenceCascadeIsCounted(t *testing.T) {
	files := apply.Files{"f.txt": bytes.Repeat([]byte("x = compute(a, b)\n"), 2000)}
	reply := parser.Reply{Blocks: []parser.Block{asking("y = 1\n", "z\n"), asking("y = 2\n", "z\n")}}
	plan, err := apply.New(files,
		apply.Options{Policy: apply.Loose, Splice: apply.Verbatim, RunBudget: 100}).Plan(context.Background(), &reply)
	if err != nil {
		t.Fatal(err)
	}
	if r := plan.Blocks[1]; plan.Work == 0 || r.Reason != apply.Budget {
		t.Errorf("%d units, and then %s %s", plan.Work, r.Reason, r.Message)
	}
}

// The search for a statement with other line breaks reads the whole file, which was once not
// counted.
func TestASearchThroughAllLinesIsCounted(t *testing.T) {
	file := append(bytes.Repeat([]byte("y = other(a, b)\n"), 2000), "result = compute(\n    alpha,\n    beta,\n)\n"...)
	plan := planned(t, apply.Files{"f.txt": file},
		one(asking("result = compute(alpha, beta)\n", "result = derive(alpha, beta)\n")), apply.Options{})
	if plan.Status != apply.Applied || plan.Work == 0 {
		t.Errorf("%d units\n%s", plan.Work, reports(plan))
	}
}
