package apply

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/strategy"
)

// remark is what a line tells its reader rather than the machine: a comment, a line of a docstring, words where code is
// expected, or a comment behind code.
type remark struct {
	kind remarkKind
	// text is what the line says, signs and blanks taken off.
	text []byte
	// code is what stands before a trailing comment.
	code []byte
}

type remarkKind uint8

const (
	noRemark remarkKind = iota
	// commentLine has the line to itself.
	commentLine
	// trailingComment stands behind code.
	trailingComment
	// bareText has no comment sign, and nothing in it but words and what may surround them.
	bareText
)

// commentSign is how a comment begins and, unless the line's end ends it, how it ends.
type commentSign struct {
	open, close string
	// apart: what directly follows an operator, a bullet or a directive that looks like the sign is a word or a bracket.
	apart bool
	// spans: the comment may go on for lines. Of signs that other languages use for something else it is not believed.
	spans bool
}

// commentSigns are the signs of a file of this name, those that begin with another one before that one.
func commentSigns(name string) []commentSign {
	signs := []commentSign{
		{open: "{{!--", close: "--}}"}, {open: "{{--", close: "--}}"},
		{open: "{/*", close: "*/}", spans: true},
		{open: "<%--", close: "--%>"}, {open: "<%#", close: "%>"}, {open: "<!--", close: "-->", spans: true},
		{open: "--[[", close: "]]"},
		{open: "/*", close: "*/", spans: true},
		{open: "(*", close: "*)"}, {open: "{-", close: "-}"}, {open: "{#", close: "#}"},
		{open: `"""`, close: `"""`, spans: true}, {open: "'''", close: "'''", spans: true},
		{open: "//"},
	}
	if isMarkup(name) {
		return signs
	}
	signs = append(signs, commentSign{open: "#", apart: true}, commentSign{open: "--", apart: true},
		commentSign{open: ";", apart: true}, commentSign{open: "%", apart: true}, commentSign{open: "*", apart: true},
		commentSign{open: "REM", apart: true}, commentSign{open: "rem", apart: true})
	switch path.Ext(name) {
	case ".vim", ".vimrc":
		signs = append(signs, commentSign{open: `"`})
	case ".vb", ".vbs", ".bas":
		signs = append(signs, commentSign{open: "'"})
	}
	return signs
}

// cut takes the sign off the begin of text.
func (s commentSign) cut(text []byte) (rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(text, []byte(s.open))
	if !ok {
		return nil, false
	}
	rest = bytes.TrimLeft(rest, s.open[len(s.open)-1:]+"!")
	r, _ := utf8.DecodeRune(rest)
	return rest, !s.apart || len(rest) == 0 || !wordRune(r) && !strings.ContainsRune("[{(<.", r) || dotsAhead(rest)
}

// remarksOf reads the lines of d as remarks.
func remarksOf(d *strategy.Document, signs []commentSign) []remark {
	signs = slices.Clone(signs)
	for k, s := range signs {
		// Of an odd number of quotes one is the end of what began before the text.
		if s.open == s.close && bytes.Count(d.Text(), []byte(s.open))%2 == 1 {
			signs[k].spans = false
		}
	}
	out := make([]remark, d.Len())
	for i := 0; i < d.Len(); i++ {
		var open *commentSign
		if out[i], open = remarkOf(d.Line(i), signs); open == nil && out[i].kind != commentLine {
			open = stringIn(d.Line(i), signs)
		}
		if open == nil || !open.spans {
			continue
		}
		n := bytes.Index(d.Text()[d.End(i):], []byte(open.close))
		if n < 0 {
			open.spans = false
			continue
		}
		kind := out[i].kind
		for end := d.LineAt(d.End(i) + n); i < end; {
			if i++; kind == commentLine {
				text, _, _ := bytes.Cut(d.Line(i), []byte(open.close))
				out[i] = remark{kind: commentLine, text: bytes.Trim(text, " \t*")}
			}
		}
	}
	return out
}

// stringIn is the sign of a string that begins behind code in line, and that line does not end; nil if there is none.
func stringIn(line []byte, signs []commentSign) *commentSign {
	for k, s := range signs {
		if s.open == s.close && bytes.Count(line, []byte(s.open))%2 == 1 {
			return &signs[k]
		}
	}
	return nil
}

// remarkOf reads one line. open is the sign of a comment that the line begins and does not end.
func remarkOf(line []byte, signs []commentSign) (r remark, open *commentSign) {
	t := bytes.TrimSpace(line)
	for k, s := range signs {
		rest, ok := s.cut(t)
		if !ok {
			continue
		}
		text, behind, ended := bytes.Cut(rest, []byte(s.close))
		if s.close == "" {
			text, ended = rest, true
		}
		switch {
		case s.close != "" && ended && bytes.ContainsFunc(behind, wordRune):
			return remark{kind: noRemark}, nil // code follows
		case !ended:
			open = &signs[k]
		}
		return remark{kind: commentLine, text: bytes.TrimSpace(text)}, open
	}
	if isBare(t) {
		return remark{kind: bareText, text: t}, nil
	}
	return trailingOf(t, signs), nil
}

