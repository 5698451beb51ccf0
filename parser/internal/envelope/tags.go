package envelope

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
)

// Edits in tags are read at once, from the text that begins with the line of the first tag. Tags
// are matched literally, because models don't write XML: the text between tags is full of < and &.
// A reader goes through the text once and consumes all lines that it has read, up to the line where
// the edit ends or breaks off. Therefore no line is read twice, however many closing tags are
// missing.

// tagged is a text that begins with an edit in tags, and what was read from it.
type tagged struct {
	text    []byte
	first   int // the number of its first line
	markers Markers
	known   struct{ offset, lines int } // the last offset passed to line, and the number of lines before it
	blocks  []Block
	faults  []Fault
}

// line returns the number of the line that contains an offset. It counts from the last offset that
// it was called with (t.known).
func (t *tagged) line(offset int) int {
	k := &t.known
	if offset < k.offset {
		k.lines -= bytes.Count(t.text[offset:k.offset], []byte("\n"))
	} else {
		k.lines += bytes.Count(t.text[k.offset:offset], []byte("\n"))
	}
	k.offset = offset
	return t.first + k.lines
}

// lineStart returns the offset at which the line that contains offset begins.
func (t *tagged) lineStart(offset int) int {
	return bytes.LastIndexByte(t.text[:offset], '\n') + 1
}

// beginsLine reports whether only blanks precede an offset on its line.
func (t *tagged) beginsLine(offset int) bool {
	before := bytes.TrimRight(t.text[:offset], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// endsLine reports whether only blanks follow an offset on its line. next is the offset at which
// the next line begins.
func (t *tagged) endsLine(offset int) (next int, ok bool) {
	next = len(t.text) - len(bytes.TrimLeft(t.text[offset:], " \t\r"))
	switch {
	case next == len(t.text):
		return next, true
	case t.text[next] == '\n':
		return next + 1, true
	}
	return 0, false
}

// head returns the text after an offset on its line, at most maxTag bytes.
func (t *tagged) head(offset int) []byte {
	head, _, _ := bytes.Cut(t.text[offset:min(len(t.text), offset+maxTag)], []byte("\n"))
	return head
}

// skip returns the offset of the first non-blank byte at or after an offset.
func (t *tagged) skip(offset int) int {
	return len(t.text) - len(bytes.TrimLeft(t.text[offset:], " \t\r\n"))
}

func (t *tagged) diagnose(code string, at int, found []byte, expected, remedy string) {
	t.faults = append(t.faults, newFault(code, t.line(at), found, expected, remedy))
}

// found returns the number of blocks and faults so far.
func (t *tagged) found() int { return len(t.blocks) + len(t.faults) }

// endAt returns the envelope with the lines up to an offset, including the whole of the last line.
func (t *tagged) endAt(end int) *Envelope {
	lines := t.line(end) - t.first
	if end > 0 && t.text[end-1] != '\n' {
		lines++
	}
	return &Envelope{Lines: max(lines, 1), Blocks: t.blocks, Faults: t.faults}
}

// strayEnd returns an envelope that refuses a line which ends an edit that never began. The text
// above the line may have been meant as an edit but was read as prose. format is the edit's name,
// and begin the line that should begin it.
func strayEnd(line []byte, number int, format, begin string) *Envelope {
	return &Envelope{Lines: 1, Faults: []Fault{newFault(diagnosis.UnexpectedCloser, number, line,
		begin+" before it", "send the whole "+format+" edit again, with its first line")}}
}

// maxTag is the maximum length of a tag, in bytes.
const maxTag = 300

// openTag reads an opening tag at the start of a text. attrs is the text after the name in the tag;
// rest is the text after the tag.
func openTag(text []byte, name string) (attrs, rest []byte, ok bool) {
	head := text[:min(len(text), maxTag)]
	inner, ok := bytes.CutPrefix(head, []byte("<"+name))
	end := bytes.IndexByte(inner, '>')
	if !ok || end < 0 || bytes.IndexByte(inner[:end], '\n') >= 0 {
		return nil, nil, false
	}
	if end > 0 && inner[0] != ' ' && inner[0] != '\t' {
		return nil, nil, false
	}
	return inner[:end], text[len(head)-len(inner)+end+1:], true
}

// closedBy returns the name in a closing tag if text consists of that tag; otherwise it returns "".
func closedBy(text []byte) string {
	name, ok := bytes.CutPrefix(text, []byte("</"))
	name, end := bytes.CutSuffix(name, []byte(">"))
	if !ok || !end {
		return ""
	}
	return string(name)
}

// tagAttribute matches an attribute of a tag, quoted or not.
var tagAttribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z_]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)`)
})

// attribute returns the value of a tag's attribute, or "" if it is missing.
func attribute(attrs, name string) string {
	for _, m := range tagAttribute().FindAllStringSubmatch(attrs, -1) {
		if m[1] == name {
			return strings.Trim(m[2], "\"'“”„‘’‚")
		}
	}
	return ""
}

// CDATA sections. The text "]]>" inside one is split over two sections.
var (
	cdataOpen  = []byte("<![CDATA[")
	cdataClose = []byte("]]>")
	cdataSplit = []byte("]]><![CDATA[")
)

// unwrapped returns the text of a CDATA section if value consists of nothing else; otherwise it
// returns value.
func unwrapped(value []byte) []byte {
	inner, opens := bytes.CutPrefix(bytes.TrimSpace(value), cdataOpen)
	inner, closes := bytes.CutSuffix(inner, cdataClose)
	if !opens || !closes {
		return value
	}
	return bytes.ReplaceAll(inner, cdataSplit, nil)
}

// withoutLastBlanks removes the blanks before a closing tag that begins its line.
func withoutLastBlanks(content []byte) []byte {
	if i := bytes.LastIndexByte(content, '\n') + 1; text.Blank(content[i:]) {
		return content[:i]
	}
	return content
}

// Nearly reports whether written is name with at most one letter added, missing or replaced, or two
// adjacent letters swapped, ignoring case and the signs between words: "new_sting" and "NewStrign"
// are nearly "new_string".
func Nearly(written, name string) bool {
	a, b := strings.ToLower(lettersOf(written)), lettersOf(name)
	head, tail := 0, 0 // lengths of the common beginning and of the common end
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	switch differ, same := max(len(a), len(b))-head-tail, len(a) == len(b); {
	case differ == 2 && same: // perhaps two letters are swapped
		return a[head] == b[head+1] && a[head+1] == b[head]
	default:
		return differ <= 1
	}
}

// lettersOf returns a name without the signs between its words.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '/' {
			return -1
		}
		return r
	}, name)
}
