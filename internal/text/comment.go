package text

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// CommentSign is the text that begins a comment, with the text that ends it. Close is "" if the
// comment ends with the line.
type CommentSign struct {
	Open, Close string
	// Apart is set for signs that look like an operator, a bullet or a directive. A word or bracket
	// that follows such a sign directly shows that no comment begins.
	Apart bool
	// Spans is set if the comment may continue on further lines and no language uses the sign for
	// anything else.
	Spans bool
	// Inner is set if the sign begins lines inside a comment but never begins a comment.
	Inner bool
	// only lists the extensions of the languages that have the sign, if the sign is code in other
	// languages; "" for all files.
	only string
}

// Lists of languages, given by their file extensions.
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
	// otherFiles lists languages that have none of the signs specific to certain languages.
	otherFiles = ".c .h .cc .cpp .cxx .hh .hpp .cs .go .java .kt .kts .scala .swift .dart .zig " +
		".rs .js .cjs .mjs .jsx .ts .cts .mts .tsx .vue .svelte " +
		".json .jsonc .css .scss .sass .less .py .pyi .rb .pl .pm .sh .bash .zsh .yaml .yml " +
		".toml .proto .graphql .gradle .groovy .tf .r .jl .ex .exs "
)

// commentSigns are the signs that begin a comment in some language. A sign precedes any sign that
// is its prefix.
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

// CommentSigns returns the comment signs for the file called name. A sign precedes any sign that is
// its prefix. For an unknown language it returns every sign that is unambiguous at the start of a
// line.
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

// IsCode reports whether the comment signs for the file called name are known.
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

// among reports whether an extension is in list, where a blank follows each extension.
func among(list, ext string) bool { return ext != "" && strings.Contains(list, ext+" ") }

// IsLiteral reports whether the sign is a string delimiter, which some languages also use for
// comments. Only the lines above show whether such a sign begins or ends a comment.
func (s CommentSign) IsLiteral() bool { return s.Open == s.Close }

// Cut removes the sign from the start of text.
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

// Inside splits the text after a sign into the comment and the text after the comment. ended is
// false if the comment doesn't end in rest.
func (s CommentSign) Inside(rest []byte) (comment, after []byte, ended bool) {
	if s.Close == "" {
		return rest, nil, true
	}
	return bytes.Cut(rest, []byte(s.Close))
}

// BeginsComment reports whether line begins with a comment in some language.
func BeginsComment(line []byte) bool {
	s, ok := commentSignOf(line)
	return ok && !s.Inner
}

// Comment returns the text, on this line, of the comment that line begins with. ok is false if
// there is none.
func Comment(line []byte) (said []byte, ok bool) {
	s, ok := commentSignOf(line)
	if !ok || s.Inner {
		return nil, false
	}
	rest, _ := s.Cut(bytes.TrimSpace(line))
	said, _, _ = s.Inside(rest)
	return bytes.TrimSpace(said), true
}

// IsComment reports whether line begins with a comment or with the sign of a line inside one. It
// doesn't recognize docstrings, or lines inside a comment that have no sign.
func IsComment(line []byte) bool {
	_, ok := commentSignOf(line)
	return ok
}

// DifferInComment reports whether two lines differ only because one of them ends in a comment whose
// sign isn't code in other languages.
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

// commentSignOf returns the sign that line begins with. If other languages use that sign for
// something else, the comment must also end on the line.
func commentSignOf(line []byte) (CommentSign, bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || IsWordByte(line[0]) {
		return CommentSign{}, false // no sign common to all languages is a word
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

// IsMarkup reports whether a file contains text for readers, judging by its name. In such a file,
// comment signs are headings, bullets and rules, and code is in fences.
func IsMarkup(name string) bool {
	return slices.Contains([]string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc"},
		strings.ToLower(path.Ext(name)))
}
