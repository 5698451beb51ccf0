package envelope

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Edits between tags are read at once, from the text that begins with the line of the first tag.
// Tags are taken literally, since models do not write XML: what is between them is full of < and &.
// A reader goes through the text once and takes the lines that it has seen, up to where the edit
// ends or cannot go on. So no line is read twice, however many tags lack their ends.

// tagged is a text that begins with an edit between tags, and what was read of it.
type tagged struct {
	text    []byte
	first   int // the number of its first line
	markers Markers
	known   struct{ offset, lines int } // how many lines end before an offset
	blocks  []Block
	faults  []Fault
}

// line is the number of the line in which an offset is.
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

// lineStart is the offset at which the line of an offset begins.
func (t *tagged) lineStart(offset int) int {
	return bytes.LastIndexByte(t.text[:offset], '\n') + 1
}

// beginsLine reports whether nothing but blanks is before an offset on its line.
func (t *tagged) beginsLine(offset int) bool {
	before := bytes.TrimRight(t.text[:offset], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// endsLine reports whether nothing but blanks is behind an offset on its line, and where the next
// line begins.
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

// head is the text behind an offset on its line, as much of it as a tag may have.
func (t *tagged) head(offset int) []byte {
	head, _, _ := bytes.Cut(t.text[offset:min(len(t.text), offset+maxTag)], []byte("\n"))
	return head
}

// skip returns the offset of the first byte that is not blank, from an offset on.
func (t *tagged) skip(offset int) int {
	return len(t.text) - len(bytes.TrimLeft(t.text[offset:], " \t\r\n"))
}

func (t *tagged) diagnose(code string, at int, found []byte, expected, remedy string) {
	t.faults = append(t.faults, Fault{Code: code, Line: t.line(at), Found: mdline.Excerpt(found),
		Expected: expected, Remedy: remedy})
}

// found is how much has come of the text so far.
func (t *tagged) found() int { return len(t.blocks) + len(t.faults) }

// taken is the envelope with the lines up to an offset. The rest of the last one belongs to it.
func (t *tagged) taken(end int) *taken {
	lines := t.line(end) - t.first
	if end > 0 && t.text[end-1] != '\n' {
		lines++
	}
	return &taken{lines: max(lines, 1), blocks: t.blocks, faults: t.faults}
}

// strayEnd reports a line that ends an edit which was never begun. What is above it was perhaps
// meant as an edit and was read as prose.
func strayEnd(line []byte, number int, format, begin string) *taken {
	return &taken{lines: 1, faults: []Fault{{Code: diagnosis.UnexpectedCloser, Line: number,
		Found: mdline.Excerpt(line), Expected: begin + " before it",
		Remedy: "send the whole " + format + " edit again, with its first line"}}}
}

// maxTag is how long a tag may be, in bytes.
const maxTag = 300

// openTag reads an opening tag at the beginning of a text: what follows its name in it, and what
// follows the tag.
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

// closedBy is the name in a closing tag that is all of a text; "" for any other text.
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

// attribute is the value of an attribute of a tag; "" if it is not there.
func attribute(attrs, name string) string {
	for _, m := range tagAttribute().FindAllStringSubmatch(attrs, -1) {
		if m[1] == name {
			return strings.Trim(m[2], "\"'“”„‘’‚")
		}
	}
	return ""
}

// Sections of CDATA. The end of a section is written in two sections.
var (
	cdataOpen  = []byte("<![CDATA[")
	cdataClose = []byte("]]>")
	cdataSplit = []byte("]]]]><![CDATA[>")
)

// unwrapped takes the section of CDATA off that a value is in as a whole.
func unwrapped(value []byte) []byte {
	inner, opens := bytes.CutPrefix(bytes.TrimSpace(value), cdataOpen)
	inner, closes := bytes.CutSuffix(inner, cdataClose)
	if !opens || !closes {
		return value
	}
	return bytes.ReplaceAll(inner, cdataSplit, cdataClose)
}

// withoutLastBlanks takes off a text the blanks before a closing tag on a line of its own.
func withoutLastBlanks(content []byte) []byte {
	if i := bytes.LastIndexByte(content, '\n') + 1; text.Blank(content[i:]) {
		return content[:i]
	}
	return content
}

// Nearly says whether a name is meant, whatever its case and its signs, with one letter more, less
// or another, or two swapped.
func Nearly(written, name string) bool {
	a, b := strings.ToLower(lettersOf(written)), lettersOf(name)
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	switch differ, same := max(len(a), len(b))-head-tail, len(a) == len(b); {
	case differ == 2 && same:
		return a[head] == b[head+1] && a[head+1] == b[head]
	default:
		return differ <= 1
	}
}

// lettersOf is a name without the signs between its words.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '/' {
			return -1
		}
		return r
	}, name)
}
