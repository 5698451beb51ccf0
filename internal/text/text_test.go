package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/text"
)

func TestTokensAreWordsAndSingleMarks(t *testing.T) {
	for line, want := range map[string]string{
		"":                         "",
		" \t\u00a0\r\n":            "",
		"\tif x==10 {":             "if x = = 10 {",
		"snake_case.camelCase(ü2)": "snake_case . camelCase ( ü2 )",
		"名前 = \"é\"":               "名前 = \" é \"",
		"a\xffb":                   "a \xff b",
	} {
		var got []string
		for _, token := range text.Tokens([]byte(line)) {
			got = append(got, string(token))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("tokens of %q are %q, want %q", line, s, want)
		}
	}
}

// A loop over bytes must find a word wherever a loop over runes does.
func TestBytesOfWordsAreWords(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		for _, c := range []byte(string(r)) {
			if text.IsWordRune(r) && !text.IsWordByte(c) {
				t.Errorf("%q is a word, and a byte of it is none", r)
			}
		}
	}
}

func TestCommentsOfAnyLanguage(t *testing.T) {
	const begins, inside, none = "begins", "inside", "none"
	for _, tt := range []struct{ line, want string }{
		{"// Go", begins}, {"//go:build linux", begins}, {"  /* C", begins}, {"# Python", begins},
		{"#!/bin/sh", begins},
		{"## heading", begins}, {"#", begins}, {"-- SQL", begins}, {"--- a rule ---", begins},
		{"; INI", begins}, {";; Lisp", begins},
		{"% TeX", begins}, {"<!-- HTML", begins}, {"{/* JSX */}", begins},
		{"{{!-- Handlebars --}}", begins}, {"<%# ERB %>", begins},
		{"--[[ Lua", begins}, {"(* OCaml *)", begins}, {"{- Haskell -}", begins},
		{"{# Jinja #}", begins}, {"#... rest", begins},
		{"* of a block comment", inside}, {" */", inside}, {" *", inside},
		{"", none}, {"x = 1 // after code", none}, {"#include <stdio.h>", none}, {"#main {", none},
		{"#[derive(Debug)]", none},
		{"--flag", none}, {"--i;", none}, {"*p = 1;", none}, {"**kwargs,", none},
		{"%d items", none}, {";(function () {", none},
		{"(*p).x = 1;", none}, {"{-1, 2}", none}, {"{#if open}", none},
		{`"""A docstring."""`, none}, {"'''", none}, {"rem = a - b*c", none},
	} {
		got := none
		switch line := []byte(tt.line); {
		case text.BeginsComment(line):
			got = begins
		case text.IsComment(line):
			got = inside
		}
		if got != tt.want {
			t.Errorf("%q: %s, want %s", tt.line, got, tt.want)
		}
	}
}

func TestWhatACommentSays(t *testing.T) {
	for line, want := range map[string]string{
		"// a.go": "a.go", "/* a.c */": "a.c", "/* a.c": "a.c", "{/* a.jsx */}": "a.jsx",
		"<!-- a.html -->": "a.html", "(* a.ml *)": "a.ml",
		"-- a.sql": "a.sql", "//": "", "* a.md": "none", "--a.sql": "none", "a.go // b": "none",
	} {
		said, ok := text.Comment([]byte(line))
		if got := string(said); ok == (want == "none") || ok && got != want {
			t.Errorf("%q says %q, want %q", line, got, want)
		}
	}
}

func TestNobodySeesBlanksAndWhatHasNoWidth(t *testing.T) {
	for r, want := range map[rune]bool{' ': true, '\n': true, '\u00a0': true, '\u2003': true,
		'\u3000': true, '\u200b': true, '\ufeff': true,
		'a': false, '\f': false, '\u0085': false, '\u2028': false, '\ufffd': false} {
		if got := text.Invisible(r); got != want {
			t.Errorf("%U is invisible: %v, want %v", r, got, want)
		}
	}
}

