package unread

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/typography"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// oldWords and newWords are labels for the two texts of an edit. They may be misspelt, and other
// words may follow if the label is in capitals. oldMore and newMore have to match exactly.
const (
	oldWords = "|search|find|locate|match|old|original|before|current|existing|from|"
	oldMore  = "|old code|old text|old version|old content|original code|current code|" +
		"existing code|find this|search for|replace this|remove|search block|"
	newWords = "|replace|replacement|new|updated|after|proposed|modified|changed|change|insert|" +
		"substitute|to|end|"
	newMore = "|new code|new text|new version|new content|updated code|modified code|" +
		"proposed code|suggested|suggestion|fixed|replace with|with this|with|replace block|"
)

// sidesNamed reports which sides a label, taken as a whole, may name. A label in a non-Latin script
// may name either side.
func sidesNamed(label string) (old, new bool) {
	word := "|" + strings.ToLower(label) + "|"
	switch {
	case strings.Contains(label, "|"):
		return false, false
	case isOtherScript(label):
		return true, true
	}
	old = strings.Contains(oldWords, word) || strings.Contains(oldMore, word)
	new = strings.Contains(newWords, word) || strings.Contains(newMore, word)
	return old, new
}

// sidesOf reports which sides of an edit, the old or the new text, a label may name, judging by the
// whole label or by its first word. The words may be misspelt: "SERCH".
func sidesOf(label string) (old, new bool) {
	if label == "" {
		return false, false
	}
	word := firstWord(label)
	if word == "" && strings.IndexByte(label, '/') >= 0 {
		return false, false // a name
	}
	old, new = sidesNamed(label)
	return old || nearly(word, oldWords), new || nearly(word, newWords)
}

// nearly reports whether word is one of words, which are separated by "|". A word of five letters
// or more may be misspelt.
func nearly(word, words string) bool {
	if word == "" {
		return false
	}
	for w := range strings.SplitSeq(strings.Trim(words, "|"), "|") {
		n := len(word) - len(w)
		mayBe := len(w) > 4 && -1 <= n && n <= 1 && (word[0] == w[0] || word[0] == w[1]) // a quick check
		if w == word || mayBe && envelope.Nearly(word, w) {
			return true
		}
	}
	return false
}

// firstWord returns the first word of a label, in lower case, if that word is in capitals or the
// only word. Otherwise, or if the word is a name, it returns "".
func firstWord(label string) string {
	word, alone := label, true
	if i := strings.IndexAny(label, " :"); i >= 0 {
		word, alone = label[:i], false
	}
	word = strings.Trim(word, "*_`:.,;!/ ")
	other := func(r rune) bool { return !unicode.IsLetter(r) || !alone && unicode.IsLower(r) }
	if strings.ContainsFunc(word, other) {
		return ""
	}
	return strings.ToLower(word)
}

// isOtherScript reports whether a label is one or two words in a non-Latin script. Branch names
// rarely are.
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

// maxLabel is the maximum length of a label, in bytes.
const maxLabel = 48

// labelTrace returns the traces in a line that consists of a label for a text: "**Before:**",
// "[SEARCH]", "REPLACE WITH:", "Before: `x`". The line must not be empty. Without a sign of a
// label, the words count only in capitals.
func labelTrace(line []byte) traces {
	if ends(line, ")") {
		if i := bytes.LastIndex(line, []byte(" (")); i > 0 {
			line = line[:i]
		}
	}
	if has(line, "<<<") || has(line, ">>>") {
		return 0 // a marker, which the parser knows
	}
	label, inline := cutLabel(line)
	if len(label) > maxLabel && ends(label, "replace this:") { // the end of a sentence
		return oldTrace
	}
	if len(label) == 0 || len(label) > maxLabel {
		return 0
	}
	last := label[len(label)-1]
	marked := strings.IndexByte(":*]>=-#", last) >= 0 || line[0] == '#' || line[0] == '/'
	capitals := !bytes.ContainsFunc(label, unicode.IsLower)
	if !marked && !capitals { // a word in prose
		return 0
	}
	words := strings.Trim(string(label), " *_`#:[]<>/=\"'-+|~.")
	if words == "" {
		return 0
	}
	t := labelSides(strings.TrimPrefix(words, "END "))
	if capitals && bytes.IndexByte(line, '`') < 0 && len(words) > 3 {
		t = t.madeSure()
	}
	if t != 0 && inline { // the text in backticks counts as one in a fence
		t |= fenceTrace
	}
	return t
}

// labelSides returns the traces of a label that names a side, or that is a request completed by the
// new text: "change it to".
func labelSides(label string) (t traces) {
	old, new := sidesOf(label)
	lower := strings.ToLower(label)
	switch first, _, _ := strings.Cut(lower, " "); {
	case old || new:
	case saysTo(lower):
		new = true
	default:
		old = strings.Contains("|find|locate|search|replace|change|update|", "|"+first+"|") ||
			strings.HasSuffix(lower, "replace this")
	}
	if old {
		t |= oldTrace
	}
	if new {
		t |= newTrace
	}
	return t
}

