package breakage

import (
	"bytes"
	"iter"
	"sort"
	"strings"
	"unicode/utf8"
)

// piece is a bracket, or a comment or a literal, in which brackets do not count.
type piece struct {
	from, to int
	hidden   bool
}

// lexer reads a text of one language.
type lexer struct {
	lang *language
	text []byte
	at   int
	// code is the last byte of code, blanks aside; 0 for none.
	code byte
	// inserts are the brackets that were open where each insertion into a template began.
	inserts []int
	open    int
	// here are the words that end the here-documents which begin in the next line.
	here []string
}

// scan gives the pieces of text in their order.
func (l *language) scan(text []byte) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		s := lexer{lang: l, text: text}
		for s.at < len(text) {
			from := s.at
			hidden := s.hidden()
			if !hidden {
				s.at++
			}
			if (hidden || s.isBracket(from)) && !yield(piece{from, s.at, hidden}) {
				return
			}
		}
	}
}

// isBracket reports whether the byte is a bracket that counts, and remembers it.
func (s *lexer) isBracket(at int) bool {
	c := s.text[at]
	if c > ' ' {
		s.code = c
	}
	switch c {
	case '{':
		s.open++
	case '}':
		s.open--
	}
	return strings.IndexByte(s.lang.counted(), c) >= 0
}

// hidden passes over the comment or the literal that begins here; it is false where none does.
func (s *lexer) hidden() bool {
	l, rest := s.lang, s.text[s.at:]
	c := rest[0]
	if c == '\n' && len(s.here) > 0 {
		s.hereDocuments()
		return true
	}
	if !l.begins[c] {
		return false
	}
	for _, b := range l.blocks {
		if bytes.HasPrefix(rest, []byte(b[0])) {
			s.at += blockLen(rest, b, l.nested)
			return true
		}
	}
	for _, sign := range l.lines {
		if bytes.HasPrefix(rest, []byte(sign)) && s.beginsComment(sign) {
			s.at += lineLen(rest)
			return true
		}
	}
	if n := s.special(rest); n > 0 {
		s.at += n
		s.code = c
		return true
	}
	for _, q := range l.literals {
		if bytes.HasPrefix(rest, []byte(q.open)) {
			s.at += len(q.open) + q.len(rest[len(q.open):])
			s.code = c
			return true
		}
	}
	return false
}

// beginsComment reports whether a sign does so here: "#" is a part of words in shells, and of attributes in PHP.
func (s *lexer) beginsComment(sign string) bool {
	if sign != "#" {
		return true
	}
	before := byte('\n')
	if s.at > 0 {
		before = s.text[s.at-1]
	}
	apart := before <= ' ' || strings.IndexByte("()[]{};,", before) >= 0
	return (apart || !s.lang.heres) && !bytes.HasPrefix(s.text[s.at:], []byte("#["))
}

// special is the length of a literal that has rules of its own; 0 if there is none.
func (s *lexer) special(rest []byte) int {
	l := s.lang
	switch c := rest[0]; {
	case c == '\'' && l.chars:
		return max(charLen(rest), 1) // a lifetime or a mark of a name hides nothing but itself
	case c == '\\' && l.backslash:
		return min(2, len(rest))
	case c == '?' && l.question:
		if len(rest) > 1 && strings.IndexByte(brackets+`"'#`, rest[1]) >= 0 {
			return 2
		}
	case c == '/' && l.patterns && s.mayBePattern():
		return patternLen(rest)
	case c == '`' && l.templates:
		return 1 + s.template(rest[1:])
	case c == '}' && l.templates && len(s.inserts) > 0 && s.inserts[len(s.inserts)-1] == s.open:
		s.inserts = s.inserts[:len(s.inserts)-1]
		return 1 + s.template(rest[1:])
	case c == '#' && l.branches:
		return branchLen(rest)
	case c == 'r' || c == 'R' || c == '#':
		return rawLen(rest, l)
	case c == '<' && l.heres:
		if word := hereWord(rest); word != "" {
			s.here = append(s.here, word)
		}
	}
	return 0
}

// template is the length of what comes of a template, up to its end or to an insertion.
func (s *lexer) template(rest []byte) int {
	for i := 0; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == '`':
			return i + 1
		case rest[i] == '$' && i+1 < len(rest) && rest[i+1] == '{':
			s.inserts = append(s.inserts, s.open)
			return i + 2
		}
	}
	return len(rest)
}

