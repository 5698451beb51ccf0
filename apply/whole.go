package apply

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// saysNothing reports whether a file with the text current may be replaced like an empty one: it
// has only blank lines and at most one comment, and replace begins with the same comment.
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

// withLineEnds returns text with the line ends of the file.
func (e encoding) withLineEnds(text []byte) []byte {
	eol := splice.LineEnd(strategy.NewDocument(e.current), 0)
	if len(eol) < 2 || bytes.Contains(text, eol) {
		return text
	}
	return bytes.ReplaceAll(text, []byte{'\n'}, eol)
}

// refuseExisting refuses a block with an empty SEARCH for a file that exists, and offers a
// corrected block. If REPLACE is a new version of the whole file, the corrected block makes the
// changes. If REPLACE only adds to the file, the corrected block adds it at the end.
func (f *file) refuseExisting(it *item) {
	it.fail(Exists, existsMessage(it.block))
	replace := strategy.NewDocument(f.encoding().withLineEnds(it.block.Replace))
	l := f.onCurrent()
	switch {
	case it.block.Whole() || nearer(it.block) != "":
	case isNewVersion(l.doc, replace):
		it.report.Message = "the file exists, and REPLACE is a new version of the whole file; " +
			"put the lines to change into SEARCH, or delete the file first"
		l.advice().offer(it, l.wholeFile(replace))
	case !it.block.Inherited && onlyAdds(l.doc, replace):
		longer := appended(f.current, it.block.Replace)
		if !bytes.HasSuffix(f.current, []byte{'\n'}) {
			longer = text.Chomp(longer)
		}
		l.advice().offer(it, l.wholeFile(strategy.NewDocument(longer)))
	}
}

// isNewVersion reports whether replace has at least half of doc's distinctive lines, and at least
// two of them.
func isNewVersion(doc, replace *strategy.Document) bool {
	telling, shared := linesIn(doc, replace)
	return shared >= 2 && 2*shared >= telling
}

// onlyAdds reports whether replace has distinctive lines but shares none of them with doc, defines
// nothing that doc defines, and begins with a line that has a word. Text for the top of a file,
// such as front matter, doesn't begin with a word.
func onlyAdds(doc, replace *strategy.Document) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(replace.Text()), []byte{'\n'})
	if telling, shared := linesIn(replace, doc); telling == 0 || shared > 0 || !text.HasWord(first) {
		return false
	}
	defined := map[string]bool{}
	for i := range doc.Len() {
		defined[string(text.Definition(doc.Line(i)))] = true
	}
	for i := range replace.Len() {
		if name := text.Definition(replace.Line(i)); len(name) > 0 && defined[string(name)] {
			return false
		}
	}
	return true
}

// linesIn counts the distinctive lines of doc, and how many of them the other document has.
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

// wholeFile returns the placement of a block that replaces the whole document by replace. It covers
// only the text between their common beginning and their common end.
func (l *locator) wholeFile(replace *strategy.Document) *placement {
	head, tail := sharedEnds(l.doc.Text(), replace.Text())
	at := strategy.Candidate{Start: head, End: len(l.doc.Text()) - tail}
	changed := replace.Text()[head : len(replace.Text())-tail]
	return &placement{
		kind: ofText, inside: &at, insert: splice.Edit{Start: at.Start, End: at.End, Text: changed},
		// There is no SEARCH to align. The pair only tells reports the first line of the change.
		alignment: align.Alignment{{Search: -1, File: l.doc.LineAt(head), Relation: align.Extra}},
	}
}

// rewrites turns each block that gives a whole file into an edit whose SEARCH is the whole file. So
// the text is checked like any REPLACE: it must have no remark that stands for code, fit the
// encoding, and be small enough. A text that seems to be only a part of the file, or to belong to
// another file, is refused.
func (f *file) rewrites() {
	if !f.present {
		return
	}
	var first *item
	for _, it := range f.items {
		if it.settled || it.block.Op != parser.OpWrite {
			continue
		}
		if first == nil {
			first = it
		} else if !bytes.Equal(it.block.Replace, first.block.Replace) {
			it.fail(Overlap, fmt.Sprintf("block %d gives another text for the whole file; "+
				"send only the one you mean", first.block.ID))
			continue
		}
		text := f.encoding().withLineEnds(it.block.Replace)
		doc, replace := strategy.NewDocument(f.current), strategy.NewDocument(text)
		telling, shared := linesIn(doc, replace)
		another := telling > 1 && shared == 0 // it looks like the text of another file
		switch {
		case saysNothing(f.current, text): // the file is filled like an empty one
		case bytes.Equal(f.current, text):
			it.settle(BlockAlready)
		case isPart(doc, replace):
			it.fail(Exists, "the text leaves out half of the file's lines, or all lines from one on, "+
				"and may be only part of it; "+
				"send the lines to change in a block, or delete the file first")
		case another && doc.Len() >= 10: // a shorter file may well be replaced
			it.fail(Exists, "the text shares no line with the file, "+
				"and may be that of another one; if it is meant, delete the file first")
		default:
			if another {
				it.warn(warning.NothingKept.Say("the text shares no line with the file"))
			}
			b := *it.block
			b.Op, b.Search, b.Replace = parser.OpEdit, f.current, text
			it.block = &b
		}
	}
}

// isPart reports whether a text meant as the whole file seems to be only a part of it: either most
// of it is in the file and it leaves out more than half of the file, or it is the beginning of the
// file and leaves out several lines.
func isPart(doc, replace *strategy.Document) bool {
	telling, kept := linesIn(doc, replace) // kept of the file's distinctive lines are in the text
	said, old := linesIn(replace, doc)     // old of the text's are in the file
	cut := telling-said > 1 && bytes.HasPrefix(doc.Text(), bytes.TrimSpace(replace.Text()))
	return telling > 3 && (2*kept < telling || cut) && 2*old >= said
}

// newVersionOf returns the existing file that a whole-file block is meant for if no file has the
// block's exact path p: the only file whose path ends in p, if it shares enough lines with the
// block.
func (r *run) newVersionOf(b *parser.Block, p string) (string, bool) {
	if b.Op != parser.OpWrite || r.opt.Single != "" || r.exists(p) || !r.engine.tree.Complete() {
		return "", false
	}
	suffix, _ := r.paths().endingIn(p)
	if len(suffix) != 1 {
		return "", false
	}
	f := r.file(suffix[0])
	return suffix[0], f.unreadable == nil &&
		isNewVersion(strategy.NewDocument(f.before), strategy.NewDocument(b.Replace))
}
