package main

import (
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/suggest"
)

// didYouMean names the words of choices that are nearest to a mistyped one, as the end of an error message; "" if none
// is near.
func didYouMean(word string, choices []string, prefix string) string {
	near := suggest.Nearest(word, slices.Values(choices), 2)
	for i, name := range near {
		near[i] = prefix + name
	}
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

func verbNames() (names []string) {
	for _, v := range verbs() {
		if v.name != "" {
			names = append(names, v.name)
		}
	}
	return names
}
