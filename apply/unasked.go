package apply

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// warnUnasked warns about text that models add by mistake: first or last lines that repeat the
// lines next to them, HTML entities in code that has none, and a character that nobody types and
// that neither SEARCH nor the file has.
func (it *item) warnUnasked(doc *strategy.Document) {
	for _, e := range it.edits {
		if line := repeated(doc, e); line != nil {
			it.warn(warning.Repeated.Say(
				"the new text repeats the line next to it: %s", bytes.TrimSpace(line)))
			break
		}
	}
	code := text.IsCode(it.file.path)
	escaped := func(text []byte) bool {
		return bytes.Contains(text, []byte("&lt;")) || bytes.Contains(text, []byte("&gt;")) ||
			bytes.Contains(text, []byte("&amp;"))
	}
	if code && !escaped(doc.Text()) && !bytes.Contains(doc.Text(), []byte("</")) &&
		slices.ContainsFunc(it.edits, func(e splice.Edit) bool { return escaped(e.Text) }) {
		it.warn(warning.WrittenEntities.Say("the new text has HTML entities, which the file has nowhere"))
	}
	if code && reading.IsFenced(it.block.Replace) && !reading.IsFenced(it.block.Search) {
		it.warn(warning.Fence.Say("the new text is in a code fence"))
	}
	for _, e := range it.edits {
		at := bytes.IndexFunc(e.Text, func(r rune) bool {
			odd := unicode.Is(unicode.Cf, r) || code && strings.ContainsRune("“”‘’", r)
			return odd && !bytes.ContainsRune(it.block.Search, r) && !bytes.ContainsRune(doc.Text(), r)
		})
		if at >= 0 {
			r, _ := utf8.DecodeRune(e.Text[at:])
			it.warn(warning.OddCharacter.Say("the new text has %q (%U), which the file has nowhere", r, r))
			return
		}
	}
}

// maxRepeated is how many lines at the end of a text are compared with those below it.
const maxRepeated = 200

// repeated returns a line that e writes twice by mistake: the first line of its text if that equals
// the line above the edit, or the first of its last lines if those equal the lines below. Lines
// that the edit replaces there may be equal. It returns nil if there is none.
func repeated(doc *strategy.Document, e splice.Edit) []byte {
	if !bytes.HasSuffix(e.Text, []byte("\n")) {
		return nil
	}
	lines := bytes.Split(e.Text[:len(e.Text)-1], []byte("\n"))
	old := bytes.Split(bytes.TrimSuffix(doc.Text()[e.Start:e.End], []byte("\n")), []byte("\n"))
	above, below := doc.LineAt(e.Start)-1, doc.LineAt(e.End)
	first, last := lines[0], lines[len(lines)-1]
	switch {
	case above >= 0 && !text.Blank(first) && bytes.Equal(first, doc.Line(above)) && !bytes.Equal(first, old[0]):
		return first
	case below >= doc.Len() || bytes.Equal(last, old[len(old)-1]):
		return nil
	}
	lines = lines[max(0, len(lines)-maxRepeated):]
	for i, line := range lines {
		end := below + len(lines) - i
		if end <= doc.Len() && !text.Blank(line) && bytes.Equal(line, doc.Line(below)) &&
			bytes.Equal(bytes.Join(lines[i:], []byte("\n")), doc.Text()[doc.Start(below):doc.End(end-1)]) {
			return line
		}
	}
	return nil
}
