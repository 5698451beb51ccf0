package omission

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// remark is what a line says to its reader rather than the machine: a comment, a line of a docstring, words where code is
// expected, or a comment after code.
type remark struct {
	kind remarkKind
	// sign is what the comment begins with that the line is or is in; "" for none.
	sign string
	// text is what the line says, signs and blanks taken off.
	text []byte
	// code is the line without its trailing comment, before the part that precedes it.
	code, before []byte
	// wording is what the words say, those of adjoining lines of the same comment included.
	wording wording
}

type remarkKind uint8

const (
	noRemark remarkKind = iota
	// commentLine has the line to itself.
	commentLine
	// trailingComment shares its line with code.
	trailingComment
	// bareText has no comment sign, and nothing in it but words and what may surround them.
	bareText
	// dottedCode has dots where no language has any: `<nav>...</nav>`, `{ ... }`.
	dottedCode
	// cueOrName is a word that says that something was left out where names are statements, or items of a list.
	cueOrName
)

// remarksOf reads the lines of d as remarks. Of lines that are not asked for it says only what the others need: whether they are
// inside of a comment.
func (x *Lexicon) remarksOf(d *strategy.Document, asked []bool) []remark {
	signs := x.signs
	for _, s := range x.signs {
		// Of an odd number of quotes one is the end of what began before the text.
		if s.IsLiteral() && quotesOf(d, s.Open)%2 == 1 {
			signs = onOneLine(signs, s.Open)
		}
	}
	out := make([]remark, d.Len())
	opens := mayOpen(d.Text(), signs)
	for i := 0; i < d.Len(); i++ {
		if !asked[i] && !(opens && mayOpen(d.Line(i), signs)) {
			continue
		}
		var open *text.CommentSign
		out[i], open = remarkOf(d.Line(i), signs)
		if out[i].kind == noRemark && hasDotsInCode(bytes.TrimSpace(d.Line(i)), x.name) {
			out[i].kind = dottedCode
		}
		if said := x.quotedCue(d, i); out[i].kind == noRemark && said != nil {
			out[i] = remark{kind: commentLine, text: said}
		}
		if out[i].kind == noRemark && x.isLoneCue(d, i) {
			out[i] = remark{kind: bareText, text: bytes.TrimSpace(d.Line(i))}
			if callsByName(x.name) && bytes.IndexByte(out[i].text, ' ') < 0 {
				out[i].kind = cueOrName
			}
		}
		if open == nil && out[i].kind != commentLine {
			open = stringIn(d.Line(i), signs)
		}
		if open == nil || !open.Spans {
			continue
		}
		n := bytes.Index(d.Text()[d.End(i):], []byte(open.Close))
		if n < 0 {
			signs = onOneLine(signs, open.Open)
			continue
		}
		kind := out[i].kind
		for end := d.LineAt(d.End(i) + n); i < end; {
			if i++; kind == commentLine {
				comment, _, _ := open.Inside(d.Line(i))
				out[i] = remark{kind: commentLine, sign: open.Open, text: bytes.Trim(comment, " \t*")}
			}
		}
	}
	return out
}

// onOneLine are the signs of which that with this opening ends on its line.
func onOneLine(signs []text.CommentSign, opening string) []text.CommentSign {
	out := slices.Clone(signs)
	for k := range out {
		if out[k].Open == opening {
			out[k].Spans = false
		}
	}
	return out
}

// mayRemark reports whether line i of d may be a remark; most lines of code cannot be one, and are read no further.
func (x *Lexicon) mayRemark(d *strategy.Document, i int) bool {
	t := bytes.TrimSpace(d.Line(i))
	return HasDots(t) || hasSign(t, x.signs) || isBare(t) || x.isLoneCue(d, i) || isCommentKey(t) || x.quotedCue(d, i) != nil
}

// hasSign reports whether one of the signs is anywhere in line.
func hasSign(line []byte, signs []text.CommentSign) bool {
	for k := range signs {
		if bytes.Contains(line, []byte(signs[k].Open)) {
			return true
		}
	}
	return false
}

// mayOpen reports whether a comment or literal of several lines may begin on line.
func mayOpen(line []byte, signs []text.CommentSign) bool {
	for k := range signs {
		if s := &signs[k]; (s.Spans || s.IsLiteral()) && bytes.Contains(line, []byte(s.Open)) {
			return true
		}
	}
	return false
}

