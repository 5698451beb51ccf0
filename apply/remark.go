package apply

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

// remarksOf reads the lines of d as remarks.
func remarksOf(d *strategy.Document, signs []text.CommentSign) []remark {
	signs = slices.Clone(signs)
	for k, s := range signs {
		// Of an odd number of quotes one is the end of what began before the text.
		if s.IsLiteral() && bytes.Count(d.Text(), []byte(s.Open))%2 == 1 {
			signs[k].Spans = false
		}
	}
	out := make([]remark, d.Len())
	for i := 0; i < d.Len(); i++ {
		var open *text.CommentSign
		if out[i], open = remarkOf(d.Line(i), signs); open == nil && out[i].kind != commentLine {
			open = stringIn(d.Line(i), signs)
		}
		if open == nil || !open.Spans {
			continue
		}
		n := bytes.Index(d.Text()[d.End(i):], []byte(open.Close))
		if n < 0 {
			open.Spans = false
			continue
		}
		kind := out[i].kind
		for end := d.LineAt(d.End(i) + n); i < end; {
			if i++; kind == commentLine {
				comment, _, _ := open.Inside(d.Line(i))
				out[i] = remark{kind: commentLine, text: bytes.Trim(comment, " \t*")}
			}
		}
	}
	return out
}

// stringIn is the sign of a string that begins behind code in line, and that line does not end; nil if there is none.
func stringIn(line []byte, signs []text.CommentSign) *text.CommentSign {
	for k, s := range signs {
		if s.IsLiteral() && bytes.Count(line, []byte(s.Open))%2 == 1 {
			return &signs[k]
		}
	}
	return nil
}

// remarkOf reads one line. open is the sign of a comment that the line begins and does not end.
func remarkOf(line []byte, signs []text.CommentSign) (r remark, open *text.CommentSign) {
	t := bytes.TrimSpace(line)
	for k, s := range signs {
		rest, ok := s.Cut(t)
		if !ok {
			continue
		}
		comment, behind, ended := s.Inside(rest)
		switch {
		case bytes.ContainsFunc(behind, text.IsWordRune):
			return remark{kind: noRemark}, nil // code follows
		case !ended:
			open = &signs[k]
		}
		return remark{kind: commentLine, text: bytes.TrimSpace(comment)}, open
	}
	if isBare(t) {
		return remark{kind: bareText, text: t}, nil
	}
	return trailingOf(t, signs), nil
}

// maxCode bounds how much code is searched for a comment behind it, in bytes.
const maxCode = 400

// trailingOf finds the comment behind the code of t.
func trailingOf(t []byte, signs []text.CommentSign) remark {
	for i := 1; i < min(len(t), maxCode); i++ {
		if t[i-1] != ' ' && t[i-1] != '\t' || text.IsWordRune(rune(t[i])) {
			continue
		}
		for _, s := range signs {
			if rest, ok := s.Cut(t[i:]); ok && !s.Inner && !s.IsLiteral() && !text.InString(t, i) {
				comment, _, _ := s.Inside(rest)
				return remark{kind: trailingComment, text: bytes.TrimSpace(comment), code: bytes.TrimSpace(t[:i])}
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
		call := (r == '(' || r == '[') && text.IsWordRune(last)
		last = r
		return call || !text.IsWordRune(r) && !unicode.IsSpace(r) && !strings.ContainsRune(".,:’-()[]…、，。：（）", r)
	})
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

// said is the text of a remark without what surrounds it.
type said struct {
	text []byte
	// begins and ends: dots stand there.
	begins, ends bool
}

func (s said) dots() bool { return s.begins || s.ends }

// undress takes brackets, rules and dots off the ends of line. The dots of spread syntax are no dots.
func undress(line []byte) said {
	const around = " \t()[]{}<>-=*~_#:,;!|/\\\"'`（）【】「」［］"
	s := said{text: line}
	for {
		n := len(s.text)
		s.text = bytes.Trim(s.text, around)
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

// isStub reports whether the code before a trailing comment says no more than one word, and is no item of a list: `pass`,
// `return`, `}`.
func (r remark) isStub() bool {
	if bytes.HasSuffix(r.code, []byte{','}) {
		return false
	}
	words := 0
	for _, t := range text.Tokens(r.code) {
		if text.BeginsWithWord(t) {
			words++
		}
	}
	return words <= 1 || len(names(r.code)) == 0
}

// isPythonLike reports whether bare dots are a statement in a file of this name.
func isPythonLike(name string) bool {
	switch path.Ext(name) {
	case ".py", ".pyi", ".pyx", ".pyw", ".ipynb":
		return true
	}
	return false
}
