package strategy_test

import (
	"testing"

	"github.com/srpatch/srpatch/internal/casetable"
	"github.com/srpatch/srpatch/strategy"
)

func TestReference(t *testing.T) {
	ran := 0
	cases, err := casetable.Read("../testdata/reference/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Facts["seed"] == "" || c.Facts["why"] == "" {
			t.Errorf("%s does not say where it comes from and why", c.Name)
		}
		if run := c.Facts["run"]; run != "" && run != "replace" {
			continue
		}
		ran++
		t.Run(c.Name, func(t *testing.T) {
			result, name, err := strategy.Replace([]byte(c.Parts["content"]),
				[]byte(c.Parts["old"]), []byte(c.Parts["new"]),
				c.Set("replace_all"))
			if want := c.Facts["error"]; want != "" {
				if err != strategy.ReplaceError(want) || result != nil || name != "" {
					t.Errorf("got %q by %q, %v; want the error %s", result, name, err, want)
				}
				return
			}
			if err != nil || string(result) != c.Parts["want"] || name != c.Facts["strategy"] {
				t.Errorf("got %q by %q, %v; want %q by %q", result, name, err, c.Parts["want"], c.Facts["strategy"])
			}
		})
	}
	if ran < 80 {
		t.Errorf("%d cases of Replace, too few for a cascade", ran)
	}
}
