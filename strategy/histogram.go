package strategy

import (
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/editdist"
)

// classes is the number of classes that symbols are grouped into. Each class has one byte of a
// packed counter.
const classes = 16

// histogram counts the folded symbols of a document by class, cumulatively over the lines, so that
// the counts of any range of lines are a difference of two entries. Counting classes instead of
// symbols can only make texts look more alike, so bounds for their distance stay sound.
type histogram [][classes]uint32 // the counts of the lines before each line; Len()+1 of them

// classOf returns the class of a symbol. It distributes the symbols of source text evenly: each of
// the most common symbols has a separate class, and the others share classes.
func classOf(s editdist.Symbol) int {
	switch {
	case s == ' ':
		return 0
	case s >= 0x80:
		return int(uint32(s) * 2654435769 >> 28) // a multiplicative hash of 4 bits
	case s >= 'a' && s <= 'z':
		// By frequency in English and in code; rare letters share a class.
		//          abcdefghijklmnopqrstuvwxyz
		const of = "DLJKALLLFMMILEHKMCGBJMMMMM" // A is class 1
		return int(of[s-'a'] - '@')
	case s >= 'A' && s <= 'Z':
		return 13
	case s >= '0' && s <= '9', s == '\t':
		return 14
	}
	return 15
}

// packed counts the symbols of each class in one byte of two 64-bit words.
type packed [2]uint64

// packedOf returns counters of one symbol of the given class.
func packedOf(class int) (p packed) {
	p[class/8] = 1 << (class % 8 * 8)
	return p
}

// lengths returns Len()+1 numbers: how many symbols the lines before each line have, not counting
// line ends. They are computed once.
func (d *Document) lengths() []uint32 {
	if d.symbols == nil {
		d.symbols = make([]uint32, d.Len()+1)
		sum := uint32(0)
		for i, line := range d.Lines() {
			sum += uint32(utf8.RuneCount(line))
			d.symbols[i+1] = sum
		}
	}
	return d.symbols
}

// counts returns the document's histogram, which is computed once. ASCII is counted with packed
// counters, all classes at once; other symbols are counted one by one.
func (d *Document) counts() histogram {
	if d.histogram != nil {
		return d.histogram
	}
	var ones [256]packed
	for c := range 0x80 {
		ones[c] = packedOf(classOf(editdist.Symbol(c)))
	}
	h := make(histogram, d.Len()+1)
	var sum [classes]uint32
	for i, line := range d.Lines() {
		for len(line) > 0 {
			part := line[:min(len(line), 255)] // as many as a byte of a packed counter can count
			var low, high uint64
			n := 0
			for n < len(part) {
				c := part[n]
				if c >= 0x80 {
					break
				}
				low += ones[c][0]
				high += ones[c][1]
				n++
			}
			for class := range classes / 2 {
				sum[class] += uint32(low >> (class * 8) & 0xFF)
				sum[class+classes/2] += uint32(high >> (class * 8) & 0xFF)
			}
			line = line[n:]
			for len(line) > 0 && line[0] >= 0x80 {
				s, size := foldSymbol(line)
				sum[classOf(s)]++
				line = line[size:]
			}
		}
		h[i+1] = sum
	}
	d.histogram = h
	return h
}

// surplus returns how many more symbols of each class, added up, a range of lines has than another
// one. For "aab" and "abb" it's 1. a0 and a1 are the histogram's entries at the start and end of
// the first range, b0 and b1 those of the second. Both ranges must have the same number of line
// ends, which aren't counted. The result is a lower bound for the edit distance, because an edit
// removes at most one such symbol. The other bound, the symbols that the first range lacks, is the
// surplus minus the difference in length.
func surplus(a0, a1, b0, b1 *[classes]uint32) int {
	n := int32(0)
	for c := range classes {
		d := int32(a1[c] - a0[c] - (b1[c] - b0[c]))
		n += d &^ (d >> 31) // max(d, 0)
	}
	return int(n)
}
