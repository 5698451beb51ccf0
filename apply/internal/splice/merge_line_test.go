package splice

import (
	"math/rand/v2"
	"testing"
)

// If SEARCH has a line with typos and REPLACE changes it, the shared parts come from the file.
func TestMergeLine(t *testing.T) {
	tests := map[string]struct{ base, ours, theirs, want string }{
		"slip before the change": {"teh_total = add(a)", "the_total = add(a)",
			"teh_total = add(a, b)", "the_total = add(a, b)"},
		"slip after the change":             {"run(a, mian)", "run(a, main)", "run(b, mian)", "run(b, main)"},
		"curly quotes in the file":          {`say("a", 1)`, "say(“a”, 1)", `say("a", 2)`, "say(“a”, 2)"},
		"quotes that the block makes curly": {`say("a", 1)`, `say("a",  1)`, "say(“a”, 1)", "say(“a”,  1)"},
		"two changes, and slips between them": {"f(a, bb , cc)", "f(a, bb, cd)",
			"f(x, bb , cc, y)", "f(x, bb, cd, y)"},
		"what was to go is another thing":     {"f(a, b)", "f(a, c)", "f(a, d)", "f(a, d)"},
		"slip in what is changed":             {"set(alpah)", "set(alpha)", "set(alpah2)", "set(alpah2)"},
		"nothing in common":                   {"abc", "abd", "xyz", "xyz"},
		"blanks that come in are not doubled": {"x= 1 # teh", "x = 1 # the", "x = 1 # teh", "x = 1 # the"},
		"blanks that the file has already":    {"x=1", "x =1", "x = 1", "x = 1"},
		"text before a slip, and a change after it": {"run(mian, b)", "run(main, b)",
			"run(x, mian, c)", "run(x, main, c)"},
		"slip before text at the end":              {"retrun x", "return x", "retrun x + 1", "return x + 1"},
		"a comma that the file has not":            {`"a": 1,`, `"a": 1`, `"a": 2,`, `"a": 2`},
		"a comma that only the file has":           {`"a": 1`, `"a": 1,`, `"a": 2`, `"a": 2,`},
		"a comma, and a part of a name changed":    {"a: this.b", "a: this.b,", "a: this.c", "a: this.c,"},
		"a comma, and a fraction changed":          {"a: 0.19", "a: 0.19,", "a: 0.68", "a: 0.68,"},
		"a comma that the block takes out":         {"f(a,", "f(a,", "f(a", "f(a"},
		"a comma that both sides put in":           {"f(a", "f(a,", "f(a,", "f(a,"},
		"a comma that both put in behind a change": {"a: true", "a: true,", "a: false,", "a: false,"},
		"a bracket that the file has not":          {"run(f(a))", "run(f(a)", "run(f(b))", "run(f(b)"},
		"a semicolon after a bracket":              {"f(g())", "f(g());", "f(g(), h)", "f(g(), h);"},
		"a bracket too many":                       {"f(g()))", "f(g())", "f(g(h)))", "f(g(h))"},
		"a bracket after a sign":                   {"f(a /* 1 */", "f(a /* 1 */)", "f(a /* 2 */", "f(a /* 2 */)"},
		"a mark, and text in the same place":       {"a b", "a, b", "a c b", ""},
		"a character of a text without blanks":     {"# 設定を読むむ file", "# 設定を読む file", "# 設定を読むむ path", "# 設定を読む path"},
		"the file's word in the place of a change": {"f(slpi)", "f(slip)", "f(slip, b)", "f(slip, b)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got, _, ok := mergeLine([]byte(tt.base), []byte(tt.ours),
				[]byte(tt.theirs)); string(got) != tt.want || ok != (tt.want != "") {
				t.Errorf("mergeLine(%q, %q, %q) = %q, %v; want %q", tt.base, tt.ours, tt.theirs, got, ok, tt.want)
			}
		})
	}
}

// Merging any three lines either succeeds or fails without a panic.
func TestMergeLineOfAnything(t *testing.T) {
	tokens := []string{"a", "b", "(", ")", ",", " ", "main", "mian", "=", "1"}
	r := rand.New(rand.NewPCG(1, 2))
	line := func() (out []byte) {
		for range r.IntN(9) {
			out = append(out, tokens[r.IntN(len(tokens))]...)
		}
		return out
	}
	for range 100_000 {
		mergeLine(line(), line(), line())
	}
}
