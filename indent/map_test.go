package indent_test

import (
	"strings"
	"testing"

	"github.com/srpatch/srpatch/indent"
)

// learn makes a map from "search>file" pairs in which "." is a space and ">>" is not used; "t" is a
// tab.
func learn(pairs ...string) *indent.Map {
	var ps []indent.Pair
	for i, p := range pairs {
		s, f, _ := strings.Cut(p, ">")
		ps = append(ps, indent.Pair{Line: i, Search: blanks(s), File: blanks(f)})
	}
	return indent.Learn(ps, 4)
}

func blanks(s string) []byte { return []byte(strings.NewReplacer(".", " ", "t", "\t").Replace(s)) }

func TestApply(t *testing.T) {
	tests := map[string]struct {
		pairs []string
		in    string
		line  int
		want  string
	}{
		"agreement is never touched":     {[]string{"..>..", "....>...."}, "...", 0, "..."},
		"known indentation is looked up": {[]string{"..>....", "....>........"}, "....", 0, "........"},
		"two to four spaces beyond the known": {[]string{"..>....", "....>........"},
			"......", 0, "............"},
		"one pair only: base plus relative level": {[]string{"..>...."}, "....", 0, "......"},
		"dedented block": {[]string{">....", "....>........"},
			"........", 0, "............"},
		"spaces to tabs by steps":              {[]string{"....>t", "........>tt"}, "............", 0, "ttt"},
		"spaces to tabs through column 0":      {[]string{"........>tt"}, "............", 0, "ttt"},
		"tabs to two spaces":                   {[]string{"t>..", "tt>...."}, "ttt", 0, "......"},
		"alignment spaces after tabs are kept": {[]string{"t>..", "tt>...."}, "tt.", 0, "....."},
		"below the base counts down": {[]string{"........>....",
			"............>........"}, "....", 0, ""},
		"below the base in the file's unit":          {[]string{"....>tt", "......>ttt"}, "..", 0, "t"},
		"nothing but the file's tabs is known":       {[]string{">t"}, "....", 0, "tt"},
		"never below column 0":                       {[]string{"........>.."}, "", 0, ""},
		"two habits in one block: nearest line wins": {[]string{"..>..", "..>......"}, "..", 1, "......"},
		"column 0 counts down from a shifted block":  {[]string{"....>........"}, "", 0, "...."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := learn(tt.pairs...).Apply(blanks(tt.in), tt.line)
			if string(got) != string(blanks(tt.want)) {
				t.Errorf("Apply(%q) = %q, want %q", blanks(tt.in), got, blanks(tt.want))
			}
		})
	}
}
