package strategy

import (
	"bytes"
	"encoding/binary"
	"math/bits"
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
