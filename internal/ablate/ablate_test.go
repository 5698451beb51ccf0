package ablate

import (
	"path/filepath"
	"strings"
	"testing"
)

const toy = "internal/ablate/testdata/toy"

// toyGate is a gate for the command in testdata/toy, and what it prints.
func toyGate(t *testing.T, declared string) (*Gate, *strings.Builder) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds a command and runs it once a rule, which takes longer than -short is for")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := Rules(root, []string{toy})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWorkshop(root, rules)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	binary, err := w.Build(t.Context(), ".", "./"+toy)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Declared(declared)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	return &Gate{Workshop: w, Binary: binary, Processes: 2, Declared: list, Out: &out}, &out
}

func TestRulesWithAndWithoutACase(t *testing.T) {
	g, out := toyGate(t, "")
	good, err := g.Run(t.Context(), func(*Rule) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if good {
		t.Error("a rule without a case passed")
	}
	got := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"main.go isEven off: number 2 on: number 3",
		"main.go small off: number 2 (the run does not end) on: number 40",
		"main.go quick off: number 2 on: -",
		"main.go known off: - on: number 2 (the run does not end)",
		"main.go halfOf off: number 2",
		"main.go objection off: number 3",
		"main.go remark off: number 40 (wording only)",
		"Rules that no case needs " + toy + "/main.go large off (says otherwise in 1 cases, to no effect) " +
			toy + "/main.go quick on (never says no) " + toy + "/main.go known off (never says yes) 8 rules; 13",
		"settings tried, 3 without a case, 0 exempt",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report does not say %q:\n%s", want, out)
		}
	}
}

func TestOnlyRulesInScopeAreTried(t *testing.T) {
	g, out := toyGate(t, "")
	good, err := g.Run(t.Context(), func(r *Rule) bool { return r.Name == "isEven" })
	if err != nil || !good {
		t.Errorf("a rule with cases did not pass: %v\n%s", err, out)
	}
	if strings.Contains(out.String(), "quick") {
		t.Errorf("rules out of scope were tried:\n%s", out)
	}
}

func TestDeclarations(t *testing.T) {
	const speed = toy + "/main.go quick on speed apply BenchmarkTolerant: spares the search\n"
	const large = toy + "/main.go large off speed apply BenchmarkTolerant: spares a turn of the loop\n"
	const never = large + toy + "/main.go known off exempt: a guard\n"
	g, _ := toyGate(t, "")
	for _, c := range []struct{ name, declared, problem string }{
		{"rules that no case needs are declared", speed + never, ""},
		{"a declared rule has a case", speed + never + toy + "/main.go isEven off speed apply BenchmarkTolerant: none\n", "declared.txt:4: " + toy + "/main.go isEven off has a case: number 2"},
		{"a declared rule is gone", speed + never + toy + "/main.go slow off exempt: none\n", "declared.txt:4: there is no rule " + toy + "/main.go slow"},
		{"a benchmark is gone", never + toy + "/main.go quick on speed apply BenchmarkGone: spares the search\n", "declared.txt:3: there is no BenchmarkGone in apply"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := Declared(c.declared)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			g.Declared, g.Out = list, &out
			good, err := g.Run(t.Context(), func(*Rule) bool { return true })
			if err != nil || good != (c.problem == "") || !strings.Contains(out.String(), c.problem) {
				t.Errorf("good is %t, %v:\n%s\nexpected %q", good, err, out.String(), c.problem)
			}
		})
	}
}

func TestDeclarationsNeedAReason(t *testing.T) {
	for _, line := range []string{
		"apply/slip.go isMark off speed apply BenchmarkTolerant",
		"apply/slip.go isMark off speed: fast",
		"apply/slip.go isMark: fast",
	} {
		if _, err := Declared(line); err == nil {
			t.Errorf("%q is taken for a declaration", line)
		}
	}
}

func TestWhatAnswersAreWorth(t *testing.T) {
	answer := func(substance, wording byte, right bool) Answer {
		a := Answer{Judged: true, Right: right}
		a.Substance[0], a.Wording[0] = substance, wording
		return a
	}
	own := answer(1, 1, true)
	refused := answer(1, 1, false)
	for _, c := range []struct {
		name      string
		a, own    Answer
		different Difference
	}{
		{"the same", own, own, Same},
		{"another message", answer(1, 2, true), own, Wording},
		{"another reason", answer(2, 1, true), own, Changed},
		{"no longer right", answer(2, 1, false), own, Fails},
		{"right at last", answer(2, 1, true), refused, Better},
		{"wrong in another way", answer(2, 1, false), refused, Changed},
		{"a table's answer", answer(2, 1, false), Answer{}, Fails},
	} {
		if got := c.a.against(c.own); got != c.different {
			t.Errorf("%s: the difference is %d, not %d", c.name, got, c.different)
		}
	}
}
