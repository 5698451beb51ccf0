package apply

import (
	"bytes"
	"cmp"
	"sort"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/unified"
)

// Edit is one change to a text: Text replaces the bytes from Start up to but not including End.
type Edit struct {
	Start, End int
	Text       []byte
}

// Edits returns the edits that turn Before into After, in order and without overlaps. All offsets
// are in Before, so apply the edits together or from last to first. If a block was placed in text
// that an earlier block wrote, the edits are whole lines.
func (c *FileChange) Edits() []Edit {
	spans := c.spans
	if spans == nil {
		spans = unified.Regions(c.unified())
	}
	var out []Edit
	for _, s := range spans {
		out = append(out, Edit{s.BeforeStart, s.BeforeEnd, c.After[s.AfterStart:s.AfterEnd]})
	}
	return out
}

// TextEdits returns [FileChange.Edits] as text edits of the Language Server Protocol, ready to be
// marshalled. Positions don't count a byte order mark.
func (c *FileChange) TextEdits() []TextEdit {
	edits := c.Edits()
	var offsets []int
	for i := range edits {
		edits[i].widen(c.Before)
		offsets = append(offsets, edits[i].Start, edits[i].End)
	}
	at := positions(c.Before, offsets...)
	out := make([]TextEdit, len(edits))
	for i, e := range edits {
		out[i].Range.Start, out[i].Range.End = at[2*i], at[2*i+1]
		text := e.Text
		if e.Start == 0 {
			text = bytes.TrimPrefix(text, bom)
		}
		out[i].Edit, out[i].NewText = e, string(text)
	}
	return out
}

// widen moves the ends of an edit outwards so that neither is inside a character or a two-byte line
// end.
func (e *Edit) widen(text []byte) {
	from, to := e.Start, e.End
	for from > 0 && isInside(text, from) {
		from--
	}
	for to < len(text) && isInside(text, to) {
		to++
	}
	if from < e.Start || to > e.End {
		e.Text = bytes.Join([][]byte{text[from:e.Start], e.Text, text[e.End:to]}, nil)
		e.Start, e.End = from, to
	}
}

// isInside reports whether an offset is in the middle of a character or a line end.
func isInside(text []byte, offset int) bool {
	if offset == 0 || offset >= len(text) {
		return false
	}
	if text[offset-1] == '\r' && text[offset] == '\n' {
		return true
	}
	for back := 1; back < utf8.UTFMax && back <= offset; back++ {
		if _, size := utf8.DecodeRune(text[offset-back:]); size > back {
			return true
		}
	}
	return false
}

// Diff returns the plan's changes as a unified diff, byte for byte what git diff prints except for
// file modes and hashes.
func (p *Plan) Diff() []byte {
	var out bytes.Buffer
	for i := range p.Files {
		_ = unified.Format(&out, p.Files[i].unified()) // writing to memory can't fail
	}
	return out.Bytes()
}

// Count returns how many lines the change adds and removes, as in the diff.
func (c *FileChange) Count() (added, removed int) { return unified.Count(c.unified()) }

// unified converts the change to the input of a diff.
func (c *FileChange) unified() unified.Change {
	u := unified.Change{Old: cmp.Or(c.From, c.Path), New: c.Path, Before: c.Before, After: c.After, Spans: c.spans}
	switch c.Action {
	case Create:
		u.Old = ""
	case Delete:
		u.New = ""
	}
	return u
}

// Position is a position in a text as defined by the Language Server Protocol: a line, and the
// number of UTF-16 code units before the position in that line. Both are 0-based.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// TextEdit is an [Edit] in the form of the Language Server Protocol. All positions refer to the
// text before the edits.
type TextEdit struct {
	// Edit is the same edit with byte offsets.
	Edit    `json:"-"`
	Range   TextRange `json:"range"`
	NewText string    `json:"newText"`
}

// TextRange is a part of a text; its end is exclusive.
type TextRange struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// positions returns the positions of the given byte offsets in a text, in the same order. Lines end
// at \n, \r\n or \r. A byte order mark doesn't count, because editors don't show it. An invalid
// UTF-8 byte counts as a character.
func positions(text []byte, offsets ...int) []Position {
	starts := lineStarts(text)
	out := make([]Position, len(offsets))
	for i, offset := range offsets {
		line := sort.SearchInts(starts, offset+1) - 1
		from := starts[line]
		if line == 0 && bytes.HasPrefix(text, bom) {
			from = min(offset, len(bom))
		}
		out[i] = Position{Line: line, Character: units(text[from:offset])}
	}
	return out
}

// lineStarts returns the offsets at which lines begin.
func lineStarts(text []byte) []int {
	starts := make([]int, 1, bytes.Count(text, []byte{'\n'})+2)
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// units returns the number of UTF-16 code units of the text.
func units(text []byte) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}
