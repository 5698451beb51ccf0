package verdict

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/text"
)

// difference classifies how a SEARCH line differs from the file line that it's paired with.
type difference uint8

const (
	// unasked: the lines haven't been compared.
	unasked difference = iota
	// slip: a typo. Both lines have the same meaning.
	slip
	// drift: words or punctuation were added or removed. The line was edited, or one side is
	// incomplete.
	drift
	// substitution: a different name or number, as in twins.
	substitution
)

// Values of kept for [vocabulary.compare].
const (
	asKept    = true  // the block keeps the line, so the file's version stays
	asChanged = false // the block changes the line
)

// compare classifies how search, a line of SEARCH, differs from file, a line of the file. kept is
// set if the block keeps the line: then the file's version stays, and more counts as a slip,
// especially in comments. A SEARCH word that occurs in the file isn't a misspelling of another
// word. Lines with equal tokens are a slip.
func (v *vocabulary) compare(search, file []byte, kept bool) difference {
	v.search, v.file = text.AppendTokens(v.search[:0], search), text.AppendTokens(v.file[:0], file)
	s, f := v.search, v.file
	for len(s) > 0 && len(f) > 0 && bytes.Equal(s[0], f[0]) {
		s, f = s[1:], f[1:]
	}
	var next []byte // the first of the tokens that both lines end with
	for len(s) > 0 && len(f) > 0 && bytes.Equal(s[len(s)-1], f[len(f)-1]) {
		next = s[len(s)-1]
		s, f = s[:len(s)-1], f[:len(f)-1]
	}
	switch {
	// In a file of prose, what looks like a comment is a heading or the like.
	case kept && !v.readers && text.IsComment(search) && text.IsComment(file):
		return compareProse(s, f)
	case kept && text.DifferInComment(search, file):
		return slip
	}
	if len(s) == len(f) {
		return v.compareEven(s, f, kept)
	}
	kind := compareUneven(s, f, next, kept)
	if kind == drift && text.InString(search, text.CommonPrefix(search, file)) {
		return substitution // another text means something else
	}
	return kind
}

// compareEven classifies differing tokens if both sides have the same number of them. If the block
// keeps the line, the file's text stays, so several tokens and quotes may differ. Otherwise only
// one token may, and quotes only in pairs.
func (v *vocabulary) compareEven(s, f [][]byte, kept bool) difference {
	worst, wrong := slip, -1 // wrong is the last differing token
	for i := range s {
		if bytes.Equal(s[i], f[i]) || text.IsQuote(s[i][0]) && text.IsQuote(f[i][0]) {
			continue
		}
		if wrong >= 0 && !kept && !(bytes.Equal(s[i], s[wrong]) && bytes.Equal(f[i], f[wrong])) {
			return substitution // a typo is a single wrong key, though it may be repeated
		}
		wrong = i
		worst = max(worst, v.compareTokens(s[i], f[i], kept))
	}
	// chars: in this language, 'a' is a character, not a string, so the quotes have a meaning.
	if !kept && (!pairedQuotes(s, f) || v.chars && quotesDiffer(s, f)) {
		return max(worst, drift)
	}
	return worst
}

// quotesDiffer reports whether s and f, which have equally many tokens, have different quotes at
// the same position.
func quotesDiffer(s, f [][]byte) bool {
	for i := range s {
		if text.IsQuote(s[i][0]) && text.IsQuote(f[i][0]) && s[i][0] != f[i][0] {
			return true
		}
	}
	return false
}

// pairedQuotes reports whether the differing quotes of s and f are pairs around strings that mean
// the same with either kind of quote: 'a' and "a", but not '$a' and "$a". Back quotes never do.
func pairedQuotes(s, f [][]byte) bool {
	var open []int // the quotes that aren't closed yet, as indices
	for i := range s {
		if !text.IsQuote(s[i][0]) || !text.IsQuote(f[i][0]) || s[i][0] == f[i][0] {
			continue
		}
		if n := len(open) - 1; n < 0 || s[open[n]][0] != s[i][0] {
			open = append(open, i)
		} else if f[open[n]][0] != f[i][0] || expands(s[open[n]+1:i]) || s[i][0] == '`' || f[i][0] == '`' {
			return false
		} else {
			open = open[:n]
		}
	}
	return len(open) == 0
}

