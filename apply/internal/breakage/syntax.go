package breakage

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"strings"

	"github.com/srpatch/srpatch/internal/warning"
)

// fault is why a text cannot be parsed, and where.
type fault struct {
	offset int
	says   string
}

// parsers are the languages that are parsed, by the ends of names. Each gives what is wrong with a text, nil for nothing.
func parserOf(name string) func([]byte) *fault {
	switch ext := strings.ToLower(path.Ext(name)); {
	case ext == ".go":
		return goFault
	case isLooseJSON(name, ext):
		return looseJSONFault
	case ext == ".json" || ext == ".geojson" || ext == ".webmanifest" || ext == ".ipynb":
		return jsonFault
	case ext == ".jsonl" || ext == ".ndjson":
		return jsonLinesFault
	}
	return nil
}

// isLooseJSON reports whether a file of JSON may have comments and commas before closing brackets, as its program takes them.
func isLooseJSON(name, ext string) bool {
	base := path.Base(name)
	return ext == ".jsonc" || ext == ".code-workspace" || strings.HasPrefix(base, "tsconfig") || strings.HasPrefix(base, "jsconfig") ||
		strings.HasPrefix(base, ".") || base == "devcontainer.json" || strings.Contains("/"+name, "/.vscode/")
}

// brokenSyntax finds that a file cannot be parsed any more, or, where it was not parsed before, that its brackets are out of balance.
func brokenSyntax(c *Change) *Finding {
	parse := parserOf(c.Path)
	if parse == nil {
		return unbalanced(c)
	}
	if path.Ext(c.Path) == ".go" {
		if !isGo(c.Before) {
			return unbalanced(c)
		}
		if c.declarationsParse() {
			return nil
		}
	}
	now := parse(c.After)
	if now == nil {
		return nil
	}
	if parse(c.Before) != nil {
		if parse = looseJSONFault; path.Ext(c.Path) != ".json" || parse(c.Before) != nil {
			return unbalanced(c)
		}
		if now = parse(c.After); now == nil {
			return nil
		}
	}
	f := c.at(warning.NotParsed, c.blamed(now.offset), now.offset, "no longer parses: %s; look above it for a lost or repeated line", now.says)
	return &f
}

func goFault(text []byte) *fault {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if list, ok := errors.AsType[scanner.ErrorList](err); ok && len(list) > 0 {
		return &fault{list[0].Pos.Offset, list[0].Msg}
	}
	return nil
}

// isGo reports whether text begins as Go does, with the name of a package. What does not cannot be parsed, and is not read to the end to see
// that.
func isGo(text []byte) bool {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	for _, want := range []token.Token{token.PACKAGE, token.IDENT, token.SEMICOLON} {
		if _, have, _ := s.Scan(); have != want {
			return false
		}
	}
	return s.ErrorCount == 0
}

// declarationsParse reports whether the declarations in which the spans are can be parsed by themselves; then nothing that could be parsed
// before is broken, and the rest of a large file need not be read. A line in a comment or a string may look like the first one of a
// declaration; only an edit that has to do with the ends of those breaks anything there.
func (c *Change) declarationsParse() bool {
	done := 0
	for _, s := range c.Spans {
		if s.AfterEnd <= done && done > 0 {
			continue
		}
		if endsLiteral(c.removed(s)) {
			return false
		}
		from := s.AfterStart
		for from > 0 && !beginsDeclaration(c.After[from:s.AfterStart]) {
			from = bytes.LastIndexByte(c.After[:from-1], '\n') + 1
		}
		if from == 0 {
			return false
		}
		for done = s.AfterEnd; done < len(c.After); {
			done += lineLen(c.After[done:]) + 1
			if beginsDeclaration(c.After[min(done, len(c.After)):]) {
				break
			}
		}
		done = min(done, len(c.After))
		if goFault(append([]byte("package p\n"), c.After[from:done]...)) != nil {
			return false
		}
	}
	return true
}

// endsLiteral reports whether text may end a comment or a string of several lines, or begin one.
func endsLiteral(text []byte) bool {
	return bytes.IndexByte(text, '`') >= 0 || bytes.Contains(text, []byte("*/")) || bytes.Contains(text, []byte("/*"))
}

func beginsDeclaration(text []byte) bool {
	for _, word := range []string{"func ", "type ", "var ", "const "} {
		if bytes.HasPrefix(text, []byte(word)) {
			return true
		}
	}
	return false
}

func jsonFault(text []byte) *fault {
	err := json.Unmarshal(text, new(json.RawMessage))
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &fault{max(int(e.Offset)-1, 0), e.Error()}
	}
	return nil
}

func jsonLinesFault(text []byte) *fault {
	at := 0
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			if f := jsonFault(line); f != nil {
				return &fault{at + f.offset, f.says}
			}
		}
		at += len(line)
	}
	return nil
}

// looseJSONFault is what is wrong apart from comments and from commas before closing brackets.
func looseJSONFault(text []byte) *fault {
	plain := bytes.Clone(text)
	comma := -1 // nothing but blanks and comments after it
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if plain[i] != '\n' {
				plain[i] = ' '
			}
		}
	}
	at := 0
	pass := func(to int) { // code
		for ; at < to; at++ {
			switch c := text[at]; {
			case c == ',':
				comma = at
			case c > ' ':
				comma = -1
			}
		}
	}
	for t := range languageOf(".json").scan(text) {
		pass(t.from)
		switch {
		case t.hidden && text[t.from] == '/':
			blank(t.from, t.to)
		case !t.hidden && comma >= 0 && (text[t.from] == '}' || text[t.from] == ']'):
			blank(comma, comma+1)
			comma = -1
		default:
			comma = -1
		}
		at = t.to
	}
	return jsonFault(plain)
}
