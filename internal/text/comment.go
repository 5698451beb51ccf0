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
	// Apart: what directly follows an operator, a bullet or a directive that looks like the sign is
	// a word or a bracket.
	Apart bool
	// Spans: the comment may go on for lines. Of signs that other languages use for something else
	// it is not believed.
	Spans bool
	// Inner: lines inside a comment begin with the sign, and no comment does.
	Inner bool
	// only are the extensions of the languages that have the sign, where it is code in others; ""
	// for all files.
	only string
}

// Languages by their extensions.
const (
	mlFiles      = ".ml .mli .mll .mly .fs .fsi .fsx .sml .pas .pp .dpr .v .thy .nb .wl .applescript "
	haskellFiles = ".hs .lhs .elm .purs .agda .idr .dhall "
	jinjaFiles   = ".html .htm .xml .j2 .jinja .jinja2 .twig .njk .tera .php "
	shellFiles   = ".ps1 .psm1 .psd1 "
	razorFiles   = ".cshtml .razor .vbhtml "
	dashFiles    = haskellFiles + ".sql .psql .ddl .lua .adb .ads .ada .vhd .vhdl .applescript "
	lispFiles    = ".lisp .lsp .cl .el .scm .ss .rkt .clj .cljs .cljc .edn .fnl .asm .s .ll .ini " +
		".cfg .conf .properties .reg .inf .ahk .nsi "
	percentFiles = ".tex .sty .cls .bib .ltx .m .mat .erl .hrl .pro .prolog .ps .eps "
	// otherFiles have none of the signs that only some languages have.
	otherFiles = ".c .h .cc .cpp .cxx .hh .hpp .cs .go .java .kt .kts .scala .swift .dart .zig " +
		".rs .js .cjs .mjs .jsx .ts .cts .mts .tsx .vue .svelte " +
		".json .jsonc .css .scss .sass .less .py .pyi .rb .pl .pm .sh .bash .zsh .yaml .yml " +
		".toml .proto .graphql .gradle .groovy .tf .r .jl .ex .exs "
)

// commentSigns are the signs that a comment may begin with in some language, those that begin with
// another one before that one.
var commentSigns = [...]CommentSign{
	{Open: "{{!--", Close: "--}}", Spans: true}, {Open: "{{--", Close: "--}}", Spans: true},
	{Open: "{/*", Close: "*/}", Spans: true},
	{Open: "<%--", Close: "--%>", Spans: true}, {Open: "<%#", Close: "%>"}, {Open: "<!--", Close: "-->", Spans: true},
	{Open: "--[[", Close: "]]", Spans: true},
	{Open: "/*", Close: "*/", Spans: true},
	{Open: "(*", Close: "*)", only: mlFiles}, {Open: "{-", Close: "-}", only: haskellFiles},
	{Open: "{#", Close: "#}", only: jinjaFiles},
	{Open: "<#", Close: "#>", only: shellFiles}, {Open: "@*", Close: "*@", only: razorFiles},
	{Open: `"""`, Close: `"""`, Spans: true}, {Open: "'''", Close: "'''", Spans: true},
	{Open: "//"},
	{Open: "#", Apart: true}, {Open: "--", Apart: true, only: dashFiles},
	{Open: ";", Apart: true, only: lispFiles}, {Open: "%", Apart: true, only: percentFiles},
	{Open: "*", Apart: true, Inner: true},
}

// CommentSigns returns the signs of a file of this name, those that begin with another one before
// that one. A language that is not known may have any that has the line to itself.
func CommentSigns(name string) []CommentSign {
	ext, known, markup := extension(name), IsCode(name), IsMarkup(name)
	signs := make([]CommentSign, 0, len(commentSigns))
	for k := range commentSigns {
		if s := &commentSigns[k]; !(markup && s.Apart) &&
			(s.only == "" || among(s.only, ext) || !known && s.Close == "") {
			signs = append(signs, *s)
		}
	}
	switch ext {
	case ".bat", ".cmd", ".sql":
		return append(signs, CommentSign{Open: "REM", Apart: true}, CommentSign{Open: "rem", Apart: true})
	case ".vb", ".vbs", ".bas", ".cls":
		return append(signs, CommentSign{Open: "REM", Apart: true},
			CommentSign{Open: "rem", Apart: true}, CommentSign{Open: "'"})
	case ".vim", ".vimrc":
		return append(signs, CommentSign{Open: `"`})
	}
	return signs
}