// saysTo reports whether a label ends like a request completed by the new text: "replace with the
// following".
func saysTo(label string) bool {
	words := strings.FieldsFunc(label, func(r rune) bool { return !unicode.IsLetter(r) })
	for ; len(words) > 0; words = words[:len(words)-1] {
		switch words[len(words)-1] {
		case "to", "with", "by":
			return true
		case "this", "the", "following", "code":
		default:
			return false
		}
	}
	return false
}

// cutLabel splits a line such as "- Before: `x`" into a label, "Before:", and a text in backticks
// after it. text says whether there is such a text; otherwise label is the whole line.
func cutLabel(line []byte) (label []byte, text bool) {
	head, rest, ok := bytes.Cut(line, []byte(": "))
	if rest = bytes.TrimSpace(rest); !ok || len(rest) < 2 || !begins(rest, "`") || !ends(rest, "`") {
		return line, false
	}
	return append(bytes.TrimLeft(bytes.Clone(head), "-+* "), ':'), true // also for a list item
}

const (
	// minSigns is the minimum number of signs in a line of signs.
	minSigns = 3
	// gitSigns is the number of signs that git and most tools write.
	gitSigns = 7
	// barSigns are the signs that lines of signs consist of.
	barSigns = "<>=-+[]{}~#*|"
)

// signTrace returns the traces in a line of signs such as "<<< SEARCH", "=== NEW ===" or "««« OLD".
// ok is false for other lines, and for signs with a label that names no side.
func signTrace(line string) (t traces, ok bool) {
	c, n, label := leadingSigns(line) // n signs c and a label
	if n < minSigns && strings.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
		c, n, label = leadingSigns(strings.Map(barSign, line))
	}
	if n < minSigns { // "SEARCH >>>"
		c, n, label = trailingSigns(line)
	} else if _, m, before := trailingSigns(label); m >= minSigns {
		label = before
	}
	if n < minSigns {
		return 0, false
	}
	label = strings.Trim(label, " *_`:.()[]{}#\"'<>/-")
	if label == "" {
		return unlabelled(c, n, line), true
	}
	t = wordTrace(c, n, label)
	return t, t != 0
}

// wordTrace returns the traces in a line of n signs c with a label that names a side: "<<< SEARCH",
// "=== NEW". The lines that git writes around the sides of a merge conflict are only part of a
// format. Otherwise it returns 0.
func wordTrace(c byte, n int, label string) traces {
	old, new := sidesOf(label)
	switch {
	case len(label) > maxLabel || c == '|': // a sentence, or a row of a table
		return 0
	case old && new: // the label is in a non-Latin script; the sign decides
		old, new = c == '<' || c == '-', c == '>' || c == '+'
	case n == gitSigns && c == '<' && (!old || strings.EqualFold(label, "current")),
		n == gitSigns && c == '>' && !new:
		return formTrace // a merge conflict
	}
	word, _, _ := strings.Cut(strings.ToUpper(label), " ")
	heading := c == '#' || c == '*' // such a line is common, so it is never sure
	switch {
	case !old && !new:
		return 0
	case old && heading:
		return oldTrace
	case heading:
		return newTrace
	case old && word == "SEARCH":
		return oldTrace | sureOld | searchTrace
	case old:
		return oldTrace | sureOld
	case word == "REPLACE":
		return newTrace | sureNew | replaceTrace
	}
	return newTrace | sureNew
}

// unlabelled returns the traces in a line of n signs c without a label. Only equals signs and angle
// brackets have any, and only if the line contains nothing else.
func unlabelled(c byte, n int, line string) traces {
	alone := strings.Trim(line, string(c)) == ""
	switch {
	case c == '=' && alone:
		return dividerTrace
	case c == '<' && alone, c == '>' && alone && n > minSigns:
		return formTrace
	}
	return 0
}

// barSign returns the ASCII sign for a character that models write instead, such as a pointed
// bracket or a wide form.
func barSign(r rune) rune {
	switch r {
	case '«', '‹', '≪', '⟨', '⟪', '❮', '◀':
		return '<'
	case '»', '›', '≫', '⟩', '⟫', '❯', '▶':
		return '>'
	case '─', '━':
		return '-'
	case '═':
		return '='
	}
	r, _ = typography.Fold(r)
	return r
}

// leadingSigns counts the identical signs c at the beginning of a line, ignoring blanks and
// backslashes between them. rest is the text after the signs, or the line if it has none.
func leadingSigns(line string) (c byte, n int, rest string) {
	rest = strings.TrimLeft(line, `\`)
	if rest == "" || strings.IndexByte(barSigns, rest[0]) < 0 {
		return 0, 0, line
	}
	c = rest[0]
	for next := rest; next != "" && next[0] == c; n++ {
		rest = next[1:]
		if next = rest; next != "" && next[0] != c {
			next = strings.TrimLeft(next, ` \`)
		}
	}
	return c, n, rest
}

// trailingSigns counts the identical signs c at the end of a line, ignoring decoration after them.
// rest is the text before the signs, or the line without that decoration if it has none.
func trailingSigns(line string) (c byte, n int, rest string) {
	line = strings.TrimRight(line, " *_`")
	if line == "" || strings.IndexByte(barSigns, line[len(line)-1]) < 0 {
		return 0, 0, line
	}
	c = line[len(line)-1]
	rest = strings.TrimRight(line, string(c))
	return c, len(line) - len(rest), rest
}
