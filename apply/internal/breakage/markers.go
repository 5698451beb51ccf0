package breakage

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
)

// markerKind is the kind of the marker that a line is; [fsm.Text] if it is none that is told from content.
func markerKind(line []byte) fsm.Kind {
	m := fsm.Classify(line)
	if bytes.IndexByte(m.Prefix, '>') >= 0 {
		return fsm.Text
	}
	switch m.Kind {
	case fsm.Opener, fsm.Closer:
		return m.Kind
	case fsm.Divider:
		if m.Length == 7 {
			return m.Kind
		}
	case fsm.ConflictOpen, fsm.ConflictClose:
		if m.Length == 7 {
			return m.Kind
		}
	}
	return fsm.Text
}

// strayMarkers finds markers that came into a file which had none. Where the language has no such line any marker is one too many; in text,
// in comments and in literals those of whole blocks are an example, and a divider by itself may underline a heading.
func strayMarkers(c *Change) (found []Finding) {
	var came []addedLine
	var kinds []fsm.Kind
	for line := range c.addedLines() {
		if kind := markerKind(line.text); kind != fsm.Text {
			came, kinds = append(came, line), append(kinds, kind)
		}
	}
	if len(came) == 0 {
		return nil
	}
	for line := range bytes.Lines(c.Before) {
		if kind := markerKind(line); kind != fsm.Text && kind != fsm.Divider {
			return nil
		}
	}
	lang := languageOf(c.Path)
	hidden := lang.hiddenIn(c.After)
	whole, prose := areBlocks(kinds), isProse(c.Path)
	for i, m := range came {
		code := lang != nil && !hidden.has(m.offset)
		if !code && (whole || kinds[i] == fsm.Divider && (lang != nil || prose) && underlines(c.After, m.offset, prose)) {
			continue
		}
		return []Finding{c.at(warning.StrayMarker, m.span, m.offset, "is %q, an edit or conflict marker that REPLACE adds; check where REPLACE should end", bytes.TrimSpace(m.text))}
	}
	return nil
}

// areBlocks reports whether markers are those of whole blocks or conflicts.
func areBlocks(kinds []fsm.Kind) bool {
	if len(kinds)%3 != 0 {
		return false
	}
	for block := range slices.Chunk(kinds, 3) {
		opens := block[0] == fsm.Opener || block[0] == fsm.ConflictOpen
		closes := block[2] == fsm.Closer || block[2] == fsm.ConflictClose
		if !opens || block[1] != fsm.Divider || !closes {
			return false
		}
	}
	return true
}

// isProse reports whether a file of this name is text for readers, or may be.
func isProse(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return text.IsMarkup(name) || ext == "" || ext == ".txt" || ext == ".text"
}

// underlines reports whether the line at offset is below a heading: below any text in prose, and below a word of about its length elsewhere.
func underlines(all []byte, offset int, prose bool) bool {
	above := all[:offset]
	above = bytes.TrimSpace(above[bytes.LastIndexByte(above[:max(offset-1, 0)], '\n')+1:])
	return text.HasWord(above) && (prose || len(above) <= 9)
}