// mayBePattern reports whether a slash begins a regular expression rather than divides: what is before it is no operand.
func (s *lexer) mayBePattern() bool {
	if s.code == 0 || strings.IndexByte("(,=:[!&|?{};~<>+-*%^", s.code) >= 0 {
		return s.code != '<' // of a closing tag
	}
	before := bytes.TrimRight(s.text[:s.at], " \t\r\n")
	for _, word := range []string{"return", "typeof", "case", "in", "of", "if", "unless", "when", "and", "or", "not", "split", "match"} {
		if bytes.HasSuffix(before, []byte(word)) && (len(before) == len(word) || !isWord(before[len(before)-len(word)-1])) {
			return true
		}
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// longestPattern is how long a regular expression may be, so that a slash that begins none is soon known.
const longestPattern = 1000

// patternLen is the length of a regular expression; 0 if it does not end in its line.
func patternLen(rest []byte) int {
	class := false
	for i := 1; i < min(len(rest), longestPattern) && rest[i] != '\n'; i++ {
		switch c := rest[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1
		}
	}
	return 0
}

// charLen is the length of a literal of one character; 0 if there is none.
func charLen(rest []byte) int {
	if len(rest) > 1 && rest[1] == '\\' {
		for i := 3; i < min(len(rest), 14); i++ {
			if rest[i] == '\'' {
				return i + 1
			}
		}
		return 0
	}
	_, n := utf8.DecodeRune(rest[1:])
	if n > 0 && len(rest) > n+1 && rest[n+1] == '\'' {
		return n + 2
	}
	return 0
}

// rawLen is the length of a string without escapes: r#"..."# in Rust, #"..."# in Swift, R"x(...)x" in C++; 0 if there is none.
func rawLen(rest []byte, l *language) int {
	if l.cRaw && bytes.HasPrefix(rest, []byte(`R"`)) {
		delim, _, ok := bytes.Cut(rest[2:min(len(rest), 20)], []byte{'('})
		if !ok {
			return 0
		}
		return 2 + endOf(rest[2:], ")"+string(delim)+`"`)
	}
	if !l.hashRaw {
		return 0
	}
	signs := bytes.TrimPrefix(rest, []byte{'r'})
	quote := bytes.TrimLeft(signs, "#")
	if len(quote) == 0 || quote[0] != '"' || len(quote) == len(rest) {
		return 0
	}
	return len(rest) - len(quote) + 1 + endOf(quote[1:], `"`+string(signs[:len(signs)-len(quote)]))
}

// branchLen is the length of what is compiled instead of the branch above it, whose brackets are those of that branch; 0 if none begins.
func branchLen(rest []byte) int {
	if !bytes.HasPrefix(rest, []byte("#el")) {
		return 0
	}
	at, depth := 0, 1
	for line := range bytes.Lines(rest) {
		switch word := bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimLeft(line, " \t"), []byte{'#'}), " \t"); {
		case !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte{'#'}):
		case bytes.HasPrefix(word, []byte("if")):
			depth++
		case bytes.HasPrefix(word, []byte("endif")):
			if depth--; depth == 0 {
				return at
			}
		}
		at += len(line)
	}
	return at
}

// endOf is the length of text up to and with the first end; all of it if there is none.
func endOf(text []byte, end string) int {
	if i := bytes.Index(text, []byte(end)); i >= 0 {
		return i + len(end)
	}
	return len(text)
}

// lineLen is the length of the line, without its end.
func lineLen(rest []byte) int {
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return i
	}
	return len(rest)
}

// blockLen is the length of a comment with an end of its own.
func blockLen(rest []byte, sign [2]string, nested bool) int {
	at, depth := len(sign[0]), 1
	for at < len(rest) {
		next := rest[at:]
		switch {
		case bytes.HasPrefix(next, []byte(sign[1])):
			at += len(sign[1])
			if depth--; depth == 0 {
				return at
			}
		case nested && bytes.HasPrefix(next, []byte(sign[0])):
			at += len(sign[0])
			depth++
		default:
			at++
		}
	}
	return at
}

// hereWord is the word that ends a here-document; "" if there is none: "a << b" is something else.
func hereWord(rest []byte) string {
	word := bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("<<<")), []byte("<<"))
	if len(word) == len(rest) {
		return ""
	}
	word = bytes.TrimLeft(word, "-~")
	word = bytes.TrimLeft(word, `'"`)
	n := 0
	for n < len(word) && isWord(word[n]) {
		n++
	}
	if n < 2 || word[0] < 'A' || word[0] > 'Z' {
		return ""
	}
	return string(word[:n])
}

// hereDocuments passes over the here-documents that begin in the next line.
func (s *lexer) hereDocuments() {
	for _, word := range s.here {
		for s.at < len(s.text) {
			s.at++ // the line end before
			line := s.text[s.at:][:lineLen(s.text[s.at:])]
			s.at += len(line)
			if string(bytes.TrimRight(bytes.TrimSpace(line), ";,)")) == word {
				break
			}
		}
	}
	s.here = nil
}

// hiddenParts are the comments and literals of a text, in order.
type hiddenParts []piece

// hiddenIn are those of text; a language that is not known has none.
func (l *language) hiddenIn(text []byte) (parts hiddenParts) {
	if l == nil {
		return nil
	}
	for p := range l.scan(text) {
		if p.hidden {
			parts = append(parts, p)
		}
	}
	return parts
}

// has reports whether the byte at offset is in one of the parts, and does not begin it.
func (parts hiddenParts) has(offset int) bool {
	i := sort.Search(len(parts), func(i int) bool { return parts[i].to > offset })
	return i < len(parts) && parts[i].from < offset
}
