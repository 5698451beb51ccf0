package filename

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// judge decides whether a text without decoration is a file name. It returns the name, without a
// full stop or a position (":12") after it, and how likely it is one; none if it is certainly not.
// If set is true, the text is set off as a name, by backticks or a label, and may contain blanks.
func judge(t string, set bool) (string, Strength) {
	t = strings.TrimRight(t, ".,;")
	plain := isPlainPath(t)
	if !plain {
		t = cutPosition(t)
	}
	if IsKnown(t) || inVariable(t) { // also "$HOME/a.py", so that the block is refused
		return t, Plain
	}
	if t == "" || len(t) > 255 || IsLanguage(t) || !plain && cannotBeName(t) {
		return "", none
	}
	t = unescape(t)
	base := t[strings.LastIndexAny(t, `/\`)+1:]
	if base == "" || strings.Trim(base, ".-_") == "" || strings.HasSuffix(t, "()") {
		return "", none
	}
	slash := len(base) < len(t)
	stem, ext, isExt := extension(base)
	switch {
	case strings.Contains(t, " "):
		return judgeWords(t, isExt, slash, set)
	case strings.ContainsAny(t, "()") && !slash, strings.IndexByte(t, ',') >= 0 && !isExt:
		return "", none // a call or a list
	}
	isExt = isExt && (stem != "" || slash || len(ext) > 1) // not ".a"
	return judgeWord(t, base, isExt, slash, set)
}

// extension splits the last part of a path at its last dot: "a.py", ".gitignore". ok reports
// whether the text after the dot may be an extension, or the name of a hidden file.
func extension(base string) (stem, ext string, ok bool) {
	i := strings.LastIndexByte(base, '.')
	if i < 0 {
		return "", "", false
	}
	stem, ext = base[:i], base[i+1:]
	return stem, ext, (len(ext) <= 12 || stem == "" && len(ext) <= 24) && looksLikeExt(ext)
}

// unescape removes the backslashes that Markdown puts before underscores. If there are other
// backslashes, all backslashes are separators and are kept.
func unescape(t string) string {
	if bare := strings.ReplaceAll(t, `\_`, "_"); !strings.Contains(bare, `\`) {
		return bare
	}
	return t
}

// judgeWords is like judge, for a text with blanks. isExt and slash say that the text has an
// extension and a directory. The more blanks, the more likely the text is a sentence.
func judgeWords(t string, isExt, slash, set bool) (string, Strength) {
	first, _, _ := strings.Cut(t, " ")
	blanks := strings.Count(t, " ")
	switch {
	case abbreviation(strings.TrimSuffix(first, ".")):
	case isExt && set && blanks <= 6:
		return t, Plain
	case isExt && blanks <= 3, slash && set && blanks <= 2:
		return t, Weak
	}
	return "", none
}

// cannotBeName reports whether a text contains something that no file name contains.
func cannotBeName(t string) bool {
	return !utf8.ValidString(t) || strings.Contains(t, "://") ||
		strings.ContainsAny(t, "<>|\"?*`\t{}=;!&^%«»‹›„“”「」『』《》") || strings.IndexFunc(t, unicode.IsControl) >= 0
}

// looksLikeExt reports whether the text after a dot may be a file extension: letters and digits,
// but not only digits.
func looksLikeExt(ext string) bool {
	return strings.Trim(strings.ToLower(ext), "abcdefghijklmnopqrstuvwxyz0123456789_+-") == "" &&
		strings.Trim(ext, "0123456789") != ""
}

// judgeWord is like judge, for a text without blanks. base is the last part of the path. isExt
// says that it has an extension, and slash that it has a directory.
func judgeWord(t, base string, isExt, slash, set bool) (string, Strength) {
	switch {
	case inWords(t):
		return t, Weak
	case IsKnown(base):
		return t, Plain
	case isExt:
		if abbreviation(t) {
			return "", none
		}
		return t, Plain
	case slash: // without an extension: "/name", "and/or", "src/main"
		if segments := strings.FieldsFunc(t, isSeparator); len(segments) == 1 || isWordPair(t) {
			return t, Weak
		}
		return t, Plain
	case set || strings.ContainsAny(base, "_-."):
		if strings.Trim(base, "0123456789.-_") == "" {
			return "", none
		}
		return t, Weak
	}
	return "", none
}

// inWords reports whether a path in Latin letters is directly next to words in a script without
// blanks, as in "在src/a.py中".
func inWords(t string) bool {
	start := strings.IndexFunc(t, partOfASCIIPath)
	if start < 0 || strings.IndexFunc(t, isUnspaced) < 0 {
		return false
	}
	word := t[start:]
	if end := strings.IndexFunc(word, isUnspaced); end >= 0 {
		return end > 0 && HasKnownExt(strings.TrimRight(word[:end], ":,."))
	}
	return start > 0 && strings.ContainsAny(word, `/\`) && !isSeparator(rune(word[0])) && HasKnownExt(word)
}

// isUnspaced reports whether a character belongs to a script without blanks between words, or to
// its punctuation.
func isUnspaced(r rune) bool {
	return r > unicode.MaxASCII && (unicode.In(r, unspaced...) ||
		0x3000 <= r && r <= 0x303f || 0xff00 <= r && r <= 0xffef)
}

// unspaced are scripts without blanks between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai,
}

// inVariable reports whether a text is a path below a shell variable, such as "$HOME/a.py" or
// "%TEMP%\a.py". No tree contains such a path, but it counts as a name so that the block is
// refused.
func inVariable(t string) bool {
	if t == "" || t[0] != '$' && t[0] != '%' {
		return false
	}
	i := strings.IndexAny(t, `/\`) // the variable ends here
	if i > 3 && strings.HasPrefix(t, "${") && t[i-1] == '}' {
		return i+1 < len(t) && !strings.ContainsAny(t[2:i-1]+t[i:], " \t`\"'()<>{}")
	}
	return i > 1 && i+1 < len(t) && (t[1] < '0' || t[1] > '9') && !strings.ContainsAny(t, " \t`\"'()<>") &&
		strings.Trim(strings.TrimPrefix(t[:i], "$env:"), "${}%ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

func isSeparator(r rune) bool { return r == '/' || r == '\\' }

// isWordPair reports whether a text with a slash may be a pair of words: "and/or", "I/O".
func isWordPair(t string) bool {
	a, b, _ := strings.Cut(t, "/")
	return !strings.Contains(b, "/") && !strings.ContainsAny(t, "._-\\") && len(a) <= 8 && len(b) <= 8
}

// abbreviation reports whether a text with a dot in it is an abbreviation rather than a name.
func abbreviation(t string) bool {
	switch strings.ToLower(t) {
	case "e.g", "i.e", "etc", "a.k.a", "vs", "w.r.t", "p.s", "n.b":
		return true
	}
	return false
}

// cutPosition removes a position after a name: "a.go:12", "a.go:12:3", "a.go:12-20", "a.go#L12",
// "a.go(12,3)".
func cutPosition(t string) string {
	for range 2 {
		if i := strings.LastIndexAny(t, ":#"); i > 1 && i+1 < len(t) && strings.Trim(t[i+1:], "0123456789-L,") == "" {
			t = t[:i]
		}
	}
	if i := strings.LastIndexByte(t, '('); i > 1 && strings.HasSuffix(t, ")") && i+2 < len(t) &&
		strings.Trim(t[i+1:len(t)-1], "0123456789-,") == "" && HasKnownExt(t[:i]) {
		t = t[:i]
	}
	return t
}

// Likely reports whether a text is one word and more likely a file name than anything else.
func Likely(t string) bool {
	name, how := OfWord(t)
	return how >= Plain && !strings.Contains(t, " ") && tellsFile(name)
}

// tellsFile reports whether a name within prose is more likely a file name than an ordinary word or
// a member such as "os.path": "src/x", "a.py", "Makefile", ".gitignore".
func tellsFile(name string) bool {
	if strings.ContainsAny(name, `/\`) || HasKnownExt(name) {
		return true
	}
	hidden := len(name) > 3 && name[0] == '.' && strings.IndexByte(name[1:], '.') < 0
	return hidden || IsKnown(name) && strings.Contains(name, "file") // other known names are words
}

// OfWord reads a text as a file name. Nothing around the text shows that it is one.
func OfWord(t string) (string, Strength) { return judge(t, false /* set */) }
