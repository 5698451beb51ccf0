package text

import "testing"

func TestAddsComment(t *testing.T) {
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
		if got := AddsComment([]byte(tt.line), []byte(tt.code)); got != tt.want {
			t.Errorf("AddsComment(%q, %q) = %v", tt.line, tt.code, got)
		}
	}
}
