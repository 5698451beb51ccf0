package chatlog

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/srpatch/srpatch/internal/text"
)

// caption is a line that is only the label of who speaks next, or that begins with one and a colon:
//
//	User:    **Cursor**    ## You said:    _**Agent (model x, mode Agent)**_    > **User:** hello    [10:02] octocat:
type caption struct {
	name   string // in lower case, without times, numbers and what is in parentheses
	set    string // what the name is set in: "## …", "_**…**_"; "…" for nothing at all
	inline bool   // what is said begins on the same line
	verb   string // the word after the name that only says that somebody speaks
}

// maxCaption bounds a label, in bytes, and maxName its words.
const (
	maxCaption = 100
	maxName    = 4
)

func captionOf(raw []byte) (caption, bool) {
	line := text.Chomp(raw)
	if len(line) < 2 {
		return caption{}, false
	}
	head, tail, said := bytes.Cut(line[:min(len(line), maxCaption)], []byte(": "))
	if said && bytes.IndexFunc(tail, isNameRune) >= 0 {
		if c, ok := captionAlone(line); ok && len(line) <= maxCaption {
			if c, ok = c.afterColon(); ok {
				return c, true
			}
		}
		return captionWithText(head)
	}
	if head, tail, ok := bytes.Cut(line[:min(len(line), maxCaption)], []byte(":**")); ok && bytes.IndexFunc(tail, isNameRune) >= 0 {
		return captionWithText(append(head[:len(head):len(head)], ":**"...))
	}
	if len(line) > maxCaption {
		return caption{}, false
	}
	return captionAlone(line)
}

// captionWithText reads what is above a text on the same line. In bold it is the label that it
// would be alone.
func captionWithText(head []byte) (caption, bool) {
	bold := bytes.HasSuffix(head, []byte("**"))
	if !bytes.HasSuffix(head, []byte(":**")) {
		head = append(head[:len(head):len(head)], ':')
	}
	c, ok := captionAlone(head)
	if c.inline = true; !bold {
		c.set += " "
	}
	return c, ok
}

func captionAlone(line []byte) (caption, bool) {
	bare := outsideParentheses(string(line))
	first, last := strings.IndexFunc(bare, isNameRune), strings.LastIndexFunc(bare, isNameRune)
	if first < 0 {
		return caption{}, false
	}
	for last++; last < len(bare) && bare[last]&0xC0 == 0x80; last++ { // the rest of the rune
	}
	name := bare[first:last]
	if i := strings.LastIndex(name, "|>"); i >= 0 { // <|im_start|>user
		name = name[i+2:]
	}
	var words []string
	for _, w := range strings.Fields(strings.ToLower(name)) {
		if w = strings.TrimFunc(w, func(r rune) bool { return !isNameRune(r) && !strings.ContainsRune("`./:", r) }); w != "" && !isTime(w) {
			words = append(words, w)
		}
	}
	verb := ""
	for len(words) > 1 && isVerb(words[len(words)-1]) {
		verb, words = words[len(words)-1], words[:len(words)-1]
	}
	for len(words) > 1 && isVerb(words[0]) { // of "Turn 3: User"
		words = words[1:]
	}
	set := marksOf(bare[:first]) + "…" + marksOf(bare[last:])
	if len(words) == 0 || len(words) > maxName || strings.ContainsAny(name, "`=;\\\"") || strings.ContainsAny(set, "`'\",;{}()$") {
		return caption{}, false // code
	}
	return caption{name: strings.Join(words, " "), set: set, verb: verb}, true
}

// afterColon reads "role: user" and "Turn 3: User" as labels of whoever is named at the end.
func (c caption) afterColon() (caption, bool) {
	if _, ok := c.speaker(); ok {
		return c, true
	}
	i := strings.LastIndex(c.name, ": ")
	if i < 0 {
		return caption{}, false
	}
	c.set, c.name = c.set+strings.TrimRight(c.name[:i], "0123456789 ")+": ", c.name[i+2:]
	_, ok := c.speaker()
	return c, ok
}

// isNameRune reports whether a name may begin or end with a rune.
func isNameRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// outsideParentheses leaves out what is in parentheses or in brackets next to a name: a model, a
// mode, a time. A name that is in brackets as a whole stays.
func outsideParentheses(line string) string {
	for _, pair := range [...][2]string{{"(", ")"}, {"[", "]"}} {
		before, rest, _ := strings.Cut(line, pair[0])
		if _, after, ok := strings.Cut(rest, pair[1]); ok && strings.IndexFunc(before+after, isNameRune) >= 0 {
			line = before + after
		}
	}
	return line
}

// isTime reports whether a word next to a name only counts or dates what is said.
func isTime(word string) bool {
	return word == "am" || word == "pm" || unicode.IsDigit(rune(word[0])) && strings.Trim(word, "0123456789:.-/tz") == ""
}

// isVerb reports whether a word after a name only says that somebody speaks.
func isVerb(word string) bool {
	switch word {
	case "said", "says", "asked", "asks", "wrote", "writes", "replied", "answered", "turn", "message":
		return true
	}
	return false
}

// marksOf is what is left of the marks next to a name, without pictures and blanks.
func marksOf(marks string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < unicode.MaxASCII {
			return r
		}
		return -1
	}, marks)
}

// plain reports whether nothing shows that the line is a label.
func (c caption) plain() bool { return c.set == "…" }

// key tells the labels of one speaker from others.
func (c caption) key() string { return c.set + c.name }
