package text

import "testing"

// TestFirstLost lists characters that a terminal or a model loses.
func TestFirstLost(t *testing.T) {
	for in, want := range map[string]int{
		"plain\ttext\r\nand 漢字":               -1,
		"a\u200bb":                            1,
		"caf\xe9 au lait":                     3,
		"a lone \r in it":                     7,
		"\x1b[1mbold":                         0,
		"a family \U0001F468\u200d\U0001F469": -1,
	} {
		if got := FirstLost([]byte(in)); got != want {
			t.Errorf("FirstLost(%q) = %d, want %d", in, got, want)
		}
	}
}
