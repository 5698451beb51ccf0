package parser

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// partName is a name in brackets that begins or ends a part of a reply: <think>, [/THINK], ◁think▷,
// <|end_of_thought|>, <unused94>thought. Models are trained with different brackets, so such a name
// is recognised by its words, not by its brackets.
type partName struct {
	quote        // the quote that the name begins; noQuote if the name has no known meaning
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

// brackets lists the brackets around the name at a part's beginning, followed by those around the
// name at its end. Longer brackets come first. A tag between "<" and ">" may have attributes, so
// [elementName] reads it.
func brackets() [5][4]string {
	return [...][4]string{
		{"<|", "|>", "<|/", "|>"},
		{"<|", ">", "<", "|>"},
		{"<｜", "｜>", "<｜/", "｜>"},
		{"◁", "▷", "◁/", "▷"},
		{"[", "]", "[/", "]"},
	}
}

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

// partNameOf reads the part name at the beginning of a line. Its kind is noQuote unless there is a
// name with a known meaning. A name without one counts if a word for thoughts follows:
// <|channel|>analysis.
func partNameOf(line []byte) partName {
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return partName{quote: quote{kind: comment, end: "-->"}}
	case bytes.HasPrefix(line, []byte(aiderThinks)):
		return partName{quote: quote{kind: draft, end: aiderAnswers}}
	case string(line) == aiderAnswers:
		return partName{quote: quote{kind: draft}, ends: true}
	}
	line = line[:min(len(line), maxPartName)]
	if i := bytes.LastIndex(line, []byte(channelToken)); i > 0 && bytes.HasPrefix(line, []byte("<|")) {
		line = line[i:] // after the ends of earlier parts
	}
	if p := elementName(line); p.kind != noQuote {
		return p
	}
	for _, b := range brackets() { // two around a part's first name, two around its last
		inner, ok := bytes.CutPrefix(line, []byte(b[0]))
		if !ok {
			continue
		}
		inner, slash := bytes.CutPrefix(inner, []byte("/"))
		n := nameLength(inner)
		rest, closed := bytes.CutPrefix(inner[n:], []byte(b[1]))
		if n == 0 || !closed {
			continue
		}
		p := partName{ends: slash, rest: rest}
		p.byWords(string(inner[:n]), b)
		if p.kind == noQuote && b[0] == "<|" && beginsThought(rest) {
			p.kind = draft
			if b[1] == "|>" { // the next name in the same brackets ends the part
				p.end = b[0] + string(inner[:n]) + b[1]
			}
		}
		return p
	}
	return partName{}
}

// thoughtWord matches the words for the thoughts before an answer.
const thoughtWord = `(?i:think|thinking|thoughts?|reasoning|scratchpad|analysis)`

// saysThought matches a tag with an attribute that says that the element contains thoughts;
// thoughtTitle matches a title that says it of the details below; thoughtName matches such a word
// that is alone on its line or directly before "<", like the name of a channel.
var (
	saysThought = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(` (?:type|class|kind|channel)="` + thoughtWord + `"`)
	})
	thoughtTitle = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:<details[^>]*>\s*)?<summary[^>]*>[^a-zA-Z]*` + thoughtWord + `(?:[^a-zA-Z]|$)`)
	})
	thoughtName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^` + thoughtWord + `(?:[<\r\n]|$)`)
	})
)

// beginsThought reports whether a text begins with a word for thoughts that is alone on its line or
// directly before "<".
func beginsThought(text []byte) bool { return thoughtName().Match(text) }

