package indent

import (
	"bytes"
	"iter"

	"github.com/srpatch/srpatch/internal/text"
)

// shallower reports whether the margin a is a proper prefix of b. If they use different characters,
// neither is shallower.
func shallower(a, b []byte) bool { return len(a) < len(b) && bytes.HasPrefix(b, a) }

// unit returns the character that an indentation consists of, and how often. char is 0 if the
// indentation is empty. ok is false if it mixes tabs and spaces.
func unit(indent []byte) (char byte, n int, ok bool) {
	if len(indent) == 0 {
		return 0, 0, true
	}
	for _, c := range indent {
		if c != indent[0] {
			return 0, 0, false
		}
	}
	return indent[0], len(indent), true
}

// enoughSteps is how many deeper lines are enough to know the size of a level.
const enoughSteps = 200

// Unit returns the text that one level adds to the margin of a line: the most frequent step by
// which the first lines get deeper, or nothing if there is none. Lines that begin with a star are
// ignored, because in comments they are one space deeper than their level.
func Unit(lines iter.Seq[[]byte]) []byte {
	times := map[string]int{}
	var above []byte
	best, steps := "", 0
	for line := range lines {
		own := text.Margin(line)
		if bytes.Equal(own, above) || text.Blank(line) || bytes.HasPrefix(line[len(own):], []byte{'*'}) {
			continue
		}
		if steps == enoughSteps {
			break
		}
		if shallower(above, own) {
			steps++
			step := string(own[len(above):])
			if times[step]++; times[step] > times[best] {
				best = step
			}
		}
		above = own
	}
	return []byte(best)
}
