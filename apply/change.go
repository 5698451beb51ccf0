package apply

import (
	"bytes"
	"cmp"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/unified"
)

// Edit is one change of a text: the bytes from Start to End, end exclusive, become Text.
type Edit struct {
	Start, End int
	Text       []byte
}

// Edits are what makes After of Before, in order and disjoint. All offsets are those of Before, so
// they are to be made together, or from the last one to the first. If blocks were placed on what
// earlier ones wrote, these are whole lines.
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

// TextEdits are [FileChange.Edits] as the Language Server Protocol has them; they may be marshalled
// as they are. A byte order mark is no part of the text there.
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

// widen moves the ends of an edit out of a character, and out of a line end of two: no position is
// inside of one.
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

// isInside reports whether an offset is in the middle of a character, or of a line end.
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

// Diff is what the plan changes, as a unified diff: what git diff prints of it, byte for byte,
// except for the modes and hashes of files.
func (p *Plan) Diff() []byte {
	var out bytes.Buffer
	for i := range p.Files {
		_ = unified.Format(&out, p.Files[i].unified()) // to memory
	}
	return out.Bytes()
}

// Count is how many lines the change adds and removes, as the diff has it.
func (c *FileChange) Count() (added, removed int) { return unified.Count(c.unified()) }

// unified is the change, for a diff.
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
