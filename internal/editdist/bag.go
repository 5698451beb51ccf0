package editdist

// Bag counts the symbols of a text by class, to rule out quickly that two texts are close. Their
// bag distance (Bartolini, Ciaccia and Patella, String matching with metric trees using an
// approximate distance, 2002) is never greater than their edit distance. It can only be smaller
// because symbols share classes, and because counts end at 127.
type Bag [bagClasses / 8]uint64 // a count in each byte

const (
	bagClasses = 32 // ASCII letters have one each, whatever their case
	bagMost    = 127
)

// BagOf counts the symbols of text.
func BagOf(text []byte) (b Bag) {
	for _, c := range text {
		if c&0xC0 == 0x80 {
			continue // a rune counts where it begins
		}
		word, shift := &b[c%bagClasses/8], c%8*8
		if *word>>shift&0xFF < bagMost {
			*word += 1 << shift
		}
	}
	return b
}

// Least returns a lower bound for the edit distance of the texts that b and c count.
func (b *Bag) Least(c *Bag) int {
	const (
		highs = 0x8080808080808080
		evens = 0x00FF00FF00FF00FF
		ones  = 0x0001000100010001
	)
	var onlyB, onlyC uint64 // how many symbols only b, or only c, has: four sums of 16 bits
	for i, x := range b {
		// Subtract eight counts at once. No byte is above 127, so with its high bit set none
		// borrows from its neighbour. The high bit stays set unless the difference is negative;
		// then the mask makes the difference 0.
		y := c[i]
		d, e := x|highs-y, y|highs-x
		d &= (d & highs >> 7) * 127
		e &= (e & highs >> 7) * 127
		onlyB += d&evens + d>>8&evens
		onlyC += e&evens + e>>8&evens
	}
	return int(max(onlyB*ones, onlyC*ones) >> 48) // the product adds the four sums
}
