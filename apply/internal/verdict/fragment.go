package verdict

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// A SEARCH of one line may be a part of a longer line: an attribute of a tag, a list item without its bullet, the value of a
// key. It is known there if the part is complete by itself. So what is next to it must part it from the rest of the line: a
// blank, a bracket, a comma, a quote. A name that goes on (`foo(x)` in `bar.foo(x)`, `id="a"` in `data-id="a"`) is another name, and
// an operator (`b + c` in `a - b + c`, `f(x)` in `f(x) == 0`) makes the part one of another expression. Signs that only say where a
// value goes, as `=` and `:` before it do, are no operators.
//
// What begins a line is never known so: `import os` in `import os.path` is a statement that goes on.

// Fragment is a part of a line of the file, from From to To, as byte offsets, the end exclusive. It begins and ends with text.
type Fragment struct {
	Line     []byte
	From, To int
}

func (f *Fragment) head() []byte { return f.Line[:f.From] }
func (f *Fragment) text() []byte { return f.Line[f.From:f.To] }
func (f *Fragment) tail() []byte { return f.Line[f.To:] }

// AtWords reports whether the fragment begins and ends where words do, if it does so with a word.
func (f *Fragment) AtWords() bool {
	return !text.JoinWord(f.head(), f.text()) && !text.JoinWord(f.text(), f.tail())
}

// Begins reports whether the fragment is what the line begins with, except for blanks.
func (f *Fragment) Begins() bool { return text.Blank(f.head()) }

// TellsEnough reports whether a part of a line says enough to be known by: a name of some length, or several tokens with one or with
// a string.
func TellsEnough(part []byte) bool {
	tokens, letters, named := 0, 0, bytes.ContainsAny(part, "\"'`")
	for t := range text.EachToken(part) {
		tokens++
		if text.BeginsWithWord(t) {
			letters += utf8.RuneCount(t)
			r, _ := utf8.DecodeRune(t)
			named = named || !unicode.IsDigit(r) && !text.IsKeyword(string(t))
		}
	}
	return named && letters >= 4 && (tokens > 1 || letters >= 8)
}

// IsWhole reports whether the fragment is complete by itself in a line of the file of this name.
func (f *Fragment) IsWhole(name string) bool {
	if f.Begins() {
		return false
	}
	prose := !isProgram(name)
	if !prose {
		quoted, cut := f.quoted()
		if cut {
			return false
		}
		if quoted || f.isInComment(name) {
			if looksLikeCode(f.text()) {
				return false // code that is text there does not run
			}
			prose = true
		}
	}
	return f.partedBefore(prose) && f.partedAfter(name, prose)
}

// isProgram reports whether lines of the file of this name are code, rather than text or data with one value a line.
func isProgram(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yml", ".yaml", ".json", ".jsonc":
		return false
	}
	return text.IsCode(name) && !text.IsMarkup(name)
}

// quoted reports whether the fragment is inside of a string literal, and whether it has one end of one.
func (f *Fragment) quoted() (inside, cut bool) {
	for i := 0; i < f.To; i++ {
		if f.Line[i] == '\\' {
			i++
			continue
		}
		if !text.IsQuote(f.Line[i]) {
			continue
		}
		n := text.StringLen(f.Line[i:])
		if n == 0 {
			continue
		}
		end := i + n
		switch {
		case i < f.From && f.To < end:
			return true, false
		case i < f.From && f.From < end, i < f.To && f.To < end:
			return false, true
		}
		i = end - 1
	}
	return false, false
}

// isInComment reports whether a comment of the line begins before the fragment, and does not end there.
func (f *Fragment) isInComment(name string) bool {
	for _, s := range text.CommentSigns(name) {
		if s.IsLiteral() {
			continue
		}
		if at := commentAt(f.head(), s); at >= 0 {
			rest, _ := s.Cut(f.head()[at:])
			if _, _, ended := s.Inside(rest); s.Close == "" || !ended {
				return true
			}
		}
	}
	return false
}

