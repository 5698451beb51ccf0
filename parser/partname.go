package parser

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// partName is a name in brackets that begins or ends a part of a reply: <think>, [/THINK], ◁think▷,
// <|end_of_thought|>, <unused94>thought. Models are trained with different brackets, so such a name
// is recognised by its words, not by its brackets.
type partName struct {
	quote        // the quote that the name begins; its kind is noQuote if the name has no known meaning
	ends  bool   // the name ends a part
	rest  []byte // rest of the line
}

// begins reports whether the line begins a quote. The rest of the line may show that it is instead
// a link, or a sentence about such a tag.
func (p *partName) begins() bool {
	return p.kind != noQuote && !p.ends && (len(p.rest) == 0 || strings.IndexByte(" (:", p.rest[0]) < 0)
}

// endsThoughts reports whether the line consists only of the tag or title that ends thoughts.
func (p *partName) endsThoughts() bool { return p.ends && p.kind == draft && len(p.rest) == 0 }

// beginQuotes contains the first bytes of lines that may begin a quote or end one.
const beginQuotes = "<[◁►"

// maxPartName is the number of bytes of a line that are searched for a part name.
const maxPartName = 240

// channelToken precedes the name of a channel. Some models write their thoughts to one channel and
// the answer to another.
const channelToken = "<|channel|>"

// The titles that aider writes instead of tags before and after thoughts.
const (
	aiderThinks  = "► **THINKING**"
	aiderAnswers = "► **ANSWER**"
)

// partHead matches the name at the beginning of a line: the bracket, a slash, the name, the
// attributes, and the closing bracket. brackets lists the pairs of brackets.
var partHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(<\|?|<｜|◁|\[)(/?)([A-Za-z_][\w-]*(?:[.:]+[\w-]*)*)` +
		`(` + attributes + `)(\|?>|｜>|▷|\])`)
})

// attributes matches the attributes in a tag, with the blanks around them.
const attributes = `(?:[ \t](?:"[^"]*"|'[^']*'|[^"'>])*)?`

// unused, followed by a number, is the name of a token to which a model gave a meaning. The token
// with the next number ends the part.
const unused = "unused"

const brackets = " <> <||> <|> <｜｜> ◁▷ [] "

// partNameOf reads the part name at the beginning of a line: <think>, </think>, <block
// type="thinking">, <details><summary>Reasoning. Its kind is noQuote unless there is a name with a
// known meaning.
func partNameOf(line []byte) partName {
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return partName{quote: quote{kind: comment, end: "-->"}}
	case bytes.HasPrefix(line, []byte(aiderThinks)):
		return partName{quote: quote{kind: draft, end: aiderAnswers}}
	case string(line) == aiderAnswers:
		return partName{quote: quote{kind: draft}, ends: true}
	case thoughtTitle().Match(line):
		return partName{quote: quote{kind: draft, end: "</details>"}}
	}
	line = line[:min(len(line), maxPartName)]
	if name, ok := bytes.CutPrefix(line, []byte("</")); ok {
		if i := bytes.IndexByte(name, '>'); i > 0 && i == len(name)-1 { // the name may have blanks
			return partName{quote: quote{kind: kindOf(wordsOf(string(name[:i])))}, ends: true}
		}
	}
	if i := bytes.LastIndex(line, []byte(channelToken)); i > 0 && bytes.HasPrefix(line, []byte("<|")) {
		line = line[i:] // after the ends of earlier parts
	}
	m := partHead().FindSubmatch(line)
	if m == nil {
		return partName{}
	}
	b := bracketed{open: string(m[1]), name: string(m[3]), attributes: m[4], shut: string(m[5])}
	p := partName{ends: len(m[2]) > 0, rest: line[len(m[0]):]}
	b.describe(&p)
	return p
}

// bracketed is a name between brackets, with its attributes, which only tags have.
type bracketed struct {
	open, name, shut string
	attributes       []byte
}

// describe sets the kind of the part p whose name is b, and how it ends. A name without a known
// meaning counts if a word for thoughts follows: <|channel|>analysis. If the brackets don't belong
// together, or a tag is self-closing, the kind stays noQuote.
func (b *bracketed) describe(p *partName) {
	isTag, isToken := b.open == "<" && b.shut == ">", b.open == "<|" && b.shut == "|>"
	if !strings.Contains(brackets, " "+b.open+b.shut+" ") || len(b.attributes) > 0 && !isTag ||
		bytes.HasSuffix(b.attributes, []byte("/")) {
		return
	}
	p.ends = p.ends || b.open == "<" && b.shut == "|>"
	p.kind, p.end = kindOf(wordsOf(b.name)), b.open+"/"+b.name+b.shut
	if b.open == "<|" && b.shut == ">" { // <|channel>thought ends with <channel|>
		p.end = "<" + b.name + "|>"
	}
	switch {
	case p.kind != noQuote:
		p.byWords(b.name, b.open, b.shut)
	case saysThought().Match(b.attributes):
		p.kind = draft
	case !beginsThought(p.rest):
	case strings.HasPrefix(b.name, unused): // tokens to which a model gave a meaning
		n, _ := strconv.Atoi(b.name[len(unused):])
		p.kind, p.end = draft, fmt.Sprintf("<%s%d>", unused, n+1)
	case isToken: // the next name in the same brackets ends the part
		p.kind, p.end = draft, b.open+b.name+b.shut
	case b.open == "<|":
		p.kind = draft
	}
}

