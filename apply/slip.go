package apply

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/strategy"
)

// difference says what kind of difference lies between a SEARCH line and the file's line beside it.
type difference uint8

const (
	// slip: what a hand or a model mistypes; both lines mean the same.
	slip difference = iota
	// drift: words or marks came or went; the line was edited, or one side is incomplete.
	drift
	// substitution: a name or a number stands where another one stood, as between twins.
	substitution
)

// tokens splits a line into words and single marks; blanks are dropped.
func tokens(line []byte) [][]byte {
	var out [][]byte
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		switch {
		case unicode.IsSpace(r):
			line = line[n:]
			continue
		case wordRune(r):
			for n < len(line) {
				r, k := utf8.DecodeRune(line[n:])
				if !wordRune(r) {
					break
				}
				n += k
			}
		}
		out = append(out, line[:n])
		line = line[n:]
	}
	return out
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func isWord(token []byte) bool {
	r, _ := utf8.DecodeRune(token)
	return wordRune(r)
}

// vocabulary answers which words a document knows, each looked for once.
type vocabulary struct {
	doc   *strategy.Document
	known map[string]bool
}

func (v *vocabulary) has(word []byte) bool {
	known, asked := v.known[string(word)]
	if !asked {
		known = v.find(word)
		if v.known == nil {
			v.known = map[string]bool{}
		}
		v.known[string(word)] = known
	}
	return known
}

// find looks for word as a whole word.
func (v *vocabulary) find(word []byte) bool {
	text := v.doc.Text()
	for at := 0; ; {
		n := bytes.Index(text[at:], word)
		if n < 0 {
			return false
		}
		start, end := at+n, at+n+len(word)
		before, _ := utf8.DecodeLastRune(text[:start])
		after, _ := utf8.DecodeRune(text[end:])
		if (start == 0 || !wordRune(before)) && (end == len(text) || !wordRune(after)) {
			return true
		}
		at = start + 1
	}
}

// compare classifies how search differs from file. A word of SEARCH that the file knows is no misspelling of another.
func (v *vocabulary) compare(search, file []byte) difference {
	s, f := tokens(search), tokens(file)
	for len(s) > 0 && len(f) > 0 && bytes.Equal(s[0], f[0]) {
		s, f = s[1:], f[1:]
	}
	for len(s) > 0 && len(f) > 0 && bytes.Equal(s[len(s)-1], f[len(f)-1]) {
		s, f = s[:len(s)-1], f[:len(f)-1]
	}
	if len(s) != len(f) {
		return v.compareUneven(search, s, f)
	}
	worst := slip
	for i := range s {
		if !bytes.Equal(s[i], f[i]) {
			worst = max(worst, v.compareTokens(s[i], f[i]))
		}
	}
	return worst
}

// compareUneven handles sides of different length, equal ends already gone.
func (v *vocabulary) compareUneven(line []byte, s, f [][]byte) difference {
	marks := 0
	for _, t := range slices.Concat(s, f) {
		if isWord(t) && !stringPrefix(t) {
			if len(s) == 0 && len(f) == 1 && isComment(line) {
				return slip // a word dropped from a comment
			}
			return drift
		}
		marks++
	}
	if marks <= 2 {
		return slip // a comma, a bracket, a semicolon
	}
	return drift
}

// stringPrefix reports whether token may be the letters before a string literal: f"", rb"".
func stringPrefix(token []byte) bool {
	return len(token) <= 2 && len(bytes.Trim(bytes.ToLower(token), "fbru")) == 0
}

func (v *vocabulary) compareTokens(s, f []byte) difference {
	if !isWord(s) && !isWord(f) {
		return drift // one operator for another changes the meaning, but names nothing else
	}
	if !isWord(s) || !isWord(f) {
		return drift
	}
	if misspelt(s, f) && !v.has(s) {
		return slip
	}
	return substitution
}

// misspelt reports whether s looks like f with one or two keys hit wrong: not another number, case or plural, which
// name something else, and not a word too short to tell.
func misspelt(s, f []byte) bool {
	n := min(utf8.RuneCount(s), utf8.RuneCount(f))
	if n == 3 && transposed(s, f) {
		return true
	}
	if n < 4 || bytes.EqualFold(s, f) || !bytes.Equal(digits(s), digits(f)) {
		return false
	}
	if bytes.Equal(bytes.TrimRight(s, "s_"), bytes.TrimRight(f, "s_")) || bytes.Equal(bytes.TrimLeft(s, "_"), bytes.TrimLeft(f, "_")) {
		return false
	}
	limit := 1
	if n >= 8 {
		limit = 2
	}
	if bytes.HasPrefix(s, f) || bytes.HasPrefix(f, s) || bytes.HasSuffix(s, f) || bytes.HasSuffix(f, s) {
		limit = 1 // a longer name is another name
	}
	d, ok := editdist.Within(s, f, 2)
	return ok && (d <= limit || d == 2 && transposed(s, f))
}

// transposed reports whether s is f with two neighbours swapped.
func transposed(s, f []byte) bool {
	if len(s) != len(f) {
		return false
	}
	i := 0
	for i < len(s) && s[i] == f[i] {
		i++
	}
	return i+1 < len(s) && s[i] == f[i+1] && s[i+1] == f[i] && bytes.Equal(s[i+2:], f[i+2:])
}

func digits(word []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, word)
}

// isComment reports whether line looks like prose to a compiler: a comment, or text without code marks.
func isComment(line []byte) bool {
	t := bytes.TrimLeft(line, " \t")
	for _, p := range []string{"//", "#", "*", "/*", "--", "<!--", ";;", "%", "\"\"\"", "'''"} {
		if bytes.HasPrefix(t, []byte(p)) {
			return true
		}
	}
	return !bytes.ContainsAny(t, "=(){}[];<>") && bytes.Count(bytes.TrimSpace(t), []byte{' '}) >= 3
}

// definition is the name that line defines (def f, func (r) f, export class C, fn f, type T, ...), nil if none.
func definition(line []byte) []byte {
	ts := tokens(line)
	for len(ts) > 0 && modifier(string(ts[0])) {
		ts = ts[1:]
	}
	if len(ts) < 2 || !defines(string(ts[0])) {
		return nil
	}
	ts = ts[1:]
	if string(ts[0]) == "(" { // a receiver
		for len(ts) > 0 && string(ts[0]) != ")" {
			ts = ts[1:]
		}
		ts = ts[min(1, len(ts)):]
	}
	if len(ts) == 0 || !isWord(ts[0]) {
		return nil
	}
	return ts[0]
}

func defines(word string) bool {
	switch word {
	case "def", "func", "function", "fn", "fun", "class", "struct", "interface", "enum", "trait", "impl", "module", "type", "sub", "proc":
		return true
	}
	return false
}

func modifier(word string) bool {
	switch word {
	case "export", "default", "async", "public", "private", "protected", "internal", "static", "abstract", "final", "pub", "const", "unsafe", "override", "virtual", "inline", "extern":
		return true
	}
	return false
}