// isLoneCue reports whether line i of d is words by which something was left out, and no statement: a single word, or some before a
// semicolon. A word is no item of a list: items before the last one end in a comma.
func (x *Lexicon) isLoneCue(d *strategy.Document, i int) bool {
	line := bytes.TrimSpace(d.Line(i))
	words := bytes.TrimRight(line, ";.!")
	if !x.runs || len(words) == 0 || bytes.ContainsFunc(words, func(r rune) bool { return r != ' ' && !unicode.IsLetter(r) }) {
		return false
	}
	last := func(i int) byte {
		if i < 0 || i >= d.Len() || text.Blank(d.Line(i)) {
			return 0
		}
		t := bytes.TrimSpace(d.Line(i))
		return t[len(t)-1]
	}
	if !quotesItsWords(x.name) && len(words) == len(line) && bytes.IndexByte([]byte(",([{"), last(i-1)) >= 0 && bytes.IndexByte([]byte(",;"), last(i+1)) < 0 {
		return false
	}
	w := x.read(sentence{text: words})
	return w.unknown == 0 && (w.heaviest == byItself || (w.words > 2 || quotesItsWords(x.name)) && w.weight >= enough)
}

// callsByName reports whether a name is a statement in a file of this name: a call without brackets, or a command.
func callsByName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".rb", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".pl", ".ex", ".exs", ".hs", ".ml", ".bat", ".cmd", ".sql", ".groovy", ".gradle":
		return true
	}
	return false
}

// stringIn is the sign of a string that begins after code in line, and that line does not end; nil if there is none.
func stringIn(line []byte, signs []text.CommentSign) *text.CommentSign {
	for k := range signs {
		if s := &signs[k]; s.IsLiteral() && bytes.Contains(line, []byte(s.Open)) && quotes(line, s.Open)%2 == 1 {
			return s
		}
	}
	return nil
}

// quotesOf counts the signs of literals in d.
func quotesOf(d *strategy.Document, sign string) int {
	if !bytes.Contains(d.Text(), []byte(sign)) {
		return 0
	}
	n := 0
	for i := range d.Len() {
		n += quotes(d.Line(i), sign)
	}
	return n
}

// quotes counts the signs of literals in line, without those in strings of another kind.
func quotes(line []byte, sign string) int {
	n := 0
	for i := 0; i < len(line); {
		switch {
		case bytes.HasPrefix(line[i:], []byte(sign)):
			n++
			i += len(sign)
		case n%2 == 0 && text.IsQuote(line[i]):
			i += max(1, text.StringLen(line[i:]))
		default:
			i++
		}
	}
	return n
}

// remarkOf reads one line. open is the sign of a comment that the line begins and does not end.
func remarkOf(line []byte, signs []text.CommentSign) (r remark, open *text.CommentSign) {
	t := bytes.TrimSpace(line)
	if !hasSign(t, signs) {
		signs = nil
	}
	for k, s := range signs {
		rest, ok := s.Cut(t)
		if !ok {
			continue
		}
		comment, after, ended := s.Inside(rest)
		switch {
		case bytes.ContainsFunc(after, text.IsWordRune):
			return remark{kind: noRemark}, nil // code follows
		case !ended:
			open = &signs[k]
		}
		return remark{kind: commentLine, sign: s.Open, text: bytes.TrimSpace(comment)}, open
	}
	if isCommentKey(t) {
		_, said, _ := bytes.Cut(t, []byte(`":`))
		return remark{kind: commentLine, text: bytes.Trim(said, ` ",`)}, nil
	}
	if len(signs) > 0 {
		r = trailingOf(t, signs)
	}
	if r.kind == noRemark && isBare(t) {
		r = remark{kind: bareText, text: t}
	}
	return r, nil
}

