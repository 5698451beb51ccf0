package indent

import (
	"bytes"
	"iter"

	"github.com/srpatch/srpatch/internal/text"
)

// shallower reports whether the margin a ends before b does. Of two margins in different characters
// neither is.
func shallower(a, b []byte) bool { return len(a) < len(b) && bytes.HasPrefix(b, a) }

// unit counts an indentation in its own characters: the leading tabs if it begins with one, else
// the spaces. ok is false where both kinds are mixed.
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

// enoughSteps is how many lines that go deeper tell what a level is.
const enoughSteps = 200

// Unit returns what one level adds to the margin of a line: the step that the first lines go deeper
// by most often; empty if none does. Lines that begin with a star are not asked: those of comments
// are one blank deeper than any level.
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
