package retry

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/internal/text"
)

// bag is the words and marks of texts, each as a number, in ascending order.
type bag []uint64

// tokens reads texts into bags.
type tokens struct{ seed maphash.Seed }

func newTokens() tokens { return tokens{maphash.MakeSeed()} }

// add puts the words of a text into a bag, or its marks if it has no words: what all code has says nothing. Those of texts with
// different names are different.
func (t tokens) add(b bag, name byte, content []byte) bag {
	words := bytes.ContainsFunc(content, text.IsWordRune)
	for token := range text.EachToken(content) {
		if words && !text.BeginsWithWord(token) {
			continue
		}
		var h maphash.Hash
		h.SetSeed(t.seed)
		h.WriteByte(name)
		h.Write(token)
		b = append(b, h.Sum64())
	}
	return b
}

// common is how many tokens two bags share.
func (b bag) common(other bag) (n int) {
	for i, j := 0, 0; i < len(b) && j < len(other); {
		switch {
		case b[i] < other[j]:
			i++
		case b[i] > other[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}

// likeness of two bags is 1 for the same tokens and 0 for none in common; an empty bag resembles nothing.
func (b bag) likeness(other bag) float64 {
	if len(b)*len(other) == 0 {
		return 0
	}
	return 2 * float64(b.common(other)) / float64(len(b)+len(other))
}

// contains is how much of b, 0 to 1, other has as well.
func (b bag) contains(other bag) float64 {
	if len(b) == 0 {
		return 0
	}
	return float64(b.common(other)) / float64(len(b))
}

// Names of the texts that tokens are from.
const (
	ofSearch  = 's'
	ofReplace = 'r'
	ofAny     = 'a'
)

// content is an edit as it is compared.
type content struct {
	// sides are the tokens of SEARCH and REPLACE.
	sides bag
	// change are those of the lines that are dropped and added: what the edit is about, however many lines around them it repeats.
	change bag
	// any are the tokens of both sides, whichever side they are of.
	any bag
}

func (t tokens) content(search, replace []byte) (c content) {
	c.sides = t.add(t.add(nil, ofSearch, search), ofReplace, replace)
	c.any = t.add(t.add(nil, ofAny, search), ofAny, replace)
	a, b := trimmedLines(search), trimmedLines(replace)
	for _, h := range linediff.Diff(a, b) {
		for _, line := range a[h.A0:h.A1] {
			c.change = t.add(c.change, ofSearch, line)
		}
		for _, line := range b[h.B0:h.B1] {
			c.change = t.add(c.change, ofReplace, line)
		}
	}
	slices.Sort(c.sides)
	slices.Sort(c.change)
	slices.Sort(c.any)
	return c
}

// attempt are the tokens of an attempt, its markers aside.
func (t tokens) attempt(text []byte) (b bag) {
	for line := range bytes.Lines(text) {
		if fsm.Classify(line).Kind == fsm.Text {
			b = t.add(b, ofAny, line)
		}
	}
	slices.Sort(b)
	return b
}

// likeness is that of the sides, or that of the change if it is more: a corrected block may have more lines around it.
func (c *content) likeness(other *content) float64 {
	return max(c.sides.likeness(other.sides), c.change.likeness(other.change))
}

func trimmedLines(side []byte) linediff.Slice {
	var out linediff.Slice
	for line := range bytes.Lines(side) {
		out = append(out, bytes.TrimSpace(line))
	}
	return out
}
