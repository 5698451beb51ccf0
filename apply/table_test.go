package apply_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/casetable"
	"github.com/srpatch/srpatch/parser"
)

// example is a case of testdata/engine or testdata/reference.
type example struct{ casetable.Case }

// examples are the cases of the files that match pattern.
func examples(t testing.TB, pattern string) []example {
	t.Helper()
	cases, err := casetable.Read(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	for _, c := range cases {
		all = append(all, example{c})
	}
	return all
}

func TestExamples(t *testing.T) {
	for _, c := range examples(t, "../testdata/engine/*.txtar") {
		if strings.HasPrefix(c.Name, "reports/") {
			continue
		}
		if c.Facts["why"] == "" {
			t.Errorf("%s does not say why", c.Name)
		}
		for _, policy := range c.Policies() {
			t.Run(c.Name+"/"+policy, func(t *testing.T) { c.check(t, policy) })
		}
	}
}

// The reference cases that speak of the engine.
func TestReference(t *testing.T) {
	ran := 0
	for _, c := range examples(t, "../testdata/reference/*.txtar") {
		switch policy := c.Facts["run"]; policy {
		case "safe", "loose":
			ran++
			t.Run(c.Name, func(t *testing.T) {
				if c.Facts["error"] != "" && c.Parts["reply"] != "" {
					c.Facts["blocks"] = "ready " + c.Facts["error"]
				}
				c.check(t, policy)
			})
		}
	}
	if ran < 20 {
		t.Errorf("%d cases of the engine, too few", ran)
	}
}

// check plans the case and compares tree and reports with what it wants.
func (c example) check(t *testing.T, policy string) {
	tree, reply := c.Tree(), c.Reply()
	plan := planned(t, tree, reply, c.Options(policy))

	want := strings.Fields(c.Facts["blocks"])
	if len(want) == 0 {
		switch {
		case c.Facts["error"] != "":
			want = []string{c.Facts["error"]}
		case c.Facts["status"] != "":
			want = []string{c.Facts["status"]}
		default:
			want = slices.Repeat([]string{"applied"}, len(plan.Blocks))
		}
	}
	var got []string
	for _, b := range plan.Blocks {
		if b.Status == apply.BlockFailed {
			got = append(got, string(b.Reason))
		} else {
			got = append(got, string(b.Status))
		}
	}
	if !slices.Equal(got, want) || len(plan.Blocks) == 0 {
		t.Errorf("the blocks are %s, want %s\n%s", got, want, reports(plan))
	}
	if after, want := changed(t, tree, plan), c.Wanted(); !maps.EqualFunc(after, want, bytes.Equal) {
		t.Errorf("the files are\n%s\nwant\n%s\n%s", shown(after), shown(want), reports(plan))
	}
	c.checkReports(t, plan)
	c.checkCorrected(t, &plan.Blocks[0], policy)
	if strings.HasPrefix(c.Name, "depth/") {
		c.checkAgain(t, changed(t, tree, plan), c.Options(policy))
	}
}

// checkAgain applies the block to its own result, which must stay.
func (c example) checkAgain(t *testing.T, result apply.Files, opt apply.Options) {
	again := planned(t, result, c.Reply(), opt)
	if after := changed(t, result, again); !maps.EqualFunc(after, result, bytes.Equal) {
		t.Errorf("a second run makes\n%s\n%s", shown(after), reports(again))
	}
}

func (c example) checkReports(t *testing.T, plan *apply.Plan) {
	if len(plan.Blocks) == 0 {
		return
	}
	first := plan.Blocks[0]
	if want := c.Facts["strategy"]; want != "" && first.Strategy != want {
		t.Errorf("found by %q, want %q", first.Strategy, want)
	}
	if want := c.Facts["forgiven"]; want != "" && !slices.Equal(first.Forgiven, strings.Fields(want)) {
		t.Errorf("forgiven %q, want %s", first.Forgiven, want)
	}
	if want := c.Facts["lines"]; want != "" {
		if got := fmt.Sprint(first.Lines); first.Lines == nil ||
			fmt.Sprintf("%d-%d", first.Lines[0], first.Lines[1]) != want {
			t.Errorf("lines %s, want %s", got, want)
		}
	}
	if want := c.Facts["candidates"]; want != "" && fmt.Sprint(first.Candidates) != "["+want+"]" {
		t.Errorf("candidates %v, want %s", first.Candidates, want)
	}
	said := func(part string, of func(apply.BlockReport) []string) bool {
		return part == "" || slices.ContainsFunc(plan.Blocks, func(b apply.BlockReport) bool {
			return slices.ContainsFunc(of(b), func(s string) bool { return strings.Contains(s, part) })
		})
	}
	if part := c.Facts["message"]; !said(part, func(b apply.BlockReport) []string { return []string{b.Message} }) {
		t.Errorf("no message says %q\n%s", part, reports(plan))
	}
	if part := c.Facts["warning"]; !said(part, func(b apply.BlockReport) []string { return b.Warnings }) {
		t.Errorf("no warning says %q\n%s", part, reports(plan))
	}
	var codes []string
	for _, d := range plan.Diagnostics {
		codes = append(codes, d.Code)
	}
	if want := strings.Fields(c.Facts["diagnostics"]); !slices.Equal(codes, want) {
		t.Errorf("diagnostics %s, want %s", codes, want)
	}
}

// planned is the plan, held to what is true of every plan.
func planned(t fataler, tree apply.Files, reply *parser.Reply, opt apply.Options) *apply.Plan {
	t.Helper()
	plan, err := apply.New(tree, opt).Plan(context.Background(), reply)
	if err != nil {
		t.Fatalf("no plan: %v", err)
	}
	if err := sound(tree, reply, opt, plan); err != nil {
		t.Fatalf("%v\n%s", err, reports(plan))
	}
	return plan
}

// fataler is what tests, fuzz targets and properties have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// sound says what is wrong with a plan whatever it is for: a block without its report, a status
// that contradicts the blocks, a change to a file that is none, a span that is not what it says.
func sound(tree apply.Files, reply *parser.Reply, opt apply.Options, plan *apply.Plan) error {
	if len(plan.Blocks) != len(reply.Blocks) || len(plan.Diagnostics) != len(reply.Diagnostics) {
		return fmt.Errorf("%d blocks and %d diagnostics became %d and %d", len(reply.Blocks),
			len(reply.Diagnostics), len(plan.Blocks), len(plan.Diagnostics))
	}
	failed, good := len(plan.Diagnostics), 0
	for i, b := range plan.Blocks {
		if b.ID != reply.Blocks[i].ID {
			return fmt.Errorf("report %d is of block %d", reply.Blocks[i].ID, b.ID)
		}
		switch b.Status {
		case apply.BlockFailed:
			failed++
			if b.Reason == "" || b.Message == "" {
				return fmt.Errorf("block %d is refused without a reason or a message", b.ID)
			}
		case apply.BlockApplied, apply.BlockReady:
			good++
			if (b.Status == apply.BlockApplied) == (plan.Status == apply.Refused) {
				return fmt.Errorf("block %d is %s in a run that is %s", b.ID, b.Status, plan.Status)
			}
		case apply.BlockAlready, apply.BlockNoOp:
			good++
		default:
			return fmt.Errorf("block %d is %q", b.ID, b.Status)
		}
		if b.Score < 0 || b.Score > 1 {
			return fmt.Errorf("block %d scores %v", b.ID, b.Score)
		}
	}
	want := apply.Applied
	switch {
	case failed > 0 && opt.Partial && good > 0:
		want = apply.Partial
	case failed > 0 || len(plan.Blocks) == 0:
		want = apply.Refused
	}
	if plan.Status != want {
		return fmt.Errorf("the run is %s, with %d good blocks and %d refused ones", plan.Status, good, failed)
	}
	if plan.Status == apply.Refused && len(plan.Files) > 0 {
		return errors.New("a refused run changes files")
	}
	for _, f := range plan.Files {
		if err := soundChange(tree, f); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

func soundChange(tree apply.Files, f apply.FileChange) error {
	before, exists := tree[f.Path]
	if f.Action == apply.Move {
		before, exists = tree[f.From]
	}
	switch {
	case exists != (f.Action != apply.Create):
		return fmt.Errorf("%s, though it is there: %t", f.Action, exists)
	case !bytes.Equal(before, f.Before):
		return errors.New("before is not what the file was")
	case f.Action == apply.Modify && bytes.Equal(f.Before, f.After):
		return errors.New("modified into what it was")
	case (f.After == nil) != (f.Action == apply.Delete):
		return fmt.Errorf("%s leaves %q", f.Action, f.After)
	}
	b, a := 0, 0
	for _, s := range *apply.Spans(&f) {
		if s.BeforeStart < b || s.BeforeEnd < s.BeforeStart || s.AfterStart < a || s.AfterEnd < s.AfterStart ||
			s.BeforeEnd > len(f.Before) || s.AfterEnd > len(f.After) {
			return fmt.Errorf("the span %v is out of order", s)
		}
		if !bytes.Equal(f.Before[b:s.BeforeStart], f.After[a:s.AfterStart]) {
			return fmt.Errorf("what is before the span %v differs", s)
		}
		b, a = s.BeforeEnd, s.AfterEnd
	}
	if *apply.Spans(&f) != nil && !bytes.Equal(f.Before[b:], f.After[a:]) {
		return errors.New("what is after the last span differs")
	}
	return nil
}

// changed is the tree that the plan makes.
func changed(t fataler, tree apply.Files, plan *apply.Plan) apply.Files {
	t.Helper()
	out := maps.Clone(tree)
	for _, f := range plan.Files {
		switch f.Action {
		case apply.Delete:
			delete(out, f.Path)
			continue
		case apply.Move:
			delete(out, f.From)
		}
		out[f.Path] = f.After
	}
	return out
}

func shown(tree apply.Files) string {
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(tree)) {
		fmt.Fprintf(&b, "%s:\n", p)
		for line := range strings.Lines(string(tree[p])) {
			fmt.Fprintf(&b, "\t%q\n", line)
		}
	}
	return b.String()
}

// reports is what the reports say, for messages of tests.
func reports(plan *apply.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "run: %s", plan.Status)
	for _, r := range plan.Blocks {
		fmt.Fprintf(&b, "\nblock %d: %s %s %s %.3f %v %s %q", r.ID, r.Path, r.Status, r.Strategy,
			r.Score, r.Lines, r.Reason, r.Message)
		fmt.Fprintf(&b, " candidates %v warnings %q", r.Candidates, r.Warnings)
	}
	for _, d := range plan.Diagnostics {
		fmt.Fprintf(&b, "\nline %d: %s", d.Line, d.Code)
	}
	return b.String()
}