// IsCode reports whether the file of this name is of a language whose signs of comments are known.
func IsCode(name string) bool {
	ext := extension(name)
	if among(otherFiles, ext) {
		return true
	}
	for k := range commentSigns {
		if among(commentSigns[k].only, ext) {
			return true
		}
	}
	return false
}

func extension(name string) string { return strings.ToLower(path.Ext(name)) }

// among reports whether the extension is in list, where each has a blank after it.
func among(list, ext string) bool { return ext != "" && strings.Contains(list, ext+" ") }

// IsLiteral reports whether the sign is that of a string, in which some languages have their
// comments. Whether one begins or ends there, only the lines above know.
func (s CommentSign) IsLiteral() bool { return s.Open == s.Close }

// Cut takes the sign off the begin of text.
func (s CommentSign) Cut(text []byte) (rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(text, []byte(s.Open))
	if !ok {
		return nil, false
	}
	rest = bytes.TrimLeft(rest, s.Open[len(s.Open)-1:]+"!")
	r, _ := utf8.DecodeRune(rest)
	return rest, !s.Apart || len(rest) == 0 ||
		!IsWordRune(r) && !strings.ContainsRune("[{(<.", r) || BeginsWithDots(rest)
}

// Inside parts what follows the sign into the comment and what comes after it; ended is false if it
// does not end there.
func (s CommentSign) Inside(rest []byte) (comment, after []byte, ended bool) {
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

// Comment returns what the comment that line begins with says on that line; ok is false where it
// begins with none.
func Comment(line []byte) (said []byte, ok bool) {
	s, ok := commentSignOf(line)
	if !ok || s.Inner {
		return nil, false
	}
	rest, _ := s.Cut(bytes.TrimSpace(line))
	said, _, _ = s.Inside(rest)
	return bytes.TrimSpace(said), true
}

// IsComment reports whether line begins with a comment or is a line inside one, which only its own
// sign says: a docstring and text between the ends of a comment are none.
func IsComment(line []byte) bool {
	_, ok := commentSignOf(line)
	return ok
}

// DifferInComment reports whether one of two lines is the other one with a comment after it, of a
// sign that is none of code in other languages.
func DifferInComment(a, b []byte) bool {
	code, line := bytes.TrimSpace(a), bytes.TrimSpace(b)
	if len(code) > len(line) {
		code, line = line, code
	}
	rest, ok := bytes.CutPrefix(line, code)
	if !ok || len(code) == 0 || len(rest) == 0 || !IsASCIISpace(rest[0]) {
		return false
	}
	s, ok := commentSignOf(rest)
	return ok && !s.Inner && s.only == "" && !InString(line, len(code))
}

// commentSignOf returns the sign that line begins with. One that other languages use for something
// else needs its end there, too.
func commentSignOf(line []byte) (CommentSign, bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || IsWordByte(line[0]) {
		return CommentSign{}, false // no sign of all languages is a word
	}
	for k := range commentSigns {
		s := &commentSigns[k]
		if s.IsLiteral() {
			continue
		}
		if rest, ok := s.Cut(line); ok {
			if _, _, ended := s.Inside(rest); ended || s.Spans {
				return *s, true
			}
		}
	}
	return CommentSign{}, false
}

// BeginsWithDots reports whether text begins with an ellipsis.
func BeginsWithDots(text []byte) bool {
	return bytes.HasPrefix(text, []byte("...")) || bytes.HasPrefix(text, []byte("…")) ||
		bytes.HasPrefix(text, []byte("⋯"))
}

// IsMarkup reports whether name is a text for readers, in which signs of comments are headings,
// bullets and rules, and code is quoted in fences.
func IsMarkup(name string) bool {
	return slices.Contains([]string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc"},
		strings.ToLower(path.Ext(name)))
}
