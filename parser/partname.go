package parser

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// partName is a name in brackets that begins or ends a part of a reply: <think>, [/THINK], ◁think▷,
// <|end_of_thought|>, <unused94>thought. Models are trained with signs of their own for it, so it
// is known by its words, and not by its brackets.
type partName struct {
	kind shownKind
	end  string // what ends the part
	ends bool   // whether it is such an end
	rest []byte // of the line
}

// brackets are those around the name of a part, and the end of the part with that name. The longer
// ones come first. A tag between "<" and ">" may have attributes, so it is read in [elementName].
func brackets() [5][4]string {
	return [...][4]string{
		{"<|", "|>", "<|/", "|>"},
		{"<|", ">", "<", "|>"},
		{"<｜", "｜>", "<｜/", "｜>"},
		{"◁", "▷", "◁/", "▷"},
		{"[", "]", "[/", "]"},
	}
}

// firstOfPartName has the bytes with which such a name begins.
const firstOfPartName = "<[◁"

// partNameOf reads the name at the beginning of a line; its kind is noQuote if there is none that
// says something.
func partNameOf(line []byte) partName {
	line = line[:min(len(line), maxQuoteTag)]
	if i := bytes.LastIndex(line, []byte(channelToken)); i > 0 && bytes.HasPrefix(line, []byte("<|")) {
		line = line[i:] // below the ends of the parts before it
	}
	if p := elementName(line); p.kind != noQuote {
		return p
	}
	for _, b := range brackets() {
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
			if p.end = b[0] + name + b[1]; b[1] == ">" {
				p.end = b[2] + name + b[3]
			}
		}
		return p
	}
	return partName{}
}

// channelToken comes before the name of a channel, of which some models have one for thoughts and
// one for the answer.
const channelToken = "<|channel|>"

// elementName reads a tag of XML.
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
	case spare(name) >= 0 && beginsThought(rest): // a sign that a tokenizer has to spare: the next one ends it
		p.kind, p.end = draft, fmt.Sprintf("<%s%d>", spareSign, spare(name)+1)
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

// spareSign and a number is the name of a sign without a meaning, to which a model gives one.
const spareSign = "unused"

// spare is the number of such a sign; -1 for any other name.
func spare(name []byte) int {
	if number, ok := bytes.CutPrefix(name, []byte(spareSign)); ok {
		if n, err := strconv.Atoi(string(number)); err == nil {
			return n
		}
	}
	return -1
}

// byWords reads a name that says by itself whether it begins or ends the part.
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

// saysThought reports whether a tag has an attribute for what kind it is, and that says that it has
// thoughts.
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

// beginsThought reports whether a text begins with a word for thoughts that is glued to what
// follows, as the name of a channel is.
func beginsThought(text []byte) bool {
	n := nameLength(text)
	return isThought(string(text[:n])) && (n == len(text) || bytes.IndexByte([]byte("<\r\n"), text[n]) >= 0)
}

// isThought reports whether a word is for the thoughts before an answer.
func isThought(word string) bool {
	switch strings.ToLower(word) {
	case "think", "thinking", "thought", "thoughts", "reasoning", "scratchpad", "analysis":
		return true
	}
	return false
}

// nameLength is how many bytes of a text are a name.
func nameLength(text []byte) int {
	for i, c := range text {
		if !mdline.IsLetter(c) && c != '-' && (c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}