// trailingOf finds the comment that shares line t with code. Only what says where it ends may touch the code.
func trailingOf(t []byte, signs []text.CommentSign) remark {
	var quote byte      // of the string that i is in
	var unclosed uint64 // the signs that nothing closes from here on
	for i := 0; i < len(t); i++ {
		spaced := i > 0 && (t[i-1] == ' ' || t[i-1] == '\t')
		if quote == 0 && i > 0 && !text.IsWordByte(t[i]) {
			for k, s := range signs {
				if s.Inner || s.IsLiteral() || !spaced && (s.Close == "" || unclosed>>k&1 == 1) {
					continue
				}
				rest, ok := s.Cut(t[i:])
				if !ok {
					continue
				}
				comment, after, ended := s.Inside(rest)
				if spaced || ended {
					return remark{kind: trailingComment, text: bytes.TrimSpace(comment), before: bytes.TrimSpace(t[:i+strings.Count(s.Open, "{/")]), code: bytes.TrimSpace(slices.Concat(t[:i], after))}
				}
				unclosed |= 1 << k
			}
		}
		switch c := t[i]; {
		case c == '\\':
			i++
		case quote == 0 && text.IsQuote(c):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return remark{}
}

// isBare reports whether t, which is not blank at its ends, is words or dots, perhaps in brackets: what no language that has
// comments can run, except a name.
func isBare(t []byte) bool {
	if len(t) == 0 || isCode(t) || bytes.IndexByte([]byte(":,"), t[len(t)-1]) >= 0 || bytes.IndexByte(t[1:], '#') >= 0 || spreads(t) {
		return false
	}
	if label, rest, ok := bytes.Cut(t, []byte("): ")); ok && (bytes.HasPrefix(label, []byte("TODO(")) || bytes.HasPrefix(label, []byte("FIXME("))) {
		t = rest
	}
	said := stripDecoration(t)
	if len(said.text) == 0 {
		return said.dots() && len(bytes.Trim(t, "()[]{}<> .…⋯")) == 0
	}
	if inner := bytes.Trim(t, "{}"); bytes.ContainsAny(inner, "{}") || (t[0] == '{') != (t[len(t)-1] == '}') || t[0] == '.' && !said.begins {
		return false // a block or a selector
	}
	if name := bytes.TrimPrefix(t, []byte("- ")); !bytes.ContainsFunc(name, func(r rune) bool { return !text.IsWordRune(r) || isIdeograph(r) }) {
		return false // a name
	}
	last := ' '
	return !bytes.ContainsFunc(said.text, func(r rune) bool {
		call := (r == '(' || r == '[') && text.IsWordRune(last)
		last = r
		return call || !text.IsWordRune(r) && !unicode.IsSpace(r) && !strings.ContainsRune(".,;:’-()[]…、，。：（）", r)
	})
}

// isCode reports whether t has a sign that words do not have between them.
func isCode(t []byte) bool {
	for i, c := range t {
		switch c {
		case '=', '"', '\'', '`', '$', '@', '\\', '|', '+', '&', '%', '/':
			return true
		case ';':
			if i+1 == len(t) || t[i+1] != ' ' {
				return true
			}
		}
	}
	return false
}

// spreads reports whether t is spread syntax, as in `...args,`: dots right before a name, and a list of such.
func spreads(t []byte) bool {
	rest := bytes.TrimLeft(t, "[{(")
	if !bytes.HasPrefix(rest, []byte("...")) {
		return false
	}
	r, _ := utf8.DecodeRune(bytes.TrimLeft(rest, "."))
	if !text.IsWordRune(r) && r != '(' && r != '[' && r != '{' {
		return false
	}
	return bytes.HasSuffix(t, []byte{','}) || bytes.Contains(t, []byte(", ")) || bytes.IndexByte(t, ' ') < 0
}

// sentence is the text of a remark without what surrounds it.
type sentence struct {
	text []byte
	// begins and ends: dots occur there.
	begins, ends bool
	// bracketed: a bracket precedes it.
	bracketed bool
}

func (s sentence) dots() bool { return s.begins || s.ends }

// stripDecoration takes brackets, rules and dots off the ends of line. The dots of spread syntax are no dots.
func stripDecoration(line []byte) sentence {
	const around = " \t()[]{}<>-=*~_#:,;!|/\\\"'`（）【】「」［］"
	s := sentence{text: line}
	for {
		n := len(s.text)
		s.bracketed = s.bracketed || n > 0 && bytes.IndexByte([]byte("([{<"), s.text[0]) >= 0
		s.text = bytes.Trim(bytes.TrimPrefix(s.text, []byte("8<")), around) // scissors
		if text.BeginsWithDots(s.text) {
			rest := bytes.TrimLeft(s.text, ".…⋯")
			s.begins = s.begins || !spreads(s.text)
			s.text = rest
		}
		if bytes.HasSuffix(s.text, []byte("...")) || bytes.HasSuffix(s.text, []byte("…")) || bytes.HasSuffix(s.text, []byte("⋯")) {
			s.ends = true
		}
		s.text = bytes.TrimRight(s.text, ".…⋯。")
		if len(s.text) == n {
			return s
		}
	}
}

// isStub reports whether the code next to a trailing comment says no more than one word, and is no item of a list: `pass`,
// `return`, `}`.
func (r remark) isStub() bool {
	if bytes.HasSuffix(r.code, []byte{','}) {
		return false
	}
	if isStub(r.code) {
		return true
	}
	words := 0
	for _, t := range text.Tokens(r.code) {
		if text.BeginsWithWord(t) {
			words++
		}
	}
	return words <= 1 || len(names(r.code)) == 0
}

// isStub reports whether code only holds the place of what is still to be written.
func isStub(code []byte) bool {
	var words []string
	for _, t := range text.Tokens(code) {
		if len(words) > 0 && (string(t) == "." || string(t) == ";" || string(t) == ",") {
			continue
		}
		words = append(words, strings.ToLower(string(t)))
	}
	stub := strings.Join(words, " ")
	if slices.Contains([]string{"pass", "...", ". . .", ".", "return", "return none", "return null", "return nil", "return nil nil", "return undefined", ":", "{ }",
		"raise notimplementederror", "raise notimplementederror ( )", "todo ! ( )", "unimplemented ! ( )", "none", "null", "nil"}, stub) {
		return true
	}
	throws := strings.HasPrefix(stub, "throw new") || strings.HasPrefix(stub, "raise") || strings.HasPrefix(stub, "panic") || strings.HasPrefix(stub, "todo !")
	return throws && strings.Contains(strings.ReplaceAll(stub, " ", ""), "notimplemented")
}

// opens reports whether the code before a trailing comment begins what the lines below it would go on with.
func (r remark) opens() bool {
	code := bytes.TrimRight(r.before, " .…")
	return len(code) > 0 && bytes.IndexByte([]byte("{[(:>"), code[len(code)-1]) >= 0
}

// hasDotsInCode reports whether the code t has dots where no language has any: alone in braces or brackets, between two tags, first
// of the arguments, or anywhere in SQL. name is that of the file.
func hasDotsInCode(t []byte, name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".lua", ".r", ".pl", ".pm", ".swift", ".rb", ".txt", ".csv":
		return false
	}
	if len(t) > maxNaming || !HasDots(t) || text.IsMarkup(name) || isPythonLike(name) {
		return false
	}
	sql := strings.EqualFold(path.Ext(name), ".sql")
	for i := 1; i < len(t); i++ {
		if !text.BeginsWithDots(t[i:]) {
			continue
		}
		before, after := bytes.TrimRight(t[:i], " "), bytes.TrimLeft(bytes.TrimLeft(t[i:], ".…⋯"), " ")
		if len(before) == 0 {
			return false
		}
		closer := byte(0)
		if len(after) > 0 {
			closer = after[0]
		}
		found := false
		switch before[len(before)-1] {
		case '{':
			found = closer == '}'
		case '[':
			found = closer == ']' && len(bytes.Trim(after, "]);},. ")) == 0
		case '(':
			found = closer == ','
		case '>':
			found = closer == '<'
		default:
			tag := bytes.LastIndexByte(before, '<')
			found = sql && len(after) == 0 || tag >= 0 && bytes.IndexByte(before[tag:], '>') < 0 && t[0] == '<' && t[i-1] == ' ' && text.BeginsWithWord(after)
		}
		if found && !text.InString(t, i) {
			return true
		}
		i += len(t[i:]) - len(bytes.TrimLeft(t[i:], ".…⋯")) - 1
	}
	return false
}

// isPythonLike reports whether bare dots are a statement in a file of this name.
func isPythonLike(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi", ".pyx", ".pyw", ".ipynb":
		return true
	}
	return false
}
