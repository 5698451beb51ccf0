package attempt

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// sideWord is a row of the table of labels.
type sideWord struct {
	label string
	old   bool // it is for the text that an edit removes, else for the one that takes its place
	// begins says that a label in capitals may go on after it, and have a slip in it.
	begins bool
}

// sideWords are the labels of the two texts of an edit, in lower case. Git and its users write some of these, too.
func sideWords() []sideWord {
	return []sideWord{
		{"search", true, true}, {"find", true, true}, {"locate", true, true}, {"match", true, true}, {"old", true, true},
		{"original", true, true}, {"before", true, true}, {"current", true, true}, {"existing", true, true}, {"from", true, true},
		{"old code", true, false}, {"old text", true, false}, {"old version", true, false}, {"old content", true, false},
		{"original code", true, false}, {"current code", true, false}, {"existing code", true, false}, {"find this", true, false},
		{"search for", true, false}, {"replace this", true, false}, {"remove", true, false},
		{"suche", true, false}, {"suchen", true, false}, {"buscar", true, false}, {"rechercher", true, false}, {"chercher", true, false},
		{"cerca", true, false}, {"zoeken", true, false}, {"procurar", true, false}, {"поиск", true, false},

		{"replace", false, true}, {"replacement", false, true}, {"new", false, true}, {"updated", false, true}, {"after", false, true},
		{"proposed", false, true}, {"modified", false, true}, {"changed", false, true}, {"change", false, true}, {"insert", false, true},
		{"substitute", false, true}, {"to", false, true}, {"end", false, true},
		{"new code", false, false}, {"new text", false, false}, {"new version", false, false}, {"new content", false, false},
		{"updated code", false, false}, {"modified code", false, false}, {"proposed code", false, false}, {"suggested", false, false},
		{"suggestion", false, false}, {"fixed", false, false}, {"replace with", false, false}, {"with this", false, false}, {"with", false, false},
		{"ersetze", false, false}, {"ersetzen", false, false}, {"reemplazar", false, false}, {"remplacer", false, false},
		{"sostituisci", false, false}, {"vervang", false, false}, {"vervangen", false, false}, {"substituir", false, false}, {"замена", false, false},
	}
}

var sideTable = sync.OnceValue(sideWords)

// sidesNamed reports which sides a label names by all of it. One in a script other than Latin may be for either.
func sidesNamed(label string) (old, new bool) {
	label = strings.ToLower(label)
	for _, w := range sideTable() {
		if w.label == label {
			return w.old, !w.old
		}
	}
	other := isOtherScript(label)
	return other, other
}

func saysOld(label string) bool { old, _ := sidesNamed(label); return old }

func saysNew(label string) bool { _, new := sidesNamed(label); return new }

// mayLabel reports whether a text may be what somebody writes after the signs of a marker: nothing, or few words.
func mayLabel(label string) bool {
	words := strings.IndexFunc(label, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ./_-", r)
	}) < 0
	return words && strings.Count(label, " ") < 3
}

// sidesOf reports which sides a label may be for: by all of it, or by its first word.
func sidesOf(label string) (old, new bool) {
	if label == "" {
		return false, false
	}
	word := firstWord(label)
	if word == "" && strings.IndexByte(label, '/') >= 0 {
		return false, false // a name
	}
	old, new = sidesNamed(label)
	table := sideTable()
	for i := range table {
		if w := &table[i]; word != "" && w.begins && nearlySays(word, w.label) {
			old, new = old || w.old, new || !w.old
		}
	}
	return old, new
}

// firstWord is the first word of a label, in lower case, if it is in capitals or the only one; "" for a name.
func firstWord(label string) string {
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

// nearlySays reports whether a word is another one, with a slip or without.
func nearlySays(word, w string) bool {
	slip := len(w) > 4 && len(word)-len(w) <= 1 && len(w)-len(word) <= 1 && (word[0] == w[0] || word[0] == w[1])
	return w == word || slip && envelope.Nearly(word, w)
}

// isOtherScript reports whether a label is one or two words in a script other than Latin, as names of branches are not.
func isOtherScript(label string) bool {
	letters := 0
	for _, r := range label {
		switch {
		case r < utf8.RuneSelf && r != ' ':
			return false
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters > 1 && strings.Count(label, " ") < 2
}
