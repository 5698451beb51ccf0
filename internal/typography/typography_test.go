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

// What a part of a line is cut off by must be found in the other text, and end where that begins to say something else.
func TestPrefixAndSuffixReadTheSame(t *testing.T) {
	for _, tt := range []struct {
		text, part     string
		prefix, suffix int // -1: none
	}{
		{"wait… then", "wait...", len("wait…"), -1},
		{"wait...", "wait…", 7, 7},
		{"wait…", "wait.", -1, -1},
		{"x “y”", `"y"`, -1, len("“y”")},
		{"abc", "", 0, 0},
		{"", "a", -1, -1},
		{"a\u200bb", "ab", len("a\u200bb"), len("a\u200bb")},
	} {
		for _, got := range []struct {
			name string
			find func(text, part []byte) (int, bool)
			want int
		}{{"prefix", PrefixLen, tt.prefix}, {"suffix", SuffixLen, tt.suffix}} {
			n, ok := got.find([]byte(tt.text), []byte(tt.part))
			if ok != (got.want >= 0) || ok && n != got.want {
				t.Errorf("%q has the %s %q in %d bytes (%v), want %d", tt.text, got.name, tt.part, n, ok, got.want)
			}
		}
	}
}
