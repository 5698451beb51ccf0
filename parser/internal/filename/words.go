package filename

import (
	_ "embed"
	"iter"
	"path"
	"strings"
	"sync"
	"unicode"
)

// wordList is the text of words.txt: section names in brackets, each followed by words separated by
// commas.
//
//go:embed words.txt
var wordList string

// The sections of words.txt. Each is read when it is first needed, because a short reply needs only
// a few of them.
var (
	languages    = set("language")
	known        = set("known")
	extensions   = set("extension")
	members      = set("member")
	labels       = set("label")
	likelyLabels = set("label of a likely name")
	beforeLabel  = set("words before a label")

	beforePath = sync.OnceValue(func() (phrases []string) {
		for phrase := range entries(section("words before a path")) {
			phrases = append(phrases, phrase+" ")
		}
		return phrases
	})

	sameLanguage = sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for line := range strings.Lines(section("same language")) {
			language, list, _ := strings.Cut(line, ": ")
			for word := range entries(list) {
				m[word] = language
			}
		}
		return m
	})
)

// set returns a function that returns the section called name as a set of words.
func set(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		text := section(name)
		m := make(map[string]bool, strings.Count(text, ","))
		for word := range entries(text) {
			m[word] = true
		}
		return m
	})
}

// section returns the text of the section called name.
func section(name string) string {
	_, text, _ := strings.Cut(wordList, "\n["+name+"]\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return text
}

// entries yields the words of a text, in order.
func entries(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			for word := range strings.SplitSeq(strings.TrimRight(line, ",\n"), ", ") {
				if !yield(word) {
					return
				}
			}
		}
	}
}

// IsLanguage reports whether a word is a language used to label fences. Such a word never names a
// file.
func IsLanguage(word string) bool { return languages()[strings.ToLower(word)] }

// IsKnown reports whether a base name is that of a known file without an extension, such as
// "Makefile".
func IsKnown(base string) bool {
	return known()[base] || strings.HasPrefix(base, "Dockerfile.") || strings.HasPrefix(base, "Makefile.")
}

// HasKnownExt reports whether a name has an extension that is more likely a file extension than a
// member, unlike "os.path".
func HasKnownExt(name string) bool {
	return extensions()[strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".")]
}

// isMember reports whether the text after the dot in a name is usually a member, a package or a
// domain rather than an extension.
func isMember(ext string) bool {
	return members()[ext] || strings.Contains(ext, "_") ||
		strings.ContainsFunc(ext, unicode.IsUpper) && strings.ContainsFunc(ext, unicode.IsLower)
}

// LanguageOf returns the language for the first word after a fence or a file extension, or "" if
// the language is unknown or easily confused with another.
func LanguageOf(word string) string { return sameLanguage()[strings.ToLower(word)] }
