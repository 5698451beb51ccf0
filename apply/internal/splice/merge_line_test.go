package splice

import "testing"

// A line that SEARCH has with slips, and REPLACE changes: what both share is the file's.
func TestMergeLine(t *testing.T) {
	tests := map[string]struct{ base, ours, theirs, want string }{
		"slip before the change":              {"teh_total = add(a)", "the_total = add(a)", "teh_total = add(a, b)", "the_total = add(a, b)"},
		"slip after the change":               {"run(a, mian)", "run(a, main)", "run(b, mian)", "run(b, main)"},
		"curly quotes in the file":            {`say("a", 1)`, "say(“a”, 1)", `say("a", 2)`, "say(“a”, 2)"},
		"what was to go is not there":         {"f(a, b, xx)", "f(a, c, x)", "f(a, d, xx)", ""},
		"slip where the change is":            {"set(alpah)", "set(alpha)", "set(alpah2)", ""},
		"nothing in common":                   {"abc", "abd", "xyz", ""},
		"blanks that come in are not doubled": {"x= 1 # teh", "x = 1 # the", "x = 1 # teh", ""},
		"slip before text at the end":         {"retrun x", "return x", "retrun x + 1", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := mergeLine([]byte(tt.base), []byte(tt.ours), []byte(tt.theirs))
			if ok != (tt.want != "") || string(got) != tt.want {
				t.Errorf("mergeLine(%q, %q, %q) = %q, %v; want %q", tt.base, tt.ours, tt.theirs, got, ok, tt.want)
			}
		})
	}
}
