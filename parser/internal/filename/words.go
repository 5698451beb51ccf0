package filename

import (
	_ "embed"
	"path"
	"strings"
	"sync"
	"unicode"
)

// wordList is words.txt: sections in brackets, and in each words with commas between them.
//
//go:embed words.txt
var wordList string

// words are the sections of words.txt.
type words struct {
	languages, known, extensions, members map[string]bool
	labels, likelyLabels, beforeLabel     map[string]bool
	beforePath                            []string
	sameLanguage                          map[string]string
}

// tables reads words.txt once, when the first word is asked for.
var tables = sync.OnceValue(func() *words {
	w := &words{sameLanguage: map[string]string{}}
	sections := map[string][]string{}
	section := ""
	for line := range strings.Lines(wordList) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		case section == "same language":
			language, list, _ := strings.Cut(line, ": ")
			for _, word := range entries(list) {
				w.sameLanguage[word] = language
			}
		default:
			sections[section] = append(sections[section], entries(line)...)
		}
	}
	w.languages, w.known = set(sections["language"]), set(sections["known"])
	w.extensions, w.members = set(sections["extension"]), set(sections["member"])
	w.labels, w.likelyLabels = set(sections["label"]), set(sections["label of a likely name"])
	w.beforeLabel = set(sections["words before a label"])
	for _, phrase := range sections["words before a path"] {
		w.beforePath = append(w.beforePath, phrase+" ")
	}
	return w
})

func entries(line string) []string { return strings.Split(strings.TrimSuffix(line, ","), ", ") }

func set(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, word := range words {
		m[word] = true
	}
	return m
}

// IsLanguage reports whether a word is what fences are labelled with: such a word never names a file.
func IsLanguage(word string) bool { return tables().languages[strings.ToLower(word)] }

// IsKnown reports whether a base name is a file's although it has no extension.
func IsKnown(base string) bool {
	return tables().known[base] || strings.HasPrefix(base, "Dockerfile.") || strings.HasPrefix(base, "Makefile.")
}

// HasKnownExt reports whether a name ends in an extension that is more likely a file's than a member's, as in "os.path".
func HasKnownExt(name string) bool {
	return tables().extensions[strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".")]
}

// isMember reports whether the part after a name's dot is a usual name of a member, a package or a domain rather than an
// extension.
func isMember(ext string) bool {
	return tables().members[ext] || strings.Contains(ext, "_") || strings.ContainsFunc(ext, unicode.IsUpper) && strings.ContainsFunc(ext, unicode.IsLower)
}

// LanguageOf is the language of a fence's first word or a file's extension, of those that nobody confuses; "" for any
// other.
func LanguageOf(word string) string { return tables().sameLanguage[strings.ToLower(word)] }
