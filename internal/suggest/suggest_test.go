package suggest

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	verbs := []string{"apply", "check", "completion", "diff", "filter", "log", "mcp", "parse",
		"prompt", "recover", "redo", "undo"}
	paths := []string{"src/app.py", "src/apps.py", "docs/app.md", "src/main.go", "src/naïve.go"}
	for name, c := range map[string]struct {
		word  string
		names []string
		n     int
		want  []string
	}{
		"one letter off":         {"chek", verbs, 3, []string{"check"}},
		"a swap is one edit":     {"lgo", verbs, 3, []string{"log"}},
		"two at one distance":    {"uedo", verbs, 3, []string{"redo", "undo"}},
		"no more than asked":     {"uedo", verbs, 1, []string{"redo"}},
		"case":                   {"DIFF", verbs, 3, []string{"diff"}},
		"nothing near":           {"zzzz", verbs, 3, nil},
		"paths, nearest first":   {"src/ap.py", paths, 3, []string{"src/app.py", "src/apps.py"}},
		"runes, not bytes":       {"src/naive.go", paths, 1, []string{"src/naïve.go"}},
		"given twice, said once": {"chek", []string{"check", "check"}, 3, []string{"check"}},
		"none to choose from":    {"chek", nil, 3, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Nearest(c.word, slices.Values(c.names), c.n); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
