package apply

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// saysNothing reports whether a file with the text current may become replace as a whole, as an empty one may: it has blank lines
// only, or one comment besides, with which replace begins.
func saysNothing(current, replace []byte) bool {
	said := bytes.TrimSpace(current)
	if len(said) == 0 {
		return true
	}
	if bytes.IndexByte(said, '\n') >= 0 || !text.BeginsComment(said) {
		return false
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(replace, " \t\r\n"), []byte{'\n'})
	return bytes.Equal(bytes.TrimSpace(line), said)
}

// withLineEnds is text with the line ends of the file.
func (e encoding) withLineEnds(text []byte) []byte {
	eol := splice.LineEnd(strategy.NewDocument(e.current), 0)
	if len(eol) < 2 || bytes.Contains(text, eol) {
		return text
	}
	return bytes.ReplaceAll(text, []byte{'\n'}, eol)
}

// refuseExisting refuses a block with an empty SEARCH for a file that is there. Where REPLACE is a new version of the whole file, it
// offers the block that makes of it what the two do not share.
func (f *file) refuseExisting(it *item) {
	it.fail(Exists, existsMessage(it.block))
	replace := strategy.NewDocument(f.encoding().withLineEnds(it.block.Replace))
	l := f.onCurrent()
	if it.block.Whole() || nearer(it.block) != "" || !isNewVersion(l.doc, replace) {
		return
	}
	it.report.Message = "the file exists, and REPLACE is a new version of the whole file; put the lines to change into SEARCH, or delete the file first"
	l.advice().offer(it, l.wholeFile(replace))
}

// isNewVersion reports whether replace has at least half of the telling lines of doc, and two of them.
func isNewVersion(doc, replace *strategy.Document) bool {
	telling, shared := linesIn(doc, replace)
	return shared >= 2 && 2*shared >= telling
}

// linesIn counts the telling lines of doc, and those of them that the other document has, too.
func linesIn(doc, other *strategy.Document) (telling, shared int) {
	for i := range doc.Len() {
		if line := doc.Line(i); text.Telling(line) {
			telling++
			if other.HasLine(line) {
				shared++
			}
		}
	}
	return telling, shared
}

// wholeFile is the place of all lines that replace does not share with the document at its beginning and end.
func (l *locator) wholeFile(replace *strategy.Document) *placement {
	old, now := l.doc, replace
	head, tail := 0, 0
	same := func(i, j int) bool {
		return bytes.Equal(old.Text()[old.Start(i):old.Start(i+1)], now.Text()[now.Start(j):now.Start(j+1)])
	}
	for head < min(old.Len(), now.Len()) && same(head, head) {
		head++
	}
	for tail < min(old.Len(), now.Len())-head && same(old.Len()-1-tail, now.Len()-1-tail) {
		tail++
	}
	first := min(head, max(0, old.Len()-1))
	at := strategy.Candidate{Start: old.Start(head), End: old.Start(old.Len() - tail)}
	return &placement{
		kind: ofText, inside: &at, insert: splice.Edit{Start: at.Start, End: at.End, Text: now.Text()[now.Start(head):now.Start(now.Len()-tail)]},
		alignment: align.Alignment{{Search: -1, File: first, Relation: align.Extra}},
	}
}