// thoughtWord matches the words for the thoughts before an answer.
const thoughtWord = `(?i:think|thinking|thoughts?|reasoning|scratchpad|analysis)`

// saysThought matches attributes of a tag that say that the element contains thoughts;
// thoughtTitle matches a title that says it of the details below; thoughtName matches such a word
// that is alone on its line or directly before "<", like the name of a channel.
var (
	saysThought = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[ \t](?:type|class|kind|channel)=["']?` + thoughtWord + `(?:["'\s]|$)`)
	})
	thoughtTitle = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:<details` + attributes + `>\s*)?<summary` + attributes + `>[^a-zA-Z]*` +
			thoughtWord + `(?:[^a-zA-Z]|$)`)
	})
	thoughtName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^` + thoughtWord + `(?:[<\r\n]|$)`)
	})
)

// beginsThought reports whether a text begins with a word for thoughts that is alone on its line or
// directly before "<".
func beginsThought(text []byte) bool { return thoughtName().Match(text) }

// byWords sets end or ends if a word in the name, which is between two brackets, says that the name
// begins or ends the part: <|end_of_thought|> ends the part that begins with <|begin_of_thought|>.
func (p *partName) byWords(name, open, shut string) {
	for _, w := range strings.Fields(wordsOf(name)) {
		switch w {
		case "end", "stop":
			p.ends = true
		case "begin", "start":
			ends := strings.NewReplacer("begin", "end", "BEGIN", "END", "start", "end", "START", "END")
			p.end = open + ends.Replace(name) + shut
		}
	}
}

// nameKind is a kind of part and the pattern of the last words in the names of such parts.
type nameKind struct {
	kind  quoteKind
	words *regexp.Regexp
}

// nameKinds returns the table of the kinds. Models and the programs around them form names from the
// same few words, and the last word says what the content is: <function_results>, <bash-stdout>,
// <example_2>. An "output" may also be an answer, unless a word before it names a tool.
var nameKinds = sync.OnceValue(func() []nameKind {
	row := func(kind quoteKind, words string) nameKind {
		return nameKind{kind, regexp.MustCompile(`\b(?:` + words + `)$`)}
	}
	return []nameKind{
		row(toolSaid, `stdout|stderr|observations?`),
		row(toolSaid, `(?:tools?|functions?|call|command|cmd|shell|bash|zsh|powershell|terminal|console|`+
			`exec|execution|run|tests?|search|grep|build|git|mcp|action|process|program)`+
			` (?:.* )?(?:outputs?|results?|responses?)`),
		row(mayBeTool, `^(?:outputs?|results?)`), // a "response" may be the answer
		row(userSaid, `(?:user|system|environment)`+
			` (?:.* )?(?:query|input|message|request|prompt|reminder|details|instructions)`),
		row(sample, `examples?|samples?|illustration|demonstration|quote|blockquote`),
		row(draft, thoughtWord+`(?: .*)?`), // <thought_process>, <thinking_block>, <begin_of_thought>
	}
})

// kindOf returns the kind of a part with the given words in its name, separated by blanks. The first
// row of nameKinds that matches decides.
func kindOf(words string) quoteKind {
	for _, row := range nameKinds() {
		if row.words.MatchString(words) {
			return row.kind
		}
	}
	return noQuote
}

// wordEnd matches the place between two words of a name; see wordsOf.
var wordEnd = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[-_:.0-9]+|([a-z])([A-Z])`)
})

// wordsOf returns the words of a name, in lower case and without numbers. For example, "toolResult",
// "tool_result" and "tool-result-2" all give "tool result".
func wordsOf(name string) string {
	return strings.TrimSpace(strings.ToLower(wordEnd().ReplaceAllString(name, "$1 $2")))
}

// saysSomething reports whether the text between two offsets contains any line other than blank
// lines, tags and fences.
func (c *context) saysSomething(from, end int) bool {
	for line := range bytes.Lines(c.in.buf[max(from, end-lookBack, 0):end]) {
		if _, fence := mdline.ParseFence(line); !fence && !text.Blank(line) && !isTag(line) {
			return true
		}
	}
	return false
}

// isTag reports whether a line consists of a single tag.
func isTag(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 2 && line[0] == '<' && bytes.IndexByte(line, '>') == len(line)-1 &&
		(line[1] == '/' || mdline.IsLetter(line[1]))
}
