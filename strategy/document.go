package strategy

import (
	"bytes"
	"sort"
)

// Document is a text with a line index. Lines are what "\n" ends; a "\r" before it belongs to the line end, a lone
// "\r", a form feed or U+2028 is data. The text is never copied and never changed.
//
// A Document fills its caches on demand and is therefore not safe for concurrent use.
type Document struct {
	text   []byte
	starts []int32 // offset of each line, and len(text) at the end
	raw    bool    // lines split at "\n" alone, see NewVerbatim

	histogram *histogram // see counts

	tokenKeys []Key      // see Keys
	byKey     *lineIndex // see index

	searches int        // exact searches so far, see ExactWindows
	byLine   *lineIndex // see exactIndex

	trimmedKeys []uint64  // see lineKeys
	squeezed    *squeezed // see words
}

// NewDocument indexes text in one pass. "a\n" and "a" both are one line; "" is none. Texts of 2 GiB and more are
// beyond the index; callers refuse them before.
func NewDocument(text []byte) *Document {
	return &Document{text: text, starts: lineStarts(text)}
}

// NewVerbatim indexes text the way the reference rules split it: at every "\n" and nowhere else, so that a "\r"
// stays in its line and a final "\n" is followed by one more, empty line. "" is one empty line.
func NewVerbatim(text []byte) *Document {
	d := &Document{text: text, starts: lineStarts(text), raw: true}
	if len(text) == 0 || text[len(text)-1] == '\n' {
		d.starts = append(d.starts, int32(len(text)))
	}
	return d
}

func lineStarts(text []byte) []int32 {
	starts := make([]int32, 0, bytes.Count(text, []byte{'\n'})+3)
	for at := 0; at < len(text); {
		starts = append(starts, int32(at))
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return append(starts, int32(len(text)))
}

// Text is the whole text.
func (d *Document) Text() []byte { return d.text }

// Len is the number of lines.
func (d *Document) Len() int { return len(d.starts) - 1 }

// Start is the byte offset at which line i (0-based) begins; Start(Len()) is the length of the text.
func (d *Document) Start(i int) int { return int(d.starts[i]) }

// End is the byte offset at which line i's content ends: where its line end begins.
func (d *Document) End(i int) int {
	end := int(d.starts[i+1])
	if end > int(d.starts[i]) && d.text[end-1] == '\n' {
		end--
		if !d.raw && end > int(d.starts[i]) && d.text[end-1] == '\r' {
			end--
		}
	}
	return end
}

// Line is line i (0-based) without its line end.
func (d *Document) Line(i int) []byte { return d.text[d.starts[i]:d.End(i):d.End(i)] }

// EOL is the line end of line i: "\n", "\r\n", or "" for a last line without one.
func (d *Document) EOL(i int) []byte { return d.text[d.End(i):d.starts[i+1]] }

// Raw is line i with its line end.
func (d *Document) Raw(i int) []byte { return d.text[d.starts[i]:d.starts[i+1]] }

// LineAt is the 0-based line that holds the byte at offset; the offset of the end of the text belongs to the last line.
func (d *Document) LineAt(offset int) int {
	i := sort.Search(d.Len(), func(i int) bool { return int(d.starts[i+1]) > offset })
	return max(0, min(i, d.Len()-1))
}

// HasLine reports whether some line of the document has the same key as line.
func (d *Document) HasLine(line []byte) bool {
	k := keyOf(appendTokens(nil, line))
	return k == blankKey || d.index().count(k, 1) > 0
}
