package parser

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// partName is a name in brackets that begins or ends a part of a reply: <think>, [/THINK], ◁think▷,
// <|end_of_thought|>, <unused94>thought. Models are trained with different brackets, so such a name
// is recognised by its words, not by its brackets.
type partName struct {
	kind shownKind
	end  string // text that ends the part
	ends bool   // the name ends a part
	rest []byte // rest of the line
}

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

// firstOfPartName contains the first characters of part names.
const firstOfPartName = "<[◁"

// partNameOf reads the part name at the beginning of a line. Its kind is noQuote unless there is a
// name with a known meaning. A name without one counts if a word for thoughts follows:
// <|channel|>analysis.
func partNameOf(line []byte) partName {
	line = line[:min(len(line), maxQuoteTag)]
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
		name := string(inner[:n])
		p := partName{kind: kindOfTag(name), end: b[2] + name + b[3], ends: slash, rest: rest}
		switch {
		case p.kind != noQuote:
			p.byWords(name, b[0], b[1])
		case b[0] == "<|" && beginsThought(rest):
			p.kind = draft
			if b[1] == "|>" { // the next name in the same brackets ends the part
				p.end = b[0] + name + b[1]
			}
		}
		return p
	}
	return partName{}
}

// channelToken precedes the name of a channel. Some models write their thoughts to one channel and
// the answer to another.
const channelToken = "<|channel|>"

// elementName reads the part name in the XML tag that a line begins with: <think>, </think>, <block
// type="thinking">, <unused94>thought, <details><summary>Reasoning. The kind is noQuote if there is
// no tag or its name has no known meaning.
func elementName(line []byte) partName {
	if name, ok := bytes.CutPrefix(line, []byte("</")); ok {
		name, closed := bytes.CutSuffix(name, []byte(">"))
		if !closed {
			return partName{}
		}
		return partName{kind: kindOfTag(string(name)), ends: true}
	}
	name, tag, rest := mdline.OpeningTag(line)
	p := partName{kind: kindOfTag(string(name)), end: "</" + string(name) + ">", rest: rest}
	switch {
	case len(tag) == 0:
		return partName{}
	case p.kind != noQuote:
		p.byWords(string(name), "<", ">")
	case saysThought(tag):
		p.kind = draft
	case unusedToken(name) >= 0 && beginsThought(rest): // an unused token; the token with the next number ends the part
		p.kind, p.end = draft, fmt.Sprintf("<%s%d>", unusedPrefix, unusedToken(name)+1)
	case string(name) == "details" || string(name) == "summary":
		title := bytes.TrimPrefix(bytes.TrimSpace(rest), []byte("<summary>"))
		words := strings.FieldsFunc(string(title), func(r rune) bool {
			return !('a' <= r|' ' && r|' ' <= 'z')
		})
		if len(words) > 0 && isThought(words[0]) &&
			(string(name) == "summary" || bytes.Contains(rest, []byte("<summary>"))) {
			p.kind, p.end, p.rest = draft, "</details>", nil
		}
	}
	return p
}

// unusedPrefix followed by a number is the name of an unused token to which a model gave a meaning.
const unusedPrefix = "unused"

// unusedToken returns the number of an unused token, or -1 for any other name.
func unusedToken(name []byte) int {
	if number, ok := bytes.CutPrefix(name, []byte(unusedPrefix)); ok {
		if n, err := strconv.Atoi(string(number)); err == nil {
			return n
		}
	}
	return -1
}

// byWords sets end or ends if a word in the name says that the name begins or ends the part. For
// example, <|end_of_thought|> ends the part that begins with <|begin_of_thought|>. open and shut
// are the brackets around the name.
func (p *partName) byWords(name, open, shut string) {
	for _, w := range wordsOf(name) {
		switch w {
		case "end", "stop":
			p.ends = true
		case "begin", "start":
			ends := strings.NewReplacer("begin", "end", "BEGIN", "END", "start", "end", "START", "END")
			p.end = open + ends.Replace(name) + shut
		}
	}
}

// saysThought reports whether a tag's type, class, kind or channel attribute says that the element
// contains thoughts.
func saysThought(tag []byte) bool {
	for _, key := range [...]string{` type="`, ` class="`, ` kind="`, ` channel="`} {
		if _, value, ok := bytes.Cut(tag, []byte(key)); ok {
			if value, _, _ = bytes.Cut(value, []byte{'"'}); isThought(string(value)) {
				return true
			}
		}
	}
	return false
}

// beginsThought reports whether a text begins with a word for thoughts that is alone on its line or
// directly before "<", like the name of a channel.
func beginsThought(text []byte) bool {
	n := nameLength(text)
	return isThought(string(text[:n])) && (n == len(text) || bytes.IndexByte([]byte("<\r\n"), text[n]) >= 0)
}

// isThought reports whether a word means the thoughts before an answer.
func isThought(word string) bool {
	switch strings.ToLower(word) {
	case "think", "thinking", "thought", "thoughts", "reasoning", "scratchpad", "analysis":
		return true
	}
	return false
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
