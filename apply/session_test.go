package apply_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/casetable"
	"github.com/srpatch/srpatch/parser"
)

// inSession holds a session to the plans that are made at once: of each beginning of the reply, and of all of it.
func inSession(t fataler, tree apply.Tree, reply *parser.Reply, opt apply.Options) {
	t.Helper()
	ctx := context.Background()
	engine := apply.New(tree, opt)
	s := engine.Session()
	for i := range reply.Diagnostics {
		if report, err := s.Add(ctx, parser.Item{Diagnostic: &reply.Diagnostics[i]}); report != nil || err != nil {
			t.Fatalf("%v %v", report, err)
		}
	}
	so := *reply
	for i := range reply.Blocks {
		report, err := s.Add(ctx, parser.Item{Block: &reply.Blocks[i]})
		if err != nil {
			t.Fatalf("block %d: %v", i, err)
		}
		so.Blocks = reply.Blocks[:i+1]
		want, err := engine.Plan(ctx, &so)
		if err != nil {
			t.Fatalf("block %d: %v", i, err)
		}
		if w := &want.Blocks[i]; opt.RunBudget != 0 { // then it may know more of the nearest text
			report.Nearest, report.Score, report.Corrected, report.Message = w.Nearest, w.Score, w.Corrected, w.Message
			report.Objection, report.Warnings = w.Objection, w.Warnings
		}
		if !reflect.DeepEqual(*report, want.Blocks[i]) {
			t.Fatalf("block %d:\n%+v\nat once:\n%+v", i+1, *report, want.Blocks[i])
		}
	}
	so.Attempts = nil
	got, err := s.Plan(ctx)
	if err != nil {
		t.Fatalf("%v", err)
	}
	want, err := engine.Plan(ctx, &so)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("in a session:\n%+v\nat once:\n%+v", got, want)
	}
}

// Block by block comes to the same as all at once.
func TestSessionPlansAsAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, 1, 40, true)
		other := drawSheet(t, 1, 10, true)
		tree := apply.Files{"f.txt": s.bytes(), "g.txt": other.bytes()}
		reply := &parser.Reply{}
		for i := range rapid.IntRange(1, 5).Draw(t, "blocks") {
			in, path := s, "f.txt"
			if rapid.IntRange(0, 3).Draw(t, "file") == 0 {
				in, path = other, rapid.SampledFrom([]string{"g.txt", "new.txt", "none/g.txt", ""}).Draw(t, "path")
			}
			first, end := in.window(t, 8)
			b := bend(t, drawScript(t, in, first, end, i)).block(i+1, 0)
			b.Path = path
			switch {
			case i > 0 && rapid.IntRange(0, 4).Draw(t, "builds on the last") == 0:
				b.Search, b.Path = reply.Blocks[i-1].Replace, reply.Blocks[i-1].Path
			case rapid.IntRange(0, 9).Draw(t, "empty") == 0:
				b.Search = nil
			case rapid.IntRange(0, 9).Draw(t, "all") == 0:
				b.ReplaceAll = true
			}
			reply.Blocks = append(reply.Blocks, b)
		}
		opt := apply.Options{Policy: drawPolicy(t), Partial: rapid.Bool().Draw(t, "partial")}
		if rapid.IntRange(0, 5).Draw(t, "little work") == 0 {
			opt.RunBudget = rapid.Int64Range(100, 20_000).Draw(t, "budget")
		}
		inSession(t, tree, reply, opt)
	})
}

// The same of the cases, whose blocks have all that blocks can have.
func TestSessionPlansCases(t *testing.T) {
	cases, err := casetable.Read("../testdata/engine/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for _, policy := range c.Policies() {
				inSession(t, c.Tree(), c.Reply(), c.Options(policy))
			}
		})
	}
}

// BenchmarkSession prints what 40 blocks cost one by one, as a ratio to what they cost at once: every other one has slips, and
// one is not there.
func BenchmarkSession(b *testing.B) {
	lines := selfSimilar(b, 4000)
	text := []byte(strings.Join(lines, ""))
	reply := &parser.Reply{}
	for i := range 40 {
		block := bentBlock(lines, 90*i, func(k int, line string) string {
			switch {
			case i == 3:
				return fmt.Sprintf("%x other %d\n", line[:6], 100*i+k)
			case i%2 == 1 && k%10 == 4:
				return line[:8] + line[9:]
			}
			return line
		})
		block.ID = i + 1
		reply.Blocks = append(reply.Blocks, block)
	}
	ctx := context.Background()
	engine := apply.New(apply.Files{"a.go": text}, apply.Options{Partial: true})
	atOnce, inSession := time.Hour, time.Hour
	for b.Loop() {
		atOnce = min(atOnce, elapsed(1, func() {
			if _, err := engine.Plan(ctx, reply); err != nil {
				b.Fatal(err)
			}
		}))
		inSession = min(inSession, elapsed(1, func() {
			s := engine.Session()
			for i := range reply.Blocks {
				if _, err := s.Add(ctx, parser.Item{Block: &reply.Blocks[i]}); err != nil {
					b.Fatal(err)
				}
			}
			if _, err := s.Plan(ctx); err != nil {
				b.Fatal(err)
			}
		}))
	}
	b.ReportMetric(float64(inSession)/float64(atOnce), "x-at-once")
	b.ReportMetric(float64(inSession.Microseconds())/1000, "ms")
	b.ReportMetric(0, "ns/op")
}

// A part that comes in when the context has ended is taken all the same, and there for the next question.
func TestSessionEndsWithItsContext(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	s := apply.New(apply.Files{"f.txt": []byte("one\ntwo\n")}, apply.Options{}).Session()
	for i, search := range []string{"one", "two"} {
		b := script{{'-', search}, {'+', "new " + search}}.block(i+1, 0)
		if report, err := s.Add(ended, parser.Item{Block: &b}); report != nil || err != context.Canceled {
			t.Errorf("got %v, %v", report, err)
		}
	}
	if plan, err := s.Plan(t.Context()); err != nil || string(plan.Files[0].After) != "new one\nnew two\n" {
		t.Errorf("got %+v, %v", plan, err)
	}
}
