package main

import (
	"slices"
	"strings"
	"testing"
)

// TestHabitsAreNotOurs holds that what other programs call otherwise is no name of ours, and that each thing it is said to be here is there.
func TestHabitsAreNotOurs(t *testing.T) {
	ours := verbNames()
	var flagNames []string
	for f := range flags(&config{}) {
		flagNames = append(flagNames, f.name)
		ours = append(ours, "--"+f.name)
		for _, letter := range strings.Split(f.short, "") {
			ours = append(ours, "-"+letter)
		}
	}
	seen := map[string]bool{}
	for _, h := range habits() {
		for _, word := range h.typed {
			if slices.Contains(ours, word) {
				t.Errorf("%s is a name of ours", word)
			}
			if seen[word] {
				t.Errorf("%s is there twice", word)
			}
			seen[word] = true
		}
		for word := range strings.FieldsSeq(h.meant) {
			if flag, ok := strings.CutPrefix(strings.TrimRight(word, ","), "--"); ok && flag != "index" {
				if name, _, _ := strings.Cut(flag, "="); !slices.Contains(flagNames, name) {
					t.Errorf("%q: there is no --%s", h.meant, name)
				}
			}
		}
		if verb, ok := strings.CutPrefix(h.meant, "srpatch "); ok && len(strings.Fields(verb)) == 1 && !slices.Contains(ours, verb) {
			t.Errorf("%q: there is no such verb", h.meant)
		}
	}
	for other, name := range otherNames() {
		if !slices.Contains(flagNames, name) || slices.Contains(flagNames, other) || seen["--"+other] {
			t.Errorf("--%s cannot be another name of --%s", other, name)
		}
	}
}