func TestCommentSignsGoByTheFilesName(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"a.go", "// said", " said"},
		{"a.py", "# said", " said"},
		{"a.py", "##! said", " said"},
		{"a.py", "#said", ""},
		{"a.py", `"""said"""`, `said"""`},
		{"a.md", "# Heading", ""},
		{"a.md", "* item", ""},
		{"a.md", "<!-- said -->", " said -->"},
		{"a.go", `"said`, ""},
		{"a.vim", `" said`, " said"},
		{"a.VB", "' said", " said"},
		{"a.bat", "REM said", " said"},
		{"a.bat", "REMOVE", ""},
		{"a.py", "rem = 1", ""},
		{"a.go", "(*Config, error)", ""},
		{"a.ml", "(* said *)", " said *)"},
		{"a.c", "{-1, 2},", ""},
		{"a.c", "-- said", ""},
		{"a.sql", "-- said", " said"},
		{"Makefile", "; said", " said"},
		{"a.svelte", "{#if open}", ""},
		{"a.ps1", "<# said #>", " said #>"},
		{"a.cshtml", "@* said *@", " said *@"},
	} {
		got := ""
		for _, sign := range text.CommentSigns(tt.name) {
			if rest, ok := sign.Cut([]byte(tt.line)); ok {
				got = string(rest)
				break
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q says %q, want %q", tt.name, tt.line, got, tt.want)
		}
	}
}

// A sign must not precede a longer sign that begins with it, because it would hide the longer one.
func TestLongerSignsGoFirst(t *testing.T) {
	for _, name := range []string{"a.go", "a.md", "a.vim", "a.vb", "a.bat", "a.sql", "a.hs", "a.ml",
		"a.lua", "a.html", "Makefile"} {
		signs := text.CommentSigns(name)
		for i, s := range signs {
			if hidden := slices.IndexFunc(signs[i+1:],
				func(l text.CommentSign) bool { return strings.HasPrefix(l.Open, s.Open) }); hidden >= 0 {
				t.Errorf("%s: %q hides %q", name, s.Open, signs[i+1+hidden].Open)
			}
		}
	}
}

func TestInString(t *testing.T) {
	for line, want := range map[string]bool{ // the bar is the place
		`f("a|b")`:         true,
		`f("ab"|)`:         false,
		`f("a\"|b")`:       true,
		`f('"|', x)`:       true,
		`f('"', |x)`:       false,
		"`a|`":             true,
		`it's| never over`: true,
		`|"a"`:             false,
	} {
		before, after, _ := strings.Cut(line, "|")
		if got := text.InString([]byte(before+after), len(before)); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

func TestStringLen(t *testing.T) {
	for line, want := range map[string]int{`"a b" + c`: 5, `'it\'s' x`: 7, "`a`": 3, `""`: 2,
		`"open`: 0, `'`: 0, `"a\"`: 0} {
		if got := text.StringLen([]byte(line)); got != want {
			t.Errorf("%s is %d bytes long, want %d", line, got, want)
		}
	}
}

func TestUnescape(t *testing.T) {
	for _, tt := range []struct{ line, signs, want string }{
		{`a`, `"`, `a`},
		{`\"a\"`, `"`, `"a"`},
		{`\'a\"`, `"`, `\'a"`},
		{`\\n`, `\`, `\n`},
		{`\\\\`, `\`, `\\`},
		{`\\"`, `\"`, `\"`},
		{`\\"`, `"`, `\"`},
		{`\n\`, `"`, `\n\`},
		{`\<\<\<`, `<=>`, `<<<`},
	} {
		if got := string(text.Unescape([]byte(tt.line), tt.signs)); got != tt.want {
			t.Errorf("%s without backslashes before %s is %s, want %s", tt.line, tt.signs, got, tt.want)
		}
	}
}

func TestBlanks(t *testing.T) {
	for line, want := range map[string]bool{"": true, " \t\r\n": true, "\f": true,
		"\u00a0\u3000": true, "\ufeff": false, " x": false, "\u00a0x": false} {
		if got := text.Blank([]byte(line)); got != want {
			t.Errorf("%q is blank: %v, want %v", line, got, want)
		}
	}
	for line, want := range map[string]string{"a": "a", "a\n": "a", "a\r\n": "a", "a\r": "a",
		"a\n\n": "a\n", "\n": ""} {
		if got := string(text.Chomp([]byte(line))); got != want {
			t.Errorf("%q without its line end is %q, want %q", line, got, want)
		}
	}
	if got := string(text.Margin([]byte(" \t \u00a0x"))); got != " \t " {
		t.Errorf("the margin is %q", got)
	}
}