// commentAt is where a comment with the sign begins in line, after a blank or at its beginning; -1 if none does.
func commentAt(line []byte, s text.CommentSign) int {
	var open byte // the quote of the string literal that i is in
	for i := 0; i < len(line); i++ {
		if open == 0 && (i == 0 || text.Trailing(line[:i]) > 0 && (!s.Inner || text.Blank(line[:i]))) {
			if _, ok := s.Cut(line[i:]); ok {
				return i
			}
		}
		switch c := line[i]; {
		case c == '\\':
			i++
		case open == 0 && text.IsQuote(c):
			open = c
		case c == open:
			open = 0
		}
	}
	return -1
}

// looksLikeCode reports whether text has signs that sentences have not.
func looksLikeCode(part []byte) bool { return bytes.ContainsAny(part, "=(){}[];<>\"`$\\") }

// partedBefore reports whether what comes before the fragment parts it from the rest of its line.
func (f *Fragment) partedBefore(prose bool) bool {
	head := bytes.TrimRight(f.head(), " \t")
	adjacent := len(head) == f.From
	last, size := utf8.DecodeLastRune(head)
	before := head[:len(head)-size]
	switch {
	case adjacent && isQuoteRune(last):
		return !(text.EndsWithWord(before) && text.BeginsWithWord(f.text())) // an apostrophe
	case strings.ContainsRune("([{,;", last):
		return true
	case last == '>':
		return bytes.LastIndexByte(before, '<') >= 0 && !endsInAny(before, "-=") || !adjacent && (prose || endsInAny(before, "-="))
	case last == '=':
		return !endsInAny(before, "=!<>")
	case adjacent && prose && strings.ContainsRune(".!?", last): // a line end was lost between the two
		return !text.BeginsWithWord(f.text()) && text.Blank(f.tail())
	case adjacent:
		return prose && strings.ContainsRune("*_|", last) || last >= utf8.RuneSelf && unicode.IsPunct(last)
	case prose:
		return true
	case last == ':':
		return !endsInAny(before, ":")
	case last == '|':
		return !endsInAny(before, "|")
	case text.IsWordRune(last):
		return !isOperatorWord(lastToken(head))
	}
	return !text.IsOperatorByte(byte(last)) && !strings.ContainsRune("#@$\\", last)
}

// partedAfter reports whether what comes after the fragment parts it from the rest of its line.
func (f *Fragment) partedAfter(name string, prose bool) bool {
	tail := bytes.TrimLeft(f.tail(), " \t")
	adjacent := len(tail) == len(f.tail())
	if len(tail) == 0 {
		return true
	}
	first, size := utf8.DecodeRune(tail)
	after := tail[size:]
	switch {
	case adjacent && isQuoteRune(first):
		return !(text.EndsWithWord(f.text()) && text.BeginsWithWord(after))
	case strings.ContainsRune(")]},;", first):
		return true
	case first == '>' || first == '/' && bytes.HasPrefix(after, []byte{'>'}):
		before := f.Line[:f.To]
		return bytes.LastIndexByte(before, '<') > bytes.LastIndexByte(before, '>')
	case first == '<':
		return len(after) > 0 && (after[0] == '/' || !adjacent && (after[0] == '!' || text.BeginsWithWord(after)))
	case first == ':':
		return !bytes.HasPrefix(after, []byte{':'}) && !bytes.HasPrefix(after, []byte{'='})
	case adjacent && strings.ContainsRune(".!?", first):
		return len(after) == 0 || text.IsASCIISpace(after[0])
	case adjacent:
		return prose && strings.ContainsRune("*_|", first) || first >= utf8.RuneSelf && unicode.IsPunct(first)
	case prose:
		return true
	case first == '|':
		return !bytes.HasPrefix(after, []byte{'|'})
	case text.IsWordRune(first):
		return !isOperatorWord(firstToken(tail))
	case first == '(' || first == '[':
		return false
	case first == '\\':
		return text.Blank(after)
	}
	return !text.IsOperatorByte(byte(first)) || text.BeginsCommentIn(name, tail)
}

