package envelope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Labelled is the name of the format of edits in prose: "**Find:**" above a fence with the old
// text, and "**Replace with:**" above a fence with the new text. Such a pair may only explain
// something, so its block is applied only if the old text matches exactly.
const Labelled = "labelled"

// The labels above the two texts, without decoration and in lower case.
var (
	oldLabels = []string{
		"find", "find this", "find this code", "search", "search for", "search for this", "replace", "replace this",
		"replace this code", "change", "change this",
	}
	newLabels = []string{
		"replace", "replace with", "replace with this", "replace it with", "replaced with", "replace by", "with",
		"with this", "replacement", "change to", "to",
	}
)

// maxLabelled is the maximum number of lines in a labelled text.
const maxLabelled = 400

// isLabel reports whether a line is one of the labels and is marked as a label: by bold type, as a
// heading, or by a colon.
func isLabel(line []byte, labels []string) bool {
	const marks = "*_#: \t\r\n"
	word := strings.Trim(string(line[:min(len(line), 60)]), marks)
	return len(word) < len(bytes.TrimSpace(line)) && slices.Contains(labels, strings.ToLower(word))
}

// readLabelled reads the pair of labelled texts at the start of text (see Labelled), or returns nil
// if there is none: a label for the old text and a fence, then one for the new text and a fence.
func readLabelled(text []byte, number int, _ Markers) *Envelope {
	if !isLabel(lineOf(text), oldLabels) {
		return nil
	}
	l := labelled{rest: text}
	l.next() // the label
	search, ok := l.fenced()
	if !ok || len(search) == 0 || !isLabel(l.first(), newLabels) {
		return nil
	}
	l.next()
	replace, ok := l.fenced()
	if !ok {
		return nil
	}
	return &Envelope{Lines: l.end, Label: true, Blocks: []Block{{
		Op: OpEdit, Dialect: Labelled, Lines: [2]int{number, number + l.end - 1},
		Search: search, Replace: replace, Exact: true,
	}}}
}

// labelled reads a text line by line.
type labelled struct {
	rest  []byte
	lines int // number of lines read
	end   int // lines up to the end of the last fence
}

// next reads a line and returns it.
func (l *labelled) next() []byte {
	line := lineOf(l.rest)
	l.rest = l.rest[len(line):]
	l.lines++
	return line
}

// first skips blank lines and returns the next line without reading it.
func (l *labelled) first() []byte {
	for len(l.rest) > 0 && text.Blank(lineOf(l.rest)) {
		l.next()
	}
	return lineOf(l.rest)
}

// fenced reads a fence and returns the text in it. ok is false if no fence begins at the current
// line or if its end is unclear.
func (l *labelled) fenced() (body []byte, ok bool) {
	opener, ok := mdline.ParseFence(l.first())
	if !ok || !mdline.IsFence(l.first()) { // no fence, or one that is a tag or indented
		return nil, false
	}
	l.next()
	from := l.rest
	for range maxLabelled {
		if len(l.rest) == 0 {
			break
		}
		size := len(from) - len(l.rest)
		line := l.next()
		switch m, is := mdline.ParseFence(line); {
		case is && opener.ClosedBy(m):
			l.end = l.lines
			return from[:size], true
		case is, fsm.Classify(line).Kind != fsm.Text:
			return nil, false // the fence may end elsewhere
		}
	}
	return nil, false
}
