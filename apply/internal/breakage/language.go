package breakage

import (
	"path"
	"strings"
)

// language is what hides brackets in the files of a language: its comments and literals. The table in internal/text has signs that may begin
// a comment in some language; here a sign too many would hide brackets, so each language has its own.
type language struct {
	// files are the extensions, each with a blank after it.
	files string
	// lines begin comments that the end of the line ends, blocks are around the others.
	lines    []string
	blocks   [][2]string
	literals []literal

	nested    bool // comments are within each other
	chars     bool // a single quote is around one character, or a mark of a name
	patterns  bool // regular expressions are between slashes
	templates bool // text between backticks has code in it
	heres     bool // here-documents
	backslash bool // the character after a backslash is literal
	question  bool // and that after a question mark
	hashRaw   bool // r#"..."#
	cRaw      bool // R"(...)"
	branches  bool // of #if and #else one is compiled

	// only are the brackets that count; "" for all.
	only string

	// begins are the first bytes of all that hides brackets.
	begins [256]bool
}

// counted are the brackets that count.
func (l *language) counted() string {
	if l.only != "" {
		return l.only
	}
	return brackets
}

// literal is how a string begins and ends.
type literal struct {
	open, close string
	// escapes: a backslash takes the meaning of the next byte. spans: it may have several lines.
	escapes, spans bool
}

// len is the length of a literal after what opens it. One that its line does not end is none.
func (q literal) len(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case q.escapes && text[i] == '\\':
			i++
		case text[i] == q.close[0] && strings.HasPrefix(string(text[i:min(len(text), i+len(q.close))]), q.close):
			return i + len(q.close)
		case text[i] == '\n' && !q.spans:
			return i
		}
	}
	return len(text)
}

// Literals and comments of several languages.
var (
	double   = literal{`"`, `"`, true, false}
	single   = literal{`'`, `'`, true, false}
	doubles  = literal{`"""`, `"""`, true, true}
	singles  = literal{`'''`, `'''`, true, true}
	longer   = literal{`"`, `"`, true, true}
	verbatim = literal{`'`, `'`, false, true}
	back     = literal{"`", "`", false, true}
	slashes  = []string{"//"}
	hash     = []string{"#"}
	stars    = [][2]string{{"/*", "*/"}}
)

// languages are those whose brackets are counted. Others have brackets that are text, as markup, or too many rules.
var languages = []language{
	{files: ".go ", lines: slashes, blocks: stars, literals: []literal{double, back}, chars: true},
	{files: ".c .h .cc .cpp .cxx .hh .hpp .hxx .ino .cu .m .mm ", lines: slashes, blocks: stars, literals: []literal{double}, chars: true, cRaw: true, branches: true},
	{files: ".java .kt .kts .groovy .gradle ", lines: slashes, blocks: stars, literals: []literal{doubles, singles, double, single}},
	{files: ".scala .sc ", lines: slashes, blocks: stars, nested: true, literals: []literal{doubles, double}, chars: true},
	{files: ".cs ", lines: slashes, blocks: stars, literals: []literal{{`@"`, `"`, false, true}, {`$@"`, `"`, false, true}, {`"""`, `"""`, false, true}, double}, chars: true, branches: true},
	{files: ".swift ", lines: slashes, blocks: stars, nested: true, literals: []literal{doubles, double}, hashRaw: true, branches: true},
	{files: ".dart ", lines: slashes, blocks: stars, literals: []literal{doubles, singles, double, single}},
	{files: ".rs ", lines: slashes, blocks: stars, nested: true, literals: []literal{longer}, chars: true, hashRaw: true},
	{files: ".zig ", lines: []string{"//", `\\`}, literals: []literal{double}, chars: true},
	{files: ".js .cjs .mjs .jsx .ts .cts .mts .tsx ", lines: slashes, blocks: stars, literals: []literal{double, single}, patterns: true, templates: true},
	{files: ".json .jsonc .json5 .code-workspace ", lines: slashes, blocks: stars, literals: []literal{double, single}},
	{files: ".css ", blocks: stars, literals: []literal{double, single}},
	{files: ".scss .less ", lines: slashes, blocks: stars, literals: []literal{double, single}},
	{files: ".proto .thrift ", lines: slashes, blocks: stars, literals: []literal{double, single}},
	{files: ".php ", lines: []string{"//", "#"}, blocks: stars, literals: []literal{longer, {`'`, `'`, true, true}}, heres: true},
	{files: ".py .pyi ", lines: hash, literals: []literal{doubles, singles, double, single}},
	{files: ".rb .rake ", lines: hash, blocks: [][2]string{{"\n=begin", "\n=end"}}, literals: []literal{longer, {`'`, `'`, true, true}}, patterns: true, heres: true, backslash: true, question: true},
	{files: ".ex .exs ", lines: hash, literals: []literal{doubles, singles, longer, single}, backslash: true, question: true},
	{files: ".sh .bash .zsh ", lines: hash, literals: []literal{longer, verbatim}, heres: true, backslash: true, only: "{}"},
	{files: ".tf .hcl ", lines: []string{"#", "//"}, blocks: stars, literals: []literal{double}, heres: true},
	{files: ".toml ", lines: hash, literals: []literal{doubles, {`'''`, `'''`, false, true}, double, {`'`, `'`, false, false}}},
	{files: ".r .jl ", lines: hash, blocks: [][2]string{{"#=", "=#"}}, literals: []literal{doubles, longer}, chars: true},
	{files: ".lua ", lines: []string{"--"}, blocks: [][2]string{{"--[[", "]]"}, {"[[", "]]"}, {"--[=[", "]=]"}, {"[=[", "]=]"}, {"--[==[", "]==]"}, {"[==[", "]==]"}}, literals: []literal{double, single}},
	{files: ".sql .psql ", lines: []string{"--"}, blocks: stars, literals: []literal{verbatim, {`"`, `"`, false, false}}},
	{files: ".hs .elm .purs ", lines: []string{"--"}, blocks: [][2]string{{"{-", "-}"}}, nested: true, literals: []literal{double}, chars: true},
	{files: ".clj .cljs .cljc .edn .el .lisp .cl .scm .rkt ", lines: []string{";"}, blocks: [][2]string{{"#|", "|#"}}, nested: true, literals: []literal{longer}, backslash: true},
}

// languageOf is the language of the file of this name; nil if its brackets are not counted.
func languageOf(name string) *language {
	ext := strings.ToLower(path.Ext(name))
	if ext == "" {
		return nil
	}
	ext += " "
	for k := range languages {
		if strings.Contains(languages[k].files, ext) {
			l := languages[k]
			l.noteBegins()
			return &l
		}
	}
	return nil
}

// noteBegins notes the first bytes of all that hides brackets.
func (l *language) noteBegins() {
	for _, sign := range l.lines {
		l.begins[sign[0]] = true
	}
	for _, b := range l.blocks {
		l.begins[b[0][0]] = true
	}
	for _, q := range l.literals {
		l.begins[q.open[0]] = true
	}
	note := func(signs string, set bool) {
		for _, c := range []byte(signs) {
			l.begins[c] = l.begins[c] || set
		}
	}
	note("'", l.chars)
	note(`\`, l.backslash)
	note("?", l.question)
	note("/", l.patterns)
	note("`}", l.templates)
	note("<", l.heres)
	note("rR#", l.hashRaw || l.cRaw || l.branches)
}
