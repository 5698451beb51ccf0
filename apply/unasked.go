package apply

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// warnUnasked warns of what models add without being asked: a first or last line that repeats the
// file's next line, and a character that nobody types and that neither SEARCH nor the file has.
func (it *item) warnUnasked(doc *strategy.Document) {
	for _, e := range it.edits {
		if line := repeated(doc, e); line != nil {
			it.warn(warning.Repeated.Say(
				"the new text repeats the line next to it: %s", bytes.TrimSpace(line)))
			break
		}
	}
	code := text.IsCode(it.file.path)
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

// repeated returns the first or last line of the text of e if the file has the same line directly
// above or below, and the edit doesn't replace a line like it. Otherwise it returns nil.
func repeated(doc *strategy.Document, e splice.Edit) []byte {
	lines := bytes.Split(bytes.TrimSuffix(e.Text, []byte("\n")), []byte("\n"))
	old := bytes.Split(bytes.TrimSuffix(doc.Text()[e.Start:e.End], []byte("\n")), []byte("\n"))
	above, below := doc.LineAt(e.Start)-1, doc.LineAt(e.End)
	first, last := lines[0], lines[len(lines)-1]
	switch {
	case len(e.Text) == 0 || !bytes.HasSuffix(e.Text, []byte("\n")):
	case above >= 0 && !text.Blank(first) && bytes.Equal(first, doc.Line(above)) && !bytes.Equal(first, old[0]):
		return first
	case below < doc.Len() && !text.Blank(last) && bytes.Equal(last, doc.Line(below)) &&
		!bytes.Equal(last, old[len(old)-1]):
		return last
	}
	return nil
}