func isQuoteRune(r rune) bool { return r < utf8.RuneSelf && text.IsQuote(byte(r)) }

func endsInAny(part []byte, signs string) bool {
	return len(part) > 0 && strings.IndexByte(signs, part[len(part)-1]) >= 0
}

// isOperatorWord reports whether word joins two expressions, or changes the one after it.
func isOperatorWord(word []byte) bool {
	switch string(word) {
	case "and", "or", "not", "in", "is", "if", "else", "unless", "as", "for", "instanceof", "typeof", "AND", "OR", "NOT", "xor":
		return true
	}
	return false
}

func firstToken(part []byte) []byte {
	for t := range text.EachToken(part) {
		return t
	}
	return nil
}

func lastToken(part []byte) []byte {
	var last []byte
	for t := range text.EachToken(part) {
		last = t
	}
	return last
}

// Takes reports whether replace can come in the fragment's place, in the file of this name: it is of the same make, so that it
// is about this part of the line alone. It is not if it says again what is next to the fragment, begins another kind of statement, or
// leaves brackets, quotes or a comment open that the rest of the line would be in.
func (f *Fragment) Takes(replace []byte, name string) bool {
	old := f.text()
	if !bytes.Equal(firstToken(old), firstToken(replace)) && repeats(f.head(), old, replace) ||
		!bytes.Equal(lastToken(old), lastToken(replace)) && repeats(f.tail(), old, replace) {
		return false
	}
	if !isProgram(name) {
		return true
	}
	if !slices.Equal(openSigns(old), openSigns(replace)) {
		return false
	}
	if first := firstToken(replace); !bytes.Equal(first, firstToken(old)) && (isStatementWord(string(first)) || text.BeginsCommentIn(name, replace)) {
		return false
	}
	if text.Blank(f.tail()) {
		return true
	}
	return !f.endsStatement(replace) && !slices.ContainsFunc(text.CommentSigns(name), func(s text.CommentSign) bool {
		return s.Close == "" && !s.Inner && commentAt(replace, s) > commentAt(old, s)
	})
}

// repeats reports whether replace has a token that part has, too, and old has not.
func repeats(part, old, replace []byte) bool {
	for t := range text.EachToken(replace) {
		if text.HasToken(part, t) && !text.HasToken(old, t) {
			return true
		}
	}
	return false
}

// SameSubject reports whether replace says something of what old is about: they begin or end with the same token, and replace has
// more than a short word that old has not.
func SameSubject(old, replace []byte) bool {
	if !bytes.Equal(firstToken(old), firstToken(replace)) && !bytes.Equal(lastToken(old), lastToken(replace)) {
		return false
	}
	var added []byte
	for t := range text.EachToken(replace) {
		if !text.HasToken(old, t) {
			added = append(added, t...)
		}
	}
	return text.Telling(added)
}

// openSigns counts the brackets that text leaves open, of each kind, and whether quotes are.
func openSigns(part []byte) []int {
	count := func(sign string) int { return bytes.Count(part, []byte(sign)) }
	return []int{
		count("(") - count(")"), count("[") - count("]"), count("{") - count("}"),
		count(`"`) % 2, count("`") % 2,
	}
}

// isStatementWord reports whether a statement or a definition begins with word, and no expression does.
func isStatementWord(word string) bool {
	switch word {
	case "let", "var", "val", "import", "from", "break", "continue", "pass", "throw", "raise", "del", "assert", "yield":
		return true
	case "function", "async", "func", "fn", "match", "switch", "select", "default", "class":
		return false // some languages have them in expressions
	}
	return text.IsControl(word) || text.IsDefiner(word) || text.IsModifier(word)
}

// endsStatement reports whether replace ends in a sign that ends a statement or a list's item, and the fragment does not.
func (f *Fragment) endsStatement(replace []byte) bool {
	return endsInAny(replace, ";,:{") && f.Line[f.To-1] != replace[len(replace)-1]
}
