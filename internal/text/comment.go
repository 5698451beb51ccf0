package text

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// CommentSign is how a comment begins and, unless the line's end ends it, how it ends.
type CommentSign struct {
	Open, Close string
	// Apart: what directly follows an operator, a bullet or a directive that looks like the sign is a word or a bracket.
	Apart bool
	// Spans: the comment may go on for lines. Of signs that other languages use for something else it is not believed.
	Spans bool
	// Inner: lines inside a comment begin with the sign, and no comment does.
	Inner bool
}

// commentSigns are the signs that mean a comment wherever they stand, those that begin with another one before that one.
func commentSigns() [19]CommentSign {
	return [...]CommentSign{
		{Open: "{{!--", Close: "--}}", Spans: true}, {Open: "{{--", Close: "--}}", Spans: true},
		{Open: "{/*", Close: "*/}", Spans: true},
		{Open: "<%--", Close: "--%>", Spans: true}, {Open: "<%#", Close: "%>"}, {Open: "<!--", Close: "-->", Spans: true},
		{Open: "--[[", Close: "]]", Spans: true},
		{Open: "/*", Close: "*/", Spans: true},
		{Open: "(*", Close: "*)"}, {Open: "{-", Close: "-}"}, {Open: "{#", Close: "#}"},
		{Open: `"""`, Close: `"""`, Spans: true}, {Open: "'''", Close: "'''", Spans: true},
		{Open: "//"},
		{Open: "#", Apart: true}, {Open: "--", Apart: true}, {Open: ";", Apart: true}, {Open: "%", Apart: true},
		{Open: "*", Apart: true, Inner: true},
	}
}

// CommentSigns are the signs of a file of this name, those that begin with another one before that one.
func CommentSigns(name string) []CommentSign {
	all := commentSigns()
	signs := all[:]
	if IsMarkup(name) {
		return slices.DeleteFunc(signs, func(s CommentSign) bool { return s.Apart })
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".bat", ".cmd", ".sql":
		return append(signs, CommentSign{Open: "REM", Apart: true}, CommentSign{Open: "rem", Apart: true})
	case ".vb", ".vbs", ".bas":
		return append(signs, CommentSign{Open: "REM", Apart: true}, CommentSign{Open: "rem", Apart: true}, CommentSign{Open: "'"})
	case ".vim", ".vimrc":
		return append(signs, CommentSign{Open: `"`})
	}
	return signs
}

// IsLiteral reports whether the sign is that of a string, in which some languages have their comments. Whether one begins
// or ends there, only the lines above know.
func (s CommentSign) IsLiteral() bool { return s.Open == s.Close }

// Cut takes the sign off the begin of text.
func (s CommentSign) Cut(text []byte) (rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(text, []byte(s.Open))
	if !ok {
		return nil, false
	}
	rest = bytes.TrimLeft(rest, s.Open[len(s.Open)-1:]+"!")
	r, _ := utf8.DecodeRune(rest)
	return rest, !s.Apart || len(rest) == 0 || !IsWordRune(r) && !strings.ContainsRune("[{(<.", r) || BeginsWithDots(rest)
}

// Inside parts what follows the sign into the comment and what stands behind it; ended is false if it does not end there.
func (s CommentSign) Inside(rest []byte) (comment, behind []byte, ended bool) {
	if s.Close == "" {
		return rest, nil, true
	}
	return bytes.Cut(rest, []byte(s.Close))
}

// BeginsComment reports whether line begins with a comment, in a file of any language.
func BeginsComment(line []byte) bool {
	s, ok := commentSignOf(line)
	return ok && !s.Inner
}

// Comment is what the comment that line begins with says on that line; ok is false where it begins with none.
func Comment(line []byte) (said []byte, ok bool) {
	s, ok := commentSignOf(line)
	if !ok || s.Inner {
		return nil, false
	}
	rest, _ := s.Cut(bytes.TrimSpace(line))
	said, _, _ = s.Inside(rest)
	return bytes.TrimSpace(said), true
}

// IsComment reports whether line begins with a comment or is a line inside one, which only its own sign says: a docstring
// and text between the ends of a comment are none.
func IsComment(line []byte) bool {
	_, ok := commentSignOf(line)
	return ok
}

// commentSignOf is the sign that line begins with. One that other languages use for something else needs its end there, too.
func commentSignOf(line []byte) (CommentSign, bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || IsWordByte(line[0]) {
		return CommentSign{}, false // no sign of all languages is a word
	}
	for _, s := range commentSigns() {
		if s.IsLiteral() {
			continue
		}
		if rest, ok := s.Cut(line); ok {
			if _, _, ended := s.Inside(rest); ended || s.Spans {
				return s, true
			}
		}
	}
	return CommentSign{}, false
}

// BeginsWithDots reports whether text begins with an ellipsis.
func BeginsWithDots(text []byte) bool {
	return bytes.HasPrefix(text, []byte("...")) || bytes.HasPrefix(text, []byte("…")) || bytes.HasPrefix(text, []byte("⋯"))
}

// IsMarkup reports whether name is a text for readers, in which signs of comments are headings, bullets and rules, and code is
// quoted in fences.
func IsMarkup(name string) bool {
	return slices.Contains([]string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc"}, strings.ToLower(path.Ext(name)))
}
