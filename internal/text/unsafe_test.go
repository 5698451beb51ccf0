package text

import "testing"

// Which characters a terminal or a model loses.
func TestFirstLost(t *testing.T) {
	for in, want := range map[string]struct {
		at      int
		without string
	}{
		"plain\ttext\r\nand 漢字":               {-1, "plain\ttext\r\nand 漢字"},
		"a\u200bb":                            {1, "ab"},
		"caf\xe9 au lait":                     {3, "caf au lait"},
		"a lone \r in it":                     {7, "a lone  in it"},
		"\x1b[1mbold":                         {0, "[1mbold"},
		"a family \U0001F468\u200d\U0001F469": {-1, "a family \U0001F468\u200d\U0001F469"},
	} {
		if got := FirstLost([]byte(in)); got != want.at {
			t.Errorf("FirstLost(%q) = %d, want %d", in, got, want.at)
		}
		if got := WithoutLost([]byte(in)); string(got) != want.without {
			t.Errorf("WithoutLost(%q) = %q, want %q", in, got, want.without)
		}
	}
}
