package apply_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// counted is a strategy that counts how often it is called.
type counted struct {
	strategy.Strategy
	calls map[string]int
}

func (c counted) Tolerates() strategy.Tolerance { return strategy.ToleranceOf(c.Strategy) }

func (c counted) Candidates(doc *strategy.Document, pat *strategy.Pattern) iter.Seq[strategy.Candidate] {
	c.calls[c.Name()]++
	return c.Strategy.Candidates(doc, pat)
}

func (c counted) Proposals(doc *strategy.Document, pat *strategy.Pattern) iter.Seq[strategy.Candidate] {
	c.calls[c.Name()]++
	return strategy.Proposals(c.Strategy, doc, pat)
}

// report returns the report of one block for a file.
func report(t *testing.T, content, search, replace string, opt apply.Options) apply.BlockReport {
	t.Helper()
	reply := one(parser.Block{ID: 1, Op: parser.OpEdit, Path: "a.go", Search: []byte(search), Replace: []byte(replace)})
	plan, err := apply.New(apply.Files{"a.go": []byte(content)}, opt).Plan(context.Background(), reply)
	if err != nil {
		t.Fatal(err)
	}
	return plan.Blocks[0]
}

const cascadeFile = `package p

func first(in []int) int {
	total := 0
	for _, n := range in {
		total += scale(n,  2)
	}
	return total
}

func second(name string) string {

	greeting := "hello, \"" + name + "\""

	return strings.ToUpper(greeting)
}
`

func TestTriedNamesTheStrategiesThatWereAsked(t *testing.T) {
	for _, c := range []struct{ name, search string }{
		{"exact", "\ttotal := 0\n"},
		{"indentation lost", "for _, n := range in {\ntotal += scale(n,  2)\n}\n"},
		{"a slip", "\tfor _, n := range in {\n\t\ttotal += scle(n,  2)\n\t}\n\treturn total\n"},
		{"not there", "\tanswer := compute(everything, 42)\n\tpublish(answer)\n"},
	} {
		for _, policy := range []apply.Policy{apply.Strict, apply.Safe, apply.Loose} {
			t.Run(c.name+"/"+string(policy), func(t *testing.T) {
				calls := map[string]int{}
				opt := apply.Options{Policy: policy}
				for _, s := range strategy.Strategies() {
					opt.Strategies = append(opt.Strategies, counted{s, calls})
				}
				r := report(t, cascadeFile, c.search, "\tchanged()\n", opt)
				for _, s := range opt.Strategies {
					if tried := slices.Contains(r.Tried, s.Name()); r.Status == apply.BlockFailed &&
						tried != (calls[s.Name()] > 0) {
						t.Errorf("%s was asked %d times, and tried is %q", s.Name(), calls[s.Name()], r.Tried)
					}
				}
				if r.Strategy != "" && calls[r.Strategy] == 0 && r.Status != apply.BlockFailed &&
					r.Strategy != "levenshtein" {
					t.Errorf("%q placed the block without being asked", r.Strategy)
				}
			})
		}
	}
}

func TestPlaceIsNamedAfterTheFirstStrategyThatProposesIt(t *testing.T) {
	const bent = "for _, n := range in {\ntotal += scale(n,  2)\n}\n"
	for _, c := range []struct{ search, name, without string }{
		{"\ttotal := 0\n", "exact", "line-trimmed"},
		{bent, "line-trimmed", "whitespace-normalized"},
		{"\t\ttotal += scale(n, 2)\n\t}\n", "whitespace-normalized", "levenshtein"},
		{"\\treturn strings.ToUpper(greeting)\n", "escape-normalized", "line-trimmed"},
		{"\n\n\n\ttotal := 0\n\tfor _, n := range in {\n", "trimmed-boundary", "block-anchor"},
		{"\tfor _, n := range in {\n\t\ttotal += scle(n,  2)\n\t}\n\treturn total\n", "block-anchor", "context-aware"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := report(t, cascadeFile, c.search, "\tchanged()\n", apply.Options{}); r.Strategy != c.name {
				t.Errorf("%q (%s), want %q", r.Strategy, r.Message, c.name)
			}
			var opt apply.Options
			for _, s := range strategy.Strategies() {
				if s.Name() != c.name {
					opt.Strategies = append(opt.Strategies, s)
				}
			}
			if r := report(t, cascadeFile, c.search, "\tchanged()\n", opt); r.Strategy != c.without {
				t.Errorf("without it %q (%s), want %q", r.Strategy, r.Message, c.without)
			}
		})
	}
}

// oracle proposes the one place that a test specifies.
type oracle struct{ line string }

func (oracle) Name() string { return "oracle" }

func (o oracle) Candidates(doc *strategy.Document, pat *strategy.Pattern) iter.Seq[strategy.Candidate] {
	return func(yield func(strategy.Candidate) bool) {
		if at := strings.Index(string(doc.Text()), o.line); at >= 0 {
			yield(strategy.Candidate{Start: at, End: at + len(o.line)})
		}
	}
}

