package strategy

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sort"
)

// lineTable knows where the lines of a text begin. In a large text it initially only counts line
// ends, which takes a twentieth of the time of recording them. That's enough for a block that
// occurs exactly: a requested line is looked up in its chunk of the text. After many lookups, all
// lines are recorded.
type lineTable struct {
	starts []int32 // offset of each line, then the length of the text; nil until recorded

	count  int     // number of lines, while starts is nil
	before []int32 // line ends before each chunk of the text
	wait   int     // how many lines lookups may still pass before all are recorded
	line   int     // the latest line looked up, and its offset
	at     int
}

const (
	// sparseFrom is the length in bytes from which line ends are initially only counted.
	sparseFrom = 64 << 10
	// chunkSize is the size of a chunk in bytes: large enough for fast counting, and small enough
	// for fast lookups.
	chunkSize = 2 << 10
	// lookupCost is the initial cost of a lookup, in lines.
	lookupCost = 16
	// nearby is how far below the latest line, in lines, a line may be to be found by reading on
	// from there.
	nearby = 8
	// waitPart is the fraction of the lines that lookups may pass. At most a quarter of the work is
	// wasted.
	waitPart = 4
)

// lineStarts returns the offsets of all lines of text, followed by its length. It searches 64 bytes
// at a time, because lines are too short for a separate call of bytes.IndexByte.
func lineStarts(text []byte) []int32 {
	starts := make([]int32, 0, bytes.Count(text, []byte{'\n'})+3)
	if len(text) > 0 {
		starts = append(starts, 0)
	}
	at := 0
	for ; at+64 < len(text); at += 64 { // not the last byte: no line follows a line end there
		t := text[at:][:64]
		ends := lineEnds(t) | lineEnds(t[8:])<<8 | lineEnds(t[16:])<<16 | lineEnds(t[24:])<<24 |
			lineEnds(t[32:])<<32 | lineEnds(t[40:])<<40 | lineEnds(t[48:])<<48 | lineEnds(t[56:])<<56
		for ; ends != 0; ends &= ends - 1 {
			starts = append(starts, int32(at+bits.TrailingZeros64(ends)+1))
		}
	}
	for ; at+1 < len(text); at++ {
		if text[at] == '\n' {
			starts = append(starts, int32(at+1))
		}
	}
	return append(starts, int32(len(text)))
}

// lineEnds returns a bit for each of the first eight bytes of text, set if the byte is a line end:
// 0b1010 for "a\nb\ncdef" (Mycroft 1987, in the form without false hits; a multiplication then
// gathers the bits).
func lineEnds(text []byte) uint64 {
	const (
		lineFeeds = 0x0a0a0a0a0a0a0a0a
		low       = 0x7f7f7f7f7f7f7f7f
		gather    = 0x0002040810204081
	)
	word := binary.LittleEndian.Uint64(text) ^ lineFeeds
	return ^((word&low + low) | word | low) * gather >> 56
}

// lineEnd returns the end of the line that begins at offset at, including its line end.
func lineEnd(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// countLines returns a table of the lines of text, which must not be empty, without recording them.
func countLines(text []byte) lineTable {
	t := lineTable{before: make([]int32, 0, len(text)/chunkSize+1)}
	for at := 0; at < len(text); at += chunkSize {
		t.before = append(t.before, int32(t.count))
		t.count += bytes.Count(text[at:min(at+chunkSize, len(text))], []byte{'\n'})
	}
	if text[len(text)-1] != '\n' {
		t.count++
	}
	t.wait = t.count / waitPart
	return t
}

// seek returns the offset of line i of text while lines are not recorded, or the length of the text
// after the last line. If this lookup makes the total too expensive, it records all lines.
func (t *lineTable) seek(text []byte, i int) int {
	if i == t.count {
		return len(text)
	}
	if i < t.line || i > t.line+nearby {
		// The line begins after line end i, which is in the last chunk with fewer line ends before
		// it.
		chunk := max(0, sort.Search(len(t.before), func(c int) bool { return int(t.before[c]) >= i })-1)
		t.line, t.at = int(t.before[chunk]), chunk*chunkSize
		t.wait -= lookupCost
	}
	if t.wait -= i - t.line; t.wait < 0 { // the lookups have used up their share
		t.starts = lineStarts(text)
		return int(t.starts[i])
	}
	for ; t.line < i; t.line++ {
		t.at = lineEnd(text, t.at)
	}
	return t.at
}

// noteLines records all lines, for callers that are about to read them all.
func (d *Document) noteLines() {
	if d.starts == nil {
		d.starts = lineStarts(d.text)
	}
}

// countBefore returns the number of line ends before an offset.
func (t *lineTable) countBefore(text []byte, offset int) int {
	chunk := min(offset/chunkSize, len(t.before)-1)
	return int(t.before[chunk]) + bytes.Count(text[chunk*chunkSize:offset], []byte{'\n'})
}
