package main

import (
	"cmp"
	"os"
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

// verbMeant is what a first argument that is no file may have been meant for, as the end of an error message.
func (c *command) verbMeant(word string) string {
	near := verbMeantBy(word)
	if near == "" && c.verb.name == "" && !strings.ContainsAny(word, `./\`) {
		return "; nor is there such a verb (see srpatch --help)"
	}
	return near
}

// isForeignVerb reports whether a first argument is a verb of another program, and no file.
func isForeignVerb(word string) bool {
	_, err := os.Lstat(word)
	return err != nil && !strings.HasPrefix(word, "-") && meantBy(word) != ""
}

// verbMeantBy is the verb that a word was meant for: by what it means elsewhere, or else by its letters.
func verbMeantBy(word string) string {
	return cmp.Or(meantBy(word), didYouMean(word, verbNames(), ""))
}

func verbNames() (names []string) {
	for _, v := range verbs() {
		if v.name != "" {
			names = append(names, v.name)
		}
	}
	return names
}
