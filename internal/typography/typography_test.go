package typography

import (
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"ascii":            {`say "hi" - now`, `say "hi" - now`},
		"quotes":           {"say “hi” and ‘ho’", `say "hi" and 'ho'`},
		"dashes":           {"a – b — c − d", "a - b - c - d"},
		"spaces":           {"a\u00a0b\u2003c\u3000d", "a b c d"},
		"further ones":     {"‵a´ 〝b〟 c﹣d", "'a' \"b\" c-d"},
		"several for one":  {"wait… ﬁle ﬂag o\ufb03ce", "wait... file flag office"},
		"without a width":  {"a\u200bb\u00ad\ufeffc", "abc"},
		"invalid is kept":  {"caf\xe9 “x”\xff", "caf\xe9 \"x\"\xff"},
		"letters are kept": {"naïve 日本 é", "naïve 日本 é"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Plain([]byte(tt.in)); string(got) != tt.want {
				t.Errorf("Plain(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// Has looks at first bytes only where it can; it must not miss a character of the table.
func TestHasKnowsTheTable(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		if _, want := StandIn(r); Has([]byte(string(r))) != want {
			t.Errorf("Has(%U) = %v", r, !want)
		}
	}
}
