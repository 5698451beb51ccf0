package verdict

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// vocabulary answers which words a document knows, each looked for once.
type vocabulary struct {
	doc   *strategy.Document
	known map[string]bool
	chars bool // see [text.QuotesChar]
	// readers says that the document is a text for readers, see [text.IsMarkup].
	readers bool

	search, file [][]byte // the tokens of the last comparison, kept for the next

	// hashes has a bit for each hash of a word of the document, once many words or texts, which asked counts, have been looked for.
	hashes []uint64
	seed   maphash.Seed
	asked  int

	names *names // nil until they are asked for
}

const (
	// manyWords is how many words can be looked for in the time that it takes to hash all of a document.
	manyWords = 64
	// bytesPerBit is how many bytes of the document there are at most to each bit of its hashes: words recur.
	bytesPerBit = 4
)

func (v *vocabulary) has(word []byte) bool {
	known, asked := v.known[string(word)]
	if !asked {
		known = v.mayHave(word) && v.find(word)
		if v.known == nil {
			v.known = map[string]bool{}
		}
		v.known[string(word)] = known
	}
	return known
}

// mayHave reports quickly whether the document may have a word. It always may as long as few have been looked for.
func (v *vocabulary) mayHave(word []byte) bool {
	if v.asked < manyWords {
		v.asked++
		return true
	}
	if v.hashes == nil {
		v.seed = maphash.MakeSeed()
		v.hashes = make([]uint64, 1<<bits.Len(uint(len(v.doc.Text())/bytesPerBit/64)))
		for t := range text.EachToken(v.doc.Text()) {
			if text.BeginsWithWord(t) {
				at, bit := v.bitOf(t)
				v.hashes[at] |= bit
			}
		}
	}
	at, bit := v.bitOf(word)
	return v.hashes[at]&bit != 0
}

// MayOccur reports quickly whether the document may have a text: it must have each word that the text does not begin or end with.
func (j *Judge) MayOccur(part []byte) bool {
	v := &j.words
	if v.asked < manyWords {
		v.asked++
		return true
	}
	if !utf8.Valid(part) {
		return true // it may begin in the middle of a letter
	}
	var last []byte // of the tokens but for the first
	first := true
	for t := range text.EachToken(part) {
		if last != nil && text.BeginsWithWord(last) && !v.mayHave(last) {
			return false
		}
		if !first {
			last = t
		}
		first = false
	}
	return true
}

// bitOf is where a word has its bit.
func (v *vocabulary) bitOf(word []byte) (at int, bit uint64) {
	h := maphash.Bytes(v.seed, word)
	return int(h / 64 % uint64(len(v.hashes))), 1 << (h % 64)
}

// find looks for word as a whole word.
func (v *vocabulary) find(word []byte) bool {
	file := v.doc.Text()
	for at := 0; ; {
		n := bytes.Index(file[at:], word)
		if n < 0 {
			return false
		}
		start, end := at+n, at+n+len(word)
		if !text.EndsWithWord(file[:start]) && !text.BeginsWithWord(file[end:]) {
			return true
		}
		at = start + 1
	}
}
