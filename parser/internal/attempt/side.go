package attempt

import (
	"slices"
	"strings"
	"unicode"

	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// mayLabel reports whether a text may be what somebody writes after the signs of a marker: nothing, or few words.
func mayLabel(label string) bool {
	words := strings.IndexFunc(label, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ./_-", r)
	}) < 0
	return words && strings.Count(label, " ") < 3
}

// oldWords are the words of labels for the text that an edit removes, newWords those for the text that takes its place.
var (
	oldWords = [...]string{"search", "original", "find", "before", "existing", "current", "locate", "match", "old", "from"}
	newWords = [...]string{"replace", "updated", "replacement", "after", "proposed", "substitute", "change", "changed", "modified", "insert", "new", "to", "end"}
)

// sidesOf reports which sides a label may be for: by all of it, or by its first word.
func sidesOf(label string) (old, new bool) {
	if label == "" {
		return false, false
	}
	word := sideWord(label)
	if word == "" && strings.IndexByte(label, '/') >= 0 {
		return false, false // a name
	}
	lower := strings.ToLower(label)
	return saysOld(lower) || isNearly(word, oldWords[:]), saysNew(lower) || isNearly(word, newWords[:])
}

// sideWord is the first word of a label, in lower case, if it is in capitals or the only one; "" for a name.
func sideWord(label string) string {
	word, alone := label, true
	if i := strings.IndexAny(label, " :"); i >= 0 {
		word, alone = label[:i], false
	}
	word = strings.Trim(word, "*_`:.,;!/ ")
	if strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) || !alone && unicode.IsLower(r) }) >= 0 {
		return ""
	}
	return strings.ToLower(word)
}

// isNearly reports whether a word is one of some words, with a slip or without.
func isNearly(word string, words []string) bool {
	return word != "" && slices.ContainsFunc(words, func(w string) bool {
		slip := len(w) > 4 && len(word)-len(w) <= 1 && len(w)-len(word) <= 1 && (word[0] == w[0] || word[0] == w[1])
		return w == word || slip && envelope.Nearly(word, w)
	})
}
