package filename

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// IsDoubtful reports whether a line that was read as a file name may mean something else: a member
// as in "### os.path", two things as in "### Setup/Teardown", or changes to a file elsewhere. An
// empty SEARCH below such a line creates no file.
func IsDoubtful(line []byte, name string) bool {
	text := bytes.TrimFunc(line, text.Invisible)
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	ext := base[strings.LastIndexByte(base, '.')+1:]
	slash, dot := len(base) < len(name), len(ext) < len(base)
	switch {
	case string(text) == name, IsKnown(base): // nothing suggests another meaning
		return false
	case isLabelled(text): // "Changes to `main`:"
		return !slash && bytes.Contains(bytes.ToLower(text), []byte("changes "))
	case base[0] == '.', dot && !isMember(ext), HasKnownExt(base), IsLanguage(ext): // an extension
		return false
	case slash: // two things, if all words have capitals and no signs of code
		inCode := func(r rune) bool { return unicode.IsDigit(r) || r == '_' || r == '-' }
		return !dot && !strings.ContainsFunc(name, inCode) &&
			!slices.ContainsFunc(strings.FieldsFunc(name, isSeparator), func(word string) bool {
				first, _ := utf8.DecodeRuneInString(word)
				return !unicode.IsUpper(first)
			})
	}
	return strings.TrimRight(string(text), ":") != name // a member, or a word, with decoration
}