// expands reports whether the tokens of a string, such as $x, \n or #{x}, may mean something else
// with the other kind of quote.
func expands(tokens [][]byte) bool {
	for k, t := range tokens {
		if bytes.ContainsAny(t, "$\\`") || string(t) == "#" && k+1 < len(tokens) && string(tokens[k+1]) == "{" {
			return true
		}
	}
	return false
}

// compareProse classifies the differing tokens s and f of two comments. Adding, removing or
// replacing one or two short words doesn't change the meaning, so that's a slip, and so is a typo
// or a single word that only the file has. Numbers, negations and long words do change it.
func compareProse(s, f [][]byte) difference {
	if len(s) == 1 && len(f) == 1 && text.BeginsWithWord(s[0]) && text.BeginsWithWord(f[0]) && misspelt(s[0], f[0]) {
		return slip
	}
	words, long := 0, 0
	for _, side := range [][][]byte{s, f} {
		n := 0
		for _, t := range side {
			if len(digits(t)) > 0 || bytes.EqualFold(t, []byte("not")) || bytes.EqualFold(t, []byte("no")) {
				return drift
			}
			if text.BeginsWithWord(t) {
				n++
				long = max(long, utf8.RuneCount(t))
			}
		}
		words = max(words, n)
	}
	if words <= 2 && (long <= 5 || len(s) == 0 && len(f) == 1) {
		return slip
	}
	return drift
}

// compareUneven classifies differing tokens if the sides have different numbers of tokens. Equal
// tokens at both ends are already removed, and next is the token that follows on both sides.
// Punctuation that only closes or separates is a slip, and so is a keyword dropped from a kept
// line. An operator, a sign before a name, or a negation isn't a slip.
func compareUneven(s, f [][]byte, next []byte, kept bool) difference {
	marks, brackets := 0, 0
	quoted := len(next) > 0 && text.IsQuote(next[0])
	for _, t := range slices.Concat(s, f) {
		switch {
		case !kept && (text.IsQuote(t[0]) || text.BeginsWithWord(t)):
			return drift // an empty string or a string prefix has a meaning
		case text.BeginsWithWord(t) && !(quoted && text.IsStringPrefix(t)):
			if kept && len(s) == 0 && len(f) == 1 && text.IsKeyword(string(t)) && string(t) != "not" {
				return slip
			}
			return drift
		case !text.BeginsWithWord(t) && !punctuation(t[0]):
			return drift
		}
		if bytes.IndexByte([]byte("()[]{}"), t[0]) >= 0 {
			brackets++
		}
		marks++
	}
	// A single bracket may be a typo. Two make a call or an index.
	if marks <= 2 && (kept || brackets < 2) {
		return slip
	}
	return drift
}

// punctuation reports whether a mark only separates or closes something.
func punctuation(mark byte) bool {
	switch mark {
	case ',', ';', '(', ')', '[', ']', '{', '}', '"', '\'':
		return true
	}
	return false
}

// compareTokens classifies how the token s of SEARCH differs from the token f of the file. If the
// block keeps the line, case doesn't matter.
func (v *vocabulary) compareTokens(s, f []byte, kept bool) difference {
	switch {
	case kept && bytes.EqualFold(s, f):
		return slip
	case text.BeginsWithWord(s) != text.BeginsWithWord(f):
		return drift
	case !text.BeginsWithWord(s):
		// A different operator changes the meaning and isn't a slip.
		if punctuation(s[0]) && punctuation(f[0]) {
			return drift
		}
		return substitution
	case misspelt(s, f) && !v.has(s):
		return slip
	}
	return substitution
}

// misspelt reports whether s is f with one typo in one part of the name. A different number, case,
// first letter or ending makes another name. So does any change in a part that is too short to be
// certain (get and set, undo and redo). Across parts, a missing underscore always counts as a typo,
// and another one only in names of at least 6 bytes.
func misspelt(s, f []byte) bool {
	ps, pf := parts(s), parts(f)
	if bytes.EqualFold(s, f) || unicode.IsDigit(rune(s[0])) {
		return false
	}
	if bytes.Equal(bytes.Join(ps, nil), bytes.Join(pf, nil)) {
		return true // an underscore is missing
	}
	if len(s) >= 6 && transposed(s, f) && bytes.Equal(digits(s), digits(f)) {
		return true
	}
	if len(ps) != len(pf) { // the typo is at the beginning of a part
		return min(len(s), len(f)) >= 6 && misspeltPart(s, f)
	}
	differing := -1
	for i := range ps {
		if !bytes.Equal(ps[i], pf[i]) {
			if differing >= 0 {
				return false
			}
			differing = i
		}
	}
	return differing >= 0 && misspeltPart(ps[differing], pf[differing])
}

