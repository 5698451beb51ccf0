package strategy

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// part is some lines of a document, from the byte offset start on.
type part struct {
	*Document
	start int
}

// fewPlaces is in how many places of a document a pattern may seem to be for them to be looked at one by one.
const fewPlaces = 32

// parts are those of the document in which the pattern may be, blanks and escapes aside: the lines around what it has and the document
// seldom does. Where there is no such thing, it is the whole document. They are made once for a pattern.
func (d *Document) parts(pat *Pattern) []part {
	if pat.in == d {
		return pat.parts
	}
	pat.in, pat.parts = d, []part{{d, 0}}
	at := d.fewRuns(pat)
	if at == nil {
		at = d.fewWords(pat)
	}
	if at != nil {
		lines := pat.Len() + bytes.Count(pat.text, []byte(`\n`)) // an escape may be a line end
		pat.parts = d.around(at, 2*lines+2)
	}
	return pat.parts
}

const (
	// wordRun is how many bytes of words in a row are looked at in one place.
	wordRun = 32
	// sparse is from how many bytes between places on that is fast.
	sparse = 128
	// anchorStep is how many bytes are between the places that an index of them has.
	anchorStep = 128
)

// fewRuns are places of the document, at least one for each pattern's length of text, around which the bytes of words, read on across
// everything else, are the pattern's; nil if they seem to be many, or the pattern is too short. A letter after a backslash is no
// part of a word. They are looked up once as many have been looked at as an index of them has.
func (d *Document) fewRuns(pat *Pattern) []int {
	var want []byte
	for i := range pat.text {
		if inWord(pat.text, i) {
			want = append(want, pat.text[i])
		}
	}
	step := len(want) - wordRun + 1
	if step < sparse {
		return nil
	}
	if step >= anchorStep && d.anchored > len(d.text)/anchorStep {
		return d.fewAnchors(want)
	}
	d.anchored += len(d.text) / step
	runs := make([]uint64, step)
	for i := range runs {
		runs[i] = hashRun((*[wordRun]byte)(want[i:]))
	}
	wanted := newLineIndex(runs)
	out, found := []int{}, 0
	for from := 0; from < len(d.text); from += step {
		run := d.runFrom(from)
		i := wanted.first(run)
		if i < 0 {
			continue
		}
		if found++; found > fewPlaces {
			return nil
		}
		if wanted.after(i, run) >= 0 || d.readsAs(want, i, from) {
			out = append(out, from)
		}
	}
	return out
}

// readsAs reports whether the bytes of words from an offset on are those of a pattern from the i-th on, to its end, and whether those
// before are the others, except for the first: a backslash may be before it.
func (d *Document) readsAs(want []byte, i, from int) bool {
	at := from
	for _, c := range want[i:] {
		for at < len(d.text) && !inWord(d.text, at) {
			at++
		}
		if at == len(d.text) || d.text[at] != c {
			return false
		}
		at++
	}
	at = from - 1
	for i--; i > 0; i-- {
		for at >= 0 && !inWord(d.text, at) {
			at--
		}
		if at < 0 || d.text[at] != want[i] {
			return false
		}
		at--
	}
	return true
}

// fewAnchors is fewRuns for the bytes of words in a pattern, by the index. The first place of the index in a text that reads as the pattern
// has fewer bytes of words before it than there are bytes between places.
func (d *Document) fewAnchors(want []byte) []int {
	if d.anchors == nil {
		runs := make([]uint64, 0, len(d.text)/anchorStep+1)
		for from := 0; from < len(d.text); from += anchorStep {
			runs = append(runs, d.runFrom(from))
		}
		d.anchors = newLineIndex(runs)
	}
	out, found := []int{}, 0
	for i := range anchorStep {
		run := hashRun((*[wordRun]byte)(want[i:]))
		for k := d.anchors.first(run); k >= 0; k = d.anchors.after(k, run) {
			if found++; found > 2*fewPlaces {
				return nil
			}
			if d.readsAs(want, i, k*anchorStep) {
				out = append(out, k*anchorStep)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// runFrom is the hash of the next bytes of words from an offset on, 0 if there are not enough.
func (d *Document) runFrom(from int) uint64 {
	var run [wordRun]byte
	n := 0
	for i := from; i < len(d.text); i++ {
		if inWord(d.text, i) {
			run[n] = d.text[i]
			if n++; n == wordRun {
				return hashRun(&run)
			}
		}
	}
	return 0
}

// inWord reports whether the byte at i is an ASCII letter, digit or underscore that no backslash escapes.
func inWord(b []byte, i int) bool {
	return b[i] < utf8.RuneSelf && text.IsWordByte(b[i]) && (i == 0 || b[i-1] != '\\')
}

func hashRun(run *[wordRun]byte) (h uint64) {
	for i := 0; i < wordRun; i += 8 {
		h = (h ^ binary.LittleEndian.Uint64(run[i:])) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return max(1, h)
}

// mostWords is how many words are tried.
const mostWords = 4

// fewWords are the places of one of the pattern's longest words that occurs seldom, nil if there is none.
func (d *Document) fewWords(pat *Pattern) []int {
	for _, word := range pat.longestWords(mostWords) {
		if at := d.few(word); at != nil {
			return at
		}
	}
	return nil
}

// longestWords are at most n words of the pattern, the longest first. What follows a backslash is none.
func (p *Pattern) longestWords(n int) [][]byte {
	var words [][]byte
	for rest := p.text; len(rest) > 0; {
		from := bytes.IndexFunc(rest, text.IsWordRune)
		if from < 0 {
			break
		}
		size := 0
		for from+size < len(rest) && text.IsWordByte(rest[from+size]) {
			size++
		}
		if size >= 3 && (from == 0 || rest[from-1] != '\\') {
			words = append(words, rest[from:from+size])
		}
		rest = rest[from+max(1, size):]
	}
	slices.SortFunc(words, func(a, b []byte) int { return cmp.Or(cmp.Compare(len(b), len(a)), bytes.Compare(a, b)) })
	words = slices.CompactFunc(words, bytes.Equal)
	return words[:min(n, len(words))]
}

// few are the places of word in the document, nil if they are many.
func (d *Document) few(word []byte) []int {
	out := []int{}
	for at := range disjoint(d.text, word) {
		if out = append(out, at); len(out) > fewPlaces {
			return nil
		}
	}
	return out
}

// around are the lines within reach of those at the offsets, which ascend.
func (d *Document) around(offsets []int, reach int) []part {
	var out []part
	for k := 0; k < len(offsets); {
		line := d.LineAt(offsets[k])
		from, to := max(0, line-reach), min(d.Len(), line+reach+1)
		for k++; k < len(offsets) && d.LineAt(offsets[k])-reach <= to; k++ {
			to = min(d.Len(), d.LineAt(offsets[k])+reach+1)
		}
		start := d.Start(from)
		out = append(out, part{NewDocument(d.text[start:d.Start(to)]), start})
	}
	return out
}
