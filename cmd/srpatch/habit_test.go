package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHabitsAreNotOurs holds that each word of the table is there once and is none of ours, and that each flag and verb that it is read as, or
// that an error names, is one of ours.
func TestHabitsAreNotOurs(t *testing.T) {
	var flagNames, ours []string
	for f := range flags(&config{}) {
		flagNames = append(flagNames, "--"+f.name)
		for _, letter := range strings.Split(f.short, "") {
			flagNames = append(flagNames, "-"+letter)
		}
	}
	ours = append(append(ours, flagNames...), verbNames()...)
	seen := map[string]bool{}
	flag := regexp.MustCompile(`(?:^|[ ;,])(--?[a-z][a-z-]*)`)
	verb := regexp.MustCompile(`srpatch ([a-z]+)`)
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
		if strings.Contains(h.here, "git ") { // whose flags are its own
			continue
		}
		for _, m := range flag.FindAllStringSubmatch(h.here, -1) {
			if !slices.Contains(flagNames, m[1]) {
				t.Errorf("%q: there is no %s", h.here, m[1])
			}
		}
		for _, m := range verb.FindAllStringSubmatch(h.here, -1) {
			if !slices.Contains(verbNames(), m[1]) && m[1] != "has" {
				t.Errorf("%q: there is no verb %s", h.here, m[1])
			}
		}
		if h.how == taken && h.here != "" && h.here[0] != '-' && !slices.Contains(verbNames(), strings.Fields(h.here)[0]) {
			t.Errorf("%q: there is no such verb", h.here)
		}
	}
}