// maxCode bounds how much code is searched for a comment behind it, in bytes.
const maxCode = 400

// trailingOf finds the comment behind the code of t.
func trailingOf(t []byte, signs []commentSign) remark {
	for i := 1; i < min(len(t), maxCode); i++ {
		if t[i-1] != ' ' && t[i-1] != '\t' || wordRune(rune(t[i])) {
			continue
		}
		for _, s := range signs {
			if rest, ok := s.cut(t[i:]); ok && s.open != "*" && s.open != s.close && !inString(t, i) {
				text, _, _ := bytes.Cut(rest, []byte(s.close))
				if s.close == "" {
					text = rest
				}
				return remark{kind: trailingComment, text: bytes.TrimSpace(text), code: bytes.TrimSpace(t[:i])}
			}
		}
	}
	return remark{}
}

// isBare reports whether t, which is not blank at its ends, is words or dots, perhaps in brackets: what no language that has
// comments can run, but for a name.
func isBare(t []byte) bool {
	if len(t) == 0 || bytes.ContainsAny(t, ";=\"'`$@\\|+&%/") || bytes.IndexByte([]byte(":,"), t[len(t)-1]) >= 0 || bytes.IndexByte(t[1:], '#') >= 0 || spreads(t) {
		return false
	}
	said := undress(t)
	if len(said.text) == 0 {
		return said.dots() && len(bytes.Trim(t, "()[]{}<> .…⋯")) == 0
	}
	if inner := bytes.Trim(t, "{}"); bytes.ContainsAny(inner, "{}") || (t[0] == '{') != (t[len(t)-1] == '}') || t[0] == '.' && !said.begins {
		return false // a block or a selector
	}
	last := ' '
	return !bytes.ContainsFunc(said.text, func(r rune) bool {
		call := (r == '(' || r == '[') && wordRune(last)
		last = r
		return call || !wordRune(r) && !unicode.IsSpace(r) && !strings.ContainsRune(".,:’-()[]…、，。：（）", r)
	})
}

// spreads reports whether t is spread syntax, as in `...args,`: dots right before a name, and a list of such.
func spreads(t []byte) bool {
	rest := bytes.TrimLeft(t, "[{(")
	if !bytes.HasPrefix(rest, []byte("...")) {
		return false
	}
	r, _ := utf8.DecodeRune(bytes.TrimLeft(rest, "."))
	if !wordRune(r) && r != '(' && r != '[' && r != '{' {
		return false
	}
	return bytes.HasSuffix(t, []byte{','}) || bytes.Contains(t, []byte(", ")) || bytes.IndexByte(t, ' ') < 0
}

// said is the text of a remark without what surrounds it.
type said struct {
	text []byte
	// begins and ends: dots stand there.
	begins, ends bool
}

func (s said) dots() bool { return s.begins || s.ends }

// undress takes brackets, rules and dots off the ends of text. The dots of spread syntax are no dots.
func undress(text []byte) said {
	const around = " \t()[]{}<>-=*~_#:,;!|/\\\"'`（）【】「」［］"
	s := said{text: text}
	for {
		n := len(s.text)
		s.text = bytes.Trim(s.text, around)
		if dotsAhead(s.text) {
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

func dotsAhead(text []byte) bool {
	return bytes.HasPrefix(text, []byte("...")) || bytes.HasPrefix(text, []byte("…")) || bytes.HasPrefix(text, []byte("⋯"))
}

// isStub reports whether the code before a trailing comment says no more than one word, and is no item of a list: `pass`,
// `return`, `}`.
func (r remark) isStub() bool {
	if bytes.HasSuffix(r.code, []byte{','}) {
		return false
	}
	words := 0
	for _, t := range tokens(r.code) {
		if isWord(t) {
			words++
		}
	}
	return words <= 1 || len(names(r.code)) == 0
}

// isMarkup reports whether name is a text for readers, in which signs of comments are headings, bullets and rules, and code is
// quoted in fences.
func isMarkup(name string) bool {
	return slices.Contains([]string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc"}, strings.ToLower(path.Ext(name)))
}

// isPythonLike reports whether bare dots are a statement in a file of this name.
func isPythonLike(name string) bool {
	switch path.Ext(name) {
	case ".py", ".pyi", ".pyx", ".pyw", ".ipynb":
		return true
	}
	return false
}