// elementName reads the part name in the XML tag that a line begins with: <think>, </think>, <block
// type="thinking">, <unused94>thought, <details><summary>Reasoning. The kind is noQuote if there is
// no tag or its name has no known meaning.
func elementName(line []byte) partName {
	if name, ok := bytes.CutPrefix(line, []byte("</")); ok {
		name, closed := bytes.CutSuffix(name, []byte(">"))
		if !closed {
			return partName{}
		}
		return partName{quote: quote{kind: kindOfTag(wordsOf(string(name)))}, ends: true}
	}
	name, tag, rest := mdline.OpeningTag(line)
	if len(tag) == 0 {
		return partName{}
	}
	p := partName{rest: rest}
	p.byWords(string(name), [4]string{"<", ">", "</", ">"})
	switch {
	case p.kind != noQuote:
	case saysThought().Match(tag):
		p.kind = draft
	case string(name) == "unused94" && beginsThought(rest): // tokens to which a model gave a meaning
		p.kind, p.end = draft, "<unused95>"
	case thoughtTitle().Match(line):
		p.kind, p.end, p.rest = draft, "</details>", nil
	}
	return p
}

// byWords sets the kind and the end of the part, which begins with a name in the brackets b. The
// words of the name may also say that it ends the part, or begins it: <|end_of_thought|> ends the
// part that begins with <|begin_of_thought|>.
func (p *partName) byWords(name string, b [4]string) {
	words := wordsOf(name)
	p.kind, p.end = kindOfTag(words), b[2]+name+b[3]
	if p.kind == noQuote {
		return
	}
	for _, w := range words {
		switch w {
		case "end", "stop":
			p.ends = true
		case "begin", "start":
			ends := strings.NewReplacer("begin", "end", "BEGIN", "END", "start", "end", "START", "END")
			p.end = b[0] + ends.Replace(name) + b[1]
		}
	}
}

// kindOfTag returns the kind of an element's content, judging by the words of its name. Models and
// the programs around them form such names from the same few words, and the last word says what the
// content is: <function_results>, <bash-stdout>, <example_2>. An "output" may also be an answer,
// unless a word before it names a tool.
func kindOfTag(words []string) quoteKind {
	if len(words) == 0 {
		return noQuote
	}
	before := words[:len(words)-1]
	switch last := words[len(before)]; last {
	case "stdout", "stderr", "observation", "observations":
		return toolSaid
	case "output", "outputs", "result", "results", "response", "responses":
		if slices.ContainsFunc(before, isActor) {
			return toolSaid
		}
		if len(before) == 0 && !strings.HasPrefix(last, "resp") { // a "response" may be the answer
			return mayBeTool
		}
	case "query", "input", "message", "request", "prompt", "reminder", "details", "instructions":
		user := func(w string) bool { return w == "user" || w == "system" || w == "environment" }
		if slices.ContainsFunc(before, user) {
			return userSaid
		}
	case "example", "examples", "sample", "samples", "illustration", "demonstration", "quote", "blockquote":
		return sample
	}
	if slices.ContainsFunc(words, isThought) { // <thought_process>, <thinking_block>, <begin_of_thought>
		return draft
	}
	return noQuote
}

// isThought reports whether a word means the thoughts before an answer.
func isThought(word string) bool { return beginsThought([]byte(word)) }

// isActor reports whether a word in a tag's name refers to a tool or command that produces output.
func isActor(word string) bool {
	return strings.Contains(" tool tools function functions call command cmd shell bash zsh powershell"+
		" terminal console exec execution run test tests search grep build git mcp action process"+
		" program ", " "+word+" ")
}

// wordEnd matches the place between two words of a name; see wordsOf.
var wordEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[-_:.0-9]+|([a-z])([A-Z])`) })

// wordsOf splits a name into its words, in lower case and without numbers. For example,
// "toolResult", "tool_result" and "tool-result-2" all give "tool" and "result".
func wordsOf(name string) []string {
	return strings.Fields(strings.ToLower(wordEnd().ReplaceAllString(name, "$1 $2")))
}

// nameLength returns the length, in bytes, of the name at the start of text.
func nameLength(text []byte) int {
	for i, c := range text {
		if !mdline.IsLetter(c) && c != '-' && (c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
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
