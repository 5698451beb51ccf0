package text

import "testing"

func TestDifferInComment(t *testing.T) {
	for _, tt := range []struct {
		line, code string
		want       bool
	}{
		{"x = 1 // why", "x = 1", true},
		{"  x = 1  # why", "x = 1", true},
		{"x: 1; /* why */", "x: 1;", true},
		{"x = 1", "x = 1", false},
		{"y = 1 // why", "x = 1", false},
		{"// why", "", false},
		{"x = http://a", "x = http:", false},
		{"x = a * b", "x = a", false},
		{"x = a % b", "x = a", false},
		{`say("a # b")`, `say("a`, false},
	} {
		for _, lines := range [][2]string{{tt.line, tt.code}, {tt.code, tt.line}} {
			if got := DifferInComment([]byte(lines[0]), []byte(lines[1])); got != tt.want {
				t.Errorf("DifferInComment(%q, %q) = %v", lines[0], lines[1], got)
			}
		}
	}
}
