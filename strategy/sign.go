package strategy

import (
	"encoding/binary"

	"github.com/srpatch/srpatch/internal/text"
)

// A line's sign is a sum over the characters of its tokens that are no blanks. Lines with equal keys have equal signs, and so have
// lines that are equal except for blanks around them; others hardly ever, unless they have the same characters in another order. It
// is made in a fraction of the time that a key takes, for blanks need not be understood to be passed over. Only lines that have no
// other character have the sign 0.

// worth is what each byte counts in a sign.
var worth = func() (table [256]uint64) {
	x := uint64(0)
	for c := range table {
		// Numbers without a pattern (splitmix64, Steele, Lea and Flood 2014).
		x += 0x9e3779b97f4a7c15
		z := (x ^ x>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		if !text.IsASCIISpace(byte(c)) {
			table[c] = z ^ z>>31
		}
	}
	return table
}()

const (
	eightBlanks = 0x2020202020202020
	eightHighs  = 0x8080808080808080
)

// sumOf is the sum over the bytes of line, and whether all are ASCII.
func sumOf(line []byte) (sum uint64, ascii bool) {
	var high uint64
	rest := line
	for ; len(rest) >= 8; rest = rest[8:] {
		w := binary.LittleEndian.Uint64(rest)
		high |= w
		sum += sumOfEight(w)
	}
	if n := 8 * len(rest); n > 0 && len(line) >= 8 {
		w := binary.LittleEndian.Uint64(line[len(line)-8:])>>(64-n) | eightBlanks<<n
		return sum + sumOfEight(w), (high|w)&eightHighs == 0
	}
	for _, c := range rest {
		high |= uint64(c)
		sum += worth[c]
	}
	return sum, high&eightHighs == 0
}

func sumOfEight(w uint64) uint64 {
	return worth[byte(w)] + worth[byte(w>>8)] + worth[byte(w>>16)] + worth[byte(w>>24)] +
		worth[byte(w>>32)] + worth[byte(w>>40)] + worth[byte(w>>48)] + worth[w>>56]
}

// signOf is the sign of a line's tokens.
func signOf(tokens []byte) uint64 {
	sum, _ := sumOf(tokens)
	if sum == 0 && len(tokens) > 0 {
		return 1
	}
	return sum
}

// signOfLine is the sign of a line of the document. The tokens of lines that are ASCII are not needed.
func (d *Document) signOfLine(line []byte) uint64 {
	sum, ascii := sumOf(line)
	if ascii && (sum != 0 || text.Blank(line)) {
		return sum
	}
	d.scratch = text.AppendReduced(d.scratch[:0], line)
	return signOf(d.scratch)
}

// signs are the signs of all lines, made once in one pass.
func (d *Document) signs() []uint64 {
	if d.lineSigns == nil {
		d.noteLines()
		d.lineSigns = make([]uint64, d.Len())
		for i, line := range d.Lines() {
			d.lineSigns[i] = d.signOfLine(line)
		}
	}
	return d.lineSigns
}

// least is how many bytes a line has at least that has the same key as line i: those of its tokens that are no blanks.
func (d *Document) least(i int) int {
	d.scratch = text.AppendReduced(d.scratch[:0], d.Line(i))
	n := 0
	for _, c := range d.scratch {
		if !text.IsASCIISpace(c) {
			n++
		}
	}
	return n
}