// misspeltPart reports whether s, a part of a name, is f with one typo: two swapped letters, or one
// that is missing, extra or different. The digits must be equal and, unless letters are swapped,
// the first letter. If one of the parts has three letters, the other may only have one more inside.
func misspeltPart(s, f []byte) bool {
	if !bytes.Equal(digits(s), digits(f)) {
		return false
	}
	if transposed(s, f) {
		return true
	}
	short, long := min(len(s), len(f)), max(len(s), len(f))
	if short == 0 || s[0] != f[0] || long < 4 {
		return false
	}
	if short < 4 && (short == long || s[len(s)-1] != f[len(f)-1]) {
		return false // in short words, only an inner letter may be missing or extra
	}
	if inflects(s, f) || inflects(f, s) {
		return false
	}
	_, ok := editdist.Within(s, f, 1)
	return ok
}

// inflects reports whether long is short with an ending that makes another word: a plural, a past
// tense, or an agent noun. A doubled last letter, or one missing at the end of a longer word,
// doesn't count.
func inflects(long, short []byte) bool {
	if !bytes.HasPrefix(long, short) || len(long) == len(short) {
		return false
	}
	switch last := long[len(long)-1]; last {
	case short[len(short)-1]:
		return false
	case 's', 'd', 'r', 'e':
		return true
	}
	return len(short) < 6
}

// parts splits a name at underscores and before capitals: parseURL_toHost has the parts parse, URL,
// to and Host.
func parts(name []byte) [][]byte {
	var out [][]byte
	from := 0
	cut := func(to int) {
		if from < to {
			out = append(out, name[from:to])
		}
		from = to
	}
	upper := func(i int) bool { return i < len(name) && name[i] >= 'A' && name[i] <= 'Z' }
	for i := range name {
		switch {
		case name[i] == '_':
			cut(i)
			from = i + 1
		case upper(i) && i > 0 && (!upper(i-1) || i+1 < len(name) && !upper(i+1) && name[i+1] != '_'):
			cut(i)
		}
	}
	cut(len(name))
	return out
}

// transposed reports whether s, of at least three bytes, is f with two adjacent bytes swapped.
func transposed(s, f []byte) bool {
	if len(s) != len(f) || len(s) < 3 {
		return false
	}
	i := 0
	for i < len(s) && s[i] == f[i] {
		i++
	}
	return i+1 < len(s) && s[i] == f[i+1] && s[i+1] == f[i] && bytes.Equal(s[i+2:], f[i+2:])
}

// digits returns the digits of word: "12" for x1y2.
func digits(word []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, word)
}

// shownBy returns what the added lines show about the first word in which search and file differ, if
// they use only one of the two: substitution if that is SEARCH's word, or slip if it's the file's
// and the two are similar. Otherwise it returns unasked.
func shownBy(added [][]byte, search, file []byte) difference {
	s, f := text.Tokens(search), text.Tokens(file)
	uses := func(word []byte) bool {
		return slices.ContainsFunc(added, func(line []byte) bool { return text.HasToken(line, word) })
	}
	for i := range min(len(s), len(f)) {
		if bytes.Equal(s[i], f[i]) {
			continue
		}
		switch {
		case !text.BeginsWithWord(s[i]) || !text.BeginsWithWord(f[i]):
			return unasked
		case uses(s[i]) && !uses(f[i]):
			return substitution
		case uses(f[i]) && !uses(s[i]):
			_, near := editdist.Within(s[i], f[i], 2)
			// A longer form of the file's word, such as users for user, is another word.
			if near && bytes.Equal(digits(s[i]), digits(f[i])) && !bytes.HasPrefix(s[i], f[i]) {
				return slip
			}
		}
		return unasked
	}
	return unasked
}