func TestStrategyOfTheCallerWinsUnderSafe(t *testing.T) {
	opt := apply.Options{Strategies: append([]strategy.Strategy{oracle{"\treturn strings.ToUpper(greeting)"}}, strategy.Strategies()...)}
	r := report(t, cascadeFile, "\treturn strings.ToUper(greeting)\n", "\treturn strings.ToLower(greeting)\n", opt)
	if r.Status != apply.BlockApplied || r.Strategy != "oracle" {
		t.Errorf("%s by %q: %s", r.Status, r.Strategy, r.Message)
	}
}

// liar proposes invalid spans, or spans that don't match as it claims.
type liar struct {
	tolerates strategy.Tolerance
	spans     []strategy.Candidate
}

func (liar) Name() string                    { return "liar" }
func (l liar) Tolerates() strategy.Tolerance { return l.tolerates }

func (l liar) Candidates(*strategy.Document, *strategy.Pattern) iter.Seq[strategy.Candidate] {
	return slices.Values(l.spans)
}

func TestWhatAStrategyOfTheCallerProposesIsChecked(t *testing.T) {
	last := len(cascadeFile) - 1
	spans := []strategy.Candidate{{Start: -5, End: 7}, {Start: 12, End: 15}, {Start: 4, End: 4},
		{Start: 9, End: 2}, {Start: last, End: last}, {Start: 100_000, End: 100_010}, {Start: 3, End: 100_000}}
	for _, tolerates := range []strategy.Tolerance{strategy.Nothing, strategy.Blanks, strategy.Lines} {
		for _, policy := range []apply.Policy{apply.Strict, apply.Safe} {
			opt := apply.Options{Policy: policy,
				Strategies: append([]strategy.Strategy{liar{tolerates, spans}}, strategy.Strategies()...)}
			if r := report(t, cascadeFile,
				"\tanswer := compute(everything, 42)\n\tpublish(answer)\n", "\tchanged()\n",
				opt); r.Status != apply.BlockFailed {
				t.Errorf("%s, %d: %s at %v", policy, tolerates, r.Status, r.Lines)
			}
		}
		// Loose takes any proposal that is inside the file.
		opt := apply.Options{Policy: apply.Loose, Strategies: []strategy.Strategy{liar{tolerates, spans}}}
		if r := report(t, cascadeFile, "\tanswer := compute(everything, 42)\n", "\tchanged()\n",
			opt); r.Status == apply.BlockApplied && *r.Lines != [2]int{3, 3} {
			t.Errorf("loose, %d: %s at %v", tolerates, r.Status, r.Lines)
		}
	}
}

func TestAPlaceThatTwoStrategiesProposeIsOne(t *testing.T) {
	at := strings.Index(cascadeFile, "\ttotal := 0")
	twice := liar{strategy.Nothing, []strategy.Candidate{{Start: at, End: at + len("\ttotal := 0")}}}
	opt := apply.Options{Strategies: append([]strategy.Strategy{twice}, strategy.Strategies()...)}
	if r := report(t, cascadeFile, "\ttotal := 0\n", "\ttotal := 1\n",
		opt); r.Status != apply.BlockApplied || r.Strategy != "liar" {
		t.Errorf("%s by %q: %s", r.Status, r.Strategy, r.Message)
	}
}

// In the file, the lines that the block begins and ends with are repeatedly far apart. The lines in
// between once used up the budget.
func TestAnchorsFarApartCostABlockItsPlace(t *testing.T) {
	body := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "    order_a%d(client, %d)\n", i, i)
		}
		return b.String()
	}
	file := strings.Repeat("    open_all(x)\n\n", 20) + body(0, 5_000) + "close_all(x)\n"
	search := "    open_all(x)\n" +
		strings.Replace(body(2_500, 2_558), "order_a2503(", "order_aa2503(", 1) + "close_all(x)\n"
	r := report(t, file, search, strings.Replace(search, "order_a2530(", "changed(", 1), apply.Options{})
	if r.Status != apply.BlockApplied {
		t.Errorf("%s %s: %s", r.Status, r.Reason, r.Message)
	}
}

func TestLooseRefusalsForgotWhatTheRulesHadSaid(t *testing.T) {
	const search = "func third(in []int) int {\n\ttotal := 0\n\tfor _, n := range in {\n\t\ttotal += scale(n,  2)\n"
	safe := report(t, cascadeFile, search, "\tchanged()\n", apply.Options{})
	loose := report(t, cascadeFile, search, "\tchanged()\n", apply.Options{Policy: apply.Loose})
	if safe.Objection == nil || loose.Objection == nil || *loose.Objection != *safe.Objection {
		t.Errorf("safe objects %v, loose %v (%s)", safe.Objection, loose.Objection, loose.Status)
	}
}

func TestStrictRefusalsSpokeOfABudget(t *testing.T) {
	r := report(t, cascadeFile, "\ttotal += scle(n,  2)\n\t}\n\treturn totl\n", "\tchanged()\n",
		apply.Options{Policy: apply.Strict, Budget: 1})
	if r.Reason != apply.NotFound {
		t.Errorf("%s: %s", r.Reason, r.Message)
	}
}
