package unread

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/typography"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
)

// oldWords and newWords are labels for the two texts of an edit. They may be misspelt.
const (
	oldWords = "search|find|locate|match|old|original|before|current|existing|from|remove|old code|old text|" +
		"old version|old content|original code|current code|existing code|find this|search for|replace this|" +
		"search block"
	newWords = "replace|replacement|new|updated|after|proposed|modified|changed|change|insert|substitute|to|end|" +
		"with|suggested|suggestion|fixed|new code|new text|new version|new content|updated code|modified code|" +
		"proposed code|replace with|with this|replace block"
)

// sidesOf returns oldTrace, newTrace or both, for the sides of an edit that a label may name, judging
// by the whole label or by its first word. A label in a non-Latin script may name either side.
func sidesOf(label string) (t traces) {
	if filename.IsForeign(label) && strings.Count(label, " ") < 2 { // branch names rarely are
		return oldTrace | newTrace
	}
	word, all := firstWord(label), strings.ToLower(label)
	if nearly(word, oldWords) || nearly(all, oldWords) {
		t |= oldTrace
	}
	if nearly(word, newWords) || nearly(all, newWords) {
		t |= newTrace
	}
	return t
}

// nearly reports whether word is one of words, which are separated by "|". A word of five letters
// or more may be misspelt.
func nearly(word, words string) bool {
	for w := range strings.SplitSeq(words, "|") {
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

// maxLabel is the maximum length of a label, in bytes.
const maxLabel = 48

// labelTrace returns the traces in a line that consists of a label for a text: "**Before:**",
// "[SEARCH]", "REPLACE WITH:", "Before: `x`". The line must not be empty. Without a sign of a
// label, the words count only in capitals.
func labelTrace(line []byte) traces {
	if i := bytes.LastIndex(line, []byte(" (")); i > 0 && ends(line, ")") {
		line = line[:i]
	}
	label, code, _ := bytes.Cut(line, []byte(": "))
	inline := begins(bytes.TrimSpace(code), "`") && ends(bytes.TrimSpace(code), "`")
	if !inline {
		label = line
	}
	if len(label) == 0 || len(label) > maxLabel || has(line, "<<<") || has(line, ">>>") {
		return 0
	}
	marked := inline || strings.IndexByte(":*]>=-#", label[len(label)-1]) >= 0 || line[0] == '#'
	capitals := !bytes.ContainsFunc(label, unicode.IsLower)
	if !marked && !capitals { // a word in prose
		return 0
	}
	words := strings.Trim(string(label), " *_`#:[]<>/=\"'-+|~.")
	t := labelSides(strings.TrimPrefix(words, "END "))
	if capitals && bytes.IndexByte(line, '`') < 0 && len(words) > 3 {
		t = t.madeSure()
	}
	if t != 0 && inline { // the text in backticks counts as one in a fence
		t |= fenceTrace
	}
	return t
}

// asksNew and asksOld match labels that are requests: "change it to the following" is completed by
// the new text, and "find the line" by the old one.
var (
	asksNew = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:to|with|by)(?:\PL+(?:this|the|following|code))*\PL*$`)
	})
	asksOld = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:find|locate|search|replace|change|update)(?: |$)|replace this$`)
	})
)

// labelSides returns the traces of a label that names a side or is a request.
func labelSides(label string) traces {
	switch t := sidesOf(label); {
	case t != 0:
		return t
	case asksNew().MatchString(label):
		return newTrace
	case asksOld().MatchString(label):
		return oldTrace
	}
	return 0
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
func wordTrace(c byte, n int, label string) (t traces) {
	t = sidesOf(label)
	word, _, _ := strings.Cut(strings.ToUpper(label), " ")
	switch {
	case len(label) > maxLabel || c == '|': // a sentence, or a row of a table
		return 0
	case t == oldTrace|newTrace && (c == '<' || c == '-'): // in a non-Latin script, the sign decides
		t = oldTrace
	case t == oldTrace|newTrace && (c == '>' || c == '+'):
		t = newTrace
	case t == oldTrace|newTrace:
		return 0
	case n == gitSigns && c == '<' && (t != oldTrace || word == "CURRENT"), n == gitSigns && c == '>' && t != newTrace:
		return formTrace // a merge conflict
	}
	switch {
	case t == oldTrace && word == "SEARCH":
		t |= searchTrace
	case t == newTrace && word == "REPLACE":
		t |= replaceTrace
	}
	if c == '#' || c == '*' { // a heading is common, so it is never sure
		return t &^ (searchTrace | replaceTrace)
	}
	return t.madeSure()
}

// unlabelled returns the traces in a line of n signs c without a label. Only equals signs and angle
// brackets have any, and only if the line contains nothing else.
func unlabelled(c byte, n int, line string) traces {
	switch {
	case strings.Trim(line, string(c)) != "":
	case c == '=':
		return dividerTrace
	case c == '<', c == '>' && n > minSigns:
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
		next = strings.TrimLeft(rest, ` \`)
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
