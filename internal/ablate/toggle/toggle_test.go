package toggle

import "testing"

func TestSwitchedRules(t *testing.T) {
	t.Cleanup(func() { Switch(-1, "") })
	yes := func() bool { return true }
	for _, c := range []struct {
		rule    int
		to      Setting
		answers bool
	}{{1, Off, false}, {1, On, true}, {2, Off, true}, {-1, "", true}} {
		Switch(c.rule, c.to)
		if got := Ask(1, yes); got != c.answers {
			t.Errorf("with rule %d %s rule 1 answers %t", c.rule, c.to, got)
		}
	}
	Switch(1, Off)
	if n, ok := Find(1, func() (int, bool) { return 7, true }); n != 7 || ok {
		t.Errorf("a rule that is off found %d, %t", n, ok)
	}
	if a, b, ok := FindTwo(1, func() (int, string, bool) { return 7, "x", true }); a != 7 || b != "x" || ok {
		t.Errorf("a rule that is off found %d, %q, %t", a, b, ok)
	}
	if s := Object(1, func() string { return "no" }); s != "" {
		t.Errorf("a rule that is off objected: %s", s)
	}
}

func TestEndlessRunsPanic(t *testing.T) {
	Watch(&Record{Yes: make([]bool, 1), No: make([]bool, 1), Limit: 10})
	defer func() {
		Watch(nil)
		if recover() != Endless {
			t.Error("a run without end did not panic")
		}
	}()
	for Ask(0, func() bool { return true }) {
	}
}

func TestEnvironment(t *testing.T) {
	if rule, to := fromEnv("17=off"); rule != 17 || to != Off {
		t.Errorf("17=off switches %d %s", rule, to)
	}
	if rule, to := fromEnv(""); rule != -1 || to != "" {
		t.Errorf("nothing switches %d %s", rule, to)
	}
}
