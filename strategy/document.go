package strategy

import (
	"iter"
	"sort"
)

// Document is a text with an index of its lines. A line ends with "\n", and a "\r" before that
// belongs to the line end. A lone "\r", a form feed or U+2028 doesn't end a line. The text is never
// copied or changed.
//
// A Document fills caches on demand, so it is not safe for concurrent use.
type Document struct {
	text []byte
	raw  bool // lines split only at "\n", see NewVerbatim
	// starts has the offset of each line, then the length of the text.
	starts []int32

	symbols   []uint32  // see lengths
	nonblanks []int32   // see marks
	fewest    []int32   // the fewest in each group of lines, see shorter
	histogram histogram // see counts

	keys      []Key             // 0 if not computed yet, see Key
	lineMarks []uint64          // see marks
	byMark    *lineIndex        // see index
	probed    int               // lines read without an index, see payForProbe
	scratch   []byte            // buffer for the current line
	squeezed  *squeezed         // see words
	places    map[string]places // see windowsByMarks
}

// NewDocument indexes text in one pass. Both "a\n" and "a" have one line, and "" has none. Callers
// must refuse texts of 2 GiB or more, which are too large for the index.
func NewDocument(text []byte) *Document {
	return &Document{text: text, starts: lineStarts(text)}
}

// NewVerbatim indexes text as the reference rules split it: at every "\n" and nowhere else. So a
// "\r" belongs to its line, and a final "\n" is followed by an empty line. The text "" has one
// empty line.
func NewVerbatim(text []byte) *Document {
	d := &Document{text: text, raw: true, starts: lineStarts(text)}
	if len(text) == 0 || text[len(text)-1] == '\n' {
		d.starts = append(d.starts, int32(len(text)))
	}
	return d
}

// part returns a view of lines from to to-1 that has the offsets of d.
func (d *Document) part(from, to int) *Document {
	return &Document{
		text: d.text, raw: d.raw, starts: d.starts[from : to+1],
		lineMarks: d.marks()[from:to], nonblanks: d.nonblanks[from:to],
	}
}

// Text returns the whole text.
func (d *Document) Text() []byte { return d.text }

// Len returns the number of lines.
func (d *Document) Len() int { return len(d.starts) - 1 }

// Start returns the byte offset at which line i (0-based) begins. Start(Len()) is the length of the
// text.
func (d *Document) Start(i int) int { return int(d.starts[i]) }

// End returns the byte offset at which the content of line i (0-based) ends and its line end
// begins.
func (d *Document) End(i int) int {
	_, end, _ := d.bounds(i)
	return end
}

// Line returns line i (0-based) without its line end.
func (d *Document) Line(i int) []byte {
	start, end, _ := d.bounds(i)
	return d.text[start:end:end]
}

// EOL returns the line end of line i (0-based): "\n", "\r\n", or "" for a last line without a line
// end.
func (d *Document) EOL(i int) []byte {
	_, end, next := d.bounds(i)
	return d.text[end:next]
}

// bounds returns three byte offsets of line i: its start, the end of its content, and the start of
// the next line.
func (d *Document) bounds(i int) (start, end, next int) {
	start, next = int(d.starts[i]), int(d.starts[i+1])
	return start, start + d.content(d.text[start:next]), next
}

// content returns the length of a line, excluding its line end.
func (d *Document) content(line []byte) int {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
		if !d.raw && n > 0 && line[n-1] == '\r' {
			n--
		}
	}
	return n
}

// Lines yields all lines in order, without their line ends.
func (d *Document) Lines() iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for i := range d.Len() {
			if !yield(i, d.Line(i)) {
				return
			}
		}
	}
}

// LineAt returns the 0-based line that contains the byte at offset. The end of the text belongs to
// the last line.
func (d *Document) LineAt(offset int) int {
	i := sort.Search(d.Len(), func(i int) bool { return int(d.starts[i+1]) > offset })
	return max(0, min(i, d.Len()-1))
}

// Pattern is the SEARCH side of a block with its line index.
type Pattern struct {
	*Document
	// Hint is the line number that the block gives, 1-based, or 0 if it gives none.
	Hint int
}

// NewPattern indexes search as lines.
func NewPattern(search []byte, hint int) *Pattern {
	return &Pattern{Document: NewDocument(search), Hint: hint}
}

// NewVerbatimPattern indexes search as [NewVerbatim] does. Use it with a document made by
// NewVerbatim.
func NewVerbatimPattern(search []byte) *Pattern {
	return &Pattern{Document: NewVerbatim(search)}
}

// Slice returns a pattern of the lines from to to-1 (0-based).
func (p *Pattern) Slice(from, to int) *Pattern {
	return NewPattern(p.text[p.Start(from):p.Start(to)], p.Hint)
}
