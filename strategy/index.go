package strategy

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"iter"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// BlankKey is the key of every line that consists only of blanks.
const BlankKey Key = 1

// Key identifies a line except for details that models often get wrong: indentation, trailing
// blanks, blanks between tokens, and typographic quotes and dashes. Blanks inside a string literal
// count, and so does whether two words or two operators are separated. Keys are valid within one
// process.
type Key uint64

// seed makes the keys and marks of a document and of a pattern comparable.
var seed = maphash.MakeSeed()

// Key returns the key of line i (0-based), which is computed on first use.
func (d *Document) Key(i int) Key {
	if d.keys == nil || d.keys[i] == 0 {
		d.scratch = d.AppendTokens(d.scratch[:0], i)
	}
	return d.keys[i]
}

// AppendTokens appends the tokens of line i (0-based) to dst: the line without the details that its
// [Key] ignores. It also computes the key, for callers that need both.
func (d *Document) AppendTokens(dst []byte, i int) []byte {
	from := len(dst)
	dst = text.AppendReduced(dst, d.Line(i))
	if d.keys == nil {
		d.keys = make([]Key, d.Len())
	}
	if d.keys[i] == 0 {
		d.keys[i] = keyOf(dst[from:])
	}
	return dst
}

// Keys returns the keys of all lines.
func (d *Document) Keys() []Key {
	for i := range d.Len() {
		d.Key(i)
	}
	return d.keys
}

func keyOf(tokens []byte) Key {
	if len(tokens) == 0 {
		return BlankKey
	}
	return max(BlankKey+1, Key(maphash.Bytes(seed, tokens)))
}

// lineIndex finds the lines of a document by their marks. It is a hash table with chains of line
// numbers instead of pointers, and has no blank lines.
//
// A line's mark is a hash of its nonblank characters, or 0 if there are none. Lines with equal keys
// have equal marks, and so do lines that differ only in blanks at their ends. Computing a mark is
// much faster than computing a key, because it needs no tokens.
type lineIndex struct {
	marks []uint64
	heads []int32 // 1 + first line of each bucket
	next  []int32 // 1 + next line in the same bucket
	mask  uint64
}

// marks returns the marks of all lines. They are computed once, in one pass that also counts
// nonblank characters.
func (d *Document) marks() []uint64 {
	if d.lineMarks == nil {
		d.lineMarks, d.nonblanks = make([]uint64, d.Len()), make([]int32, d.Len())
		for i, line := range d.Lines() {
			mark, n := markOf(line)
			d.lineMarks[i], d.nonblanks[i] = mark, int32(n)
		}
	}
	return d.lineMarks
}

// worth is the weight of each byte in a mark: an odd number, or 0 for a blank.
var worth = func() (table [256]uint64) {
	for c := range table {
		if !text.IsASCIISpace(byte(c)) {
			table[c] = maphash.Bytes(seed, []byte{byte(c)}) | 1
		}
	}
	return table
}()

// markOf returns the mark of a line (see [lineIndex]), and how many nonblank characters its tokens
// have. ASCII lines need not be split into tokens.
func markOf(line []byte) (mark uint64, n int) {
	mark, n, ascii := sumOf(line)
	if ascii {
		return mark, n
	}
	line = text.AppendReduced(nil, line)
	kept := line[:0]
	for size := 0; len(line) > 0; line = line[size:] {
		var r rune
		if r, size = utf8.DecodeRune(line); !isSpaceECMA(r) {
			kept = append(kept, line[:size]...) // strategies may treat other characters as blanks
		}
	}
	mark, _, _ = sumOf(kept)
	return mark, utf8.RuneCount(kept)
}

// sumOf returns a hash of the nonblank bytes of line in their order, or 0 if there are none: the
// sum of their weights in [worth], multiplied by 1, 3, 5 and so on. n is the number of nonblank
// bytes. ascii is set if all bytes are ASCII.
func sumOf(line []byte) (sum uint64, n int, ascii bool) {
	at, high := uint64(1), byte(0)
	for _, c := range line {
		w := worth[c]
		sum += w * at
		at += w & 1 << 1 // 2 after a nonblank byte
		high |= c
	}
	if at > 1 {
		sum |= 1 // never 0
	}
	return sum, int(at / 2), high < utf8.RuneSelf
}

// index returns the index of the lines by their marks.
func (d *Document) index() *lineIndex {
	if d.byMark != nil {
		return d.byMark
	}
	marks := d.marks()
	size := 1 << bits.Len(uint(len(marks)))
	x := &lineIndex{marks, make([]int32, size), make([]int32, len(marks)), uint64(size - 1)}
	for i := len(marks) - 1; i >= 0; i-- { // backwards, so that chains run in document order
		if marks[i] != 0 { // blank lines are too common to be useful, and would share one chain
			h := &x.heads[marks[i]>>1&x.mask] // the lowest bit of every mark is 1
			x.next[i], *h = *h, int32(i+1)
		}
	}
	d.byMark = x
	return x
}

// lines yields, in order, the 0-based lines with mark m, which must not be 0.
func (x *lineIndex) lines(m uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := x.heads[m>>1&x.mask]; at != 0; at = x.next[at-1] {
			if x.marks[at-1] == m && !yield(int(at)-1) {
				return
			}
		}
	}
}

// count returns the number of items, counted up to limit.
func count(items iter.Seq[int], limit int) int {
	n := 0
	for range items {
		if n++; n == limit {
			break
		}
	}
	return n
}

// withKey yields, in order, the lines with the key k and the mark m, except for blank lines.
func (d *Document) withKey(m uint64, k Key) iter.Seq[int] {
	return func(yield func(int) bool) {
		if k == BlankKey {
			return
		}
		places := d.index().lines(m)
		if m == 0 { // a line of special characters such as U+FEFF, which the index doesn't have
			places = upTo(d.Len())
		}
		for i := range places {
			if d.Key(i) == k && !yield(i) {
				return
			}
		}
	}
}

// payForProbe adds cost, in lines to be read, to the cost of all searches without the index so far.
// It reports whether such a search is worth it: there is no index yet, and the sum doesn't exceed
// the cost of making one.
func (d *Document) payForProbe(cost int) bool {
	d.probed += cost
	return d.byMark == nil && d.probed <= d.Len()/2
}

// Expect says how many blocks will be searched for in the document, so that its lines are indexed
// immediately if that pays off.
func (d *Document) Expect(blocks int) {
	if blocks >= 5 {
		d.probed = d.Len()
	}
}

// CountLine returns the number of lines with the same key as line, up to limit. It returns 0 for a
// blank line.
func (d *Document) CountLine(line []byte, limit int) int {
	k := keyOf(text.AppendReduced(nil, line))
	// Use the index, unless there is none yet and reading the lines is cheaper than making it.
	if k == BlankKey || !d.payForProbe(d.Len()/4) {
		mark, _ := markOf(line)
		return count(d.withKey(mark, k), limit)
	}
	n := 0
	for i, have := range d.Lines() {
		if n == limit {
			break
		}
		if text.MayReadAlike(have, line) && d.Key(i) == k { // computing a key is slow
			n++
		}
	}
	return n
}

// HasLine reports whether line is blank, or the document has a line with the same key.
func (d *Document) HasLine(line []byte) bool {
	return d.CountLine(line, 1) > 0 || len(text.AppendReduced(nil, line)) == 0
}

// ExactWindows yields the first lines (0-based) of all windows of doc whose lines equal the
// pattern's byte for byte, ignoring line ends. Windows may overlap. An empty pattern has none.
func ExactWindows(doc *Document, pat *Pattern) iter.Seq[int] { return equalWindows(doc, pat.Document) }

// KeyWindows yields the first lines (0-based) of all windows of doc whose lines have the pattern's
// keys, in order. Windows may overlap.
func KeyWindows(doc *Document, pat *Pattern) iter.Seq[int] {
	return windows(doc, pat.Document, func(d *Document, i, j int) bool { return d.Key(i) == pat.Key(j) })
}

// equalWindows yields the first lines of the windows of doc that equal pat line by line.
func equalWindows(doc, pat *Document) iter.Seq[int] {
	if pat.Len() == 1 && pat.marks()[0] != 0 && doc.payForProbe(doc.Len()/32) {
		return oneLine(doc, pat.Line(0))
	}
	return windows(doc, pat, func(d *Document, i, j int) bool { return bytes.Equal(d.Line(i), pat.Line(j)) })
}

// oneLine yields the lines of doc that equal line, which must not be blank.
func oneLine(doc *Document, line []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := range disjoint(doc.text, line) {
			if at > 0 && doc.text[at-1] != '\n' {
				continue
			}
			if i := doc.LineAt(at); bytes.Equal(doc.Line(i), line) && !yield(i) {
				return
			}
		}
	}
}

// trimmedWindows yields the first lines of the windows of doc that equal pat line by line, ignoring
// whitespace at the ends of lines.
func trimmedWindows(doc, pat *Document) iter.Seq[int] {
	return windows(doc, pat, func(d *Document, i, j int) bool { return equalTrimmed(d, i, pat, j) })
}

// relation reports whether line i of d, which is the document or the pattern itself, matches line j
// of the pattern. It must be an equivalence relation, and lines that match must have equal marks.
type relation func(d *Document, i, j int) bool

// windows yields the first lines of all windows of doc whose lines match the pattern's, in order.
// It only compares windows whose lines have the same marks. If there may be too many of these, it
// compares the whole document with the algorithm of [sequence].
func windows(doc, pat *Document, same relation) iter.Seq[int] {
	return func(yield func(int) bool) {
		if pat.Len() == 0 || pat.Len() > doc.Len() {
			return
		}
		if mark := pat.marks()[0]; mark != 0 && pat.Len() == 1 {
			for i := range doc.index().lines(mark) {
				if same(doc, i, 0) && !yield(i) {
					return
				}
			}
			return
		}
		places, few := doc.windowsByMarks(pat)
		if !few {
			have, want := doc.marks(), pat.marks()
			sequence(len(have), len(want),
				func(i, j int) bool { return have[i] == want[j] && same(doc, i, j) },
				func(i, j int) bool { return want[i] == want[j] && same(pat, i, j) })(yield)
			return
		}
		for _, first := range places {
			if _, ok := sameAt(doc, pat, first, same); ok && !yield(first) {
				return
			}
		}
	}
}

// sameAt reports whether the pattern's lines match those of doc from line first on, and how many
// lines were compared. first may be out of range.
func sameAt(doc, pat *Document, first int, same relation) (compared int, ok bool) {
	if first < 0 || first+pat.Len() > doc.Len() {
		return 0, false
	}
	for j := range pat.Len() {
		if !same(doc, first+j, j) {
			return j + 1, false
		}
	}
	return pat.Len(), true
}

// windowsByMarks returns, in order, the first lines of the windows of d whose lines have the same
// marks as pat's lines. If there may be too many, it returns nil and false. Each result is cached.
func (d *Document) windowsByMarks(pat *Document) (starts []int, few bool) {
	var key []byte
	for _, mark := range pat.marks() {
		key = binary.LittleEndian.AppendUint64(key, mark)
	}
	if known, ok := d.places[string(key)]; ok {
		return known.starts, known.few
	}
	if d.payForProbe(0) { // there is no index yet, and making one isn't worth it so far
		starts, few = d.probe(pat)
	} else {
		starts, few = d.aroundRarest(pat)
	}
	if d.places == nil {
		d.places = map[string]places{}
	}
	d.places[string(key)] = places{starts, few}
	return starts, few
}

// places holds a result of windowsByMarks.
type places struct {
	starts []int
	few    bool
}

// aroundRarest finds the windows for windowsByMarks, using the index: it compares all lines around
// each place of pat's rarest line. It returns nil and false if every line of pat is blank or occurs
// at least commonLine times.
func (d *Document) aroundRarest(pat *Document) (starts []int, few bool) {
	x, rarest, least := d.index(), -1, commonLine
	for j, mark := range pat.marks() {
		if mark == 0 {
			continue
		}
		if n := count(x.lines(mark), least); n < least {
			rarest, least = j, n
		}
		if least <= 1 { // no other line can exclude more
			break
		}
	}
	if rarest < 0 {
		return nil, false
	}
	for at := range x.lines(pat.marks()[rarest]) {
		if _, ok := sameAt(d, pat, at-rarest, pat.marked); ok {
			starts = append(starts, at-rarest)
		}
	}
	return starts, true
}

// marked reports whether line i of doc has the mark of line j of d.
func (d *Document) marked(doc *Document, i, j int) bool {
	if doc.lineMarks != nil {
		return doc.lineMarks[i] == d.lineMarks[j]
	}
	mark, _ := markOf(doc.Line(i))
	return mark == d.lineMarks[j]
}

// probe finds the windows for windowsByMarks without an index. It returns nil and false if pat is
// blank, or if the comparisons cost more than reading all lines.
//
// Let reach be the least distance in bytes from the start of a window to its last nonblank line. In
// a window that begins below offset before, the last nonblank line begins at before+1+reach or
// below. So the first nonblank line from there on is in the window, or else above it. It's enough
// to read this line, compare the windows that may contain it, and go on with before at this line.
// Thus only one line in about every reach bytes is read.
func (d *Document) probe(pat *Document) (starts []int, few bool) {
	reach, size := -1, 0
	for j, mark := range pat.marks() {
		if mark != 0 {
			reach = size
		}
		size += int(pat.nonblanks[j]) + 1
	}
	left, before := d.Len(), -1 // all windows that begin at or above offset before are known
	for at, mark := 0, uint64(0); left >= 0 && reach >= 0; before = at {
		if at, mark = d.nonblankFrom(before + 1 + reach); mark == 0 {
			slices.Sort(starts)
			return starts, true
		}
		if count(pat.index().lines(mark), 1) == 0 {
			continue // pat has no such line
		}
		end := lineEnd(d.text, at)
		above, _ := markOf(d.text[bytes.LastIndexByte(d.text[:max(0, at-1)], '\n')+1 : at])
		below, _ := markOf(d.text[end:lineEnd(d.text, end)])
		for j := range pat.index().lines(mark) {
			if left--; left < 0 {
				return nil, false
			}
			if j > 0 && above != pat.lineMarks[j-1] || j+1 < pat.Len() && below != pat.lineMarks[j+1] {
				continue // the neighbours rule out most chance matches
			}
			first := d.LineAt(at) - j
			compared, ok := sameAt(d, pat, first, pat.marked)
			if ok && d.Start(first) > before {
				starts = append(starts, first)
			}
			left -= compared
		}
	}
	return nil, false
}

// nonblankFrom returns the offset and the mark of the first nonblank line that begins at or after
// offset at. The mark is 0 if there is no such line. The lines read count as probed.
func (d *Document) nonblankFrom(at int) (start int, mark uint64) {
	if at > 0 && at < len(d.text) && d.text[at-1] != '\n' {
		at = lineEnd(d.text, at)
	}
	for at < len(d.text) && mark == 0 {
		start, at = at, lineEnd(d.text, at)
		d.probed++
		mark, _ = markOf(d.text[start:at])
	}
	return start, mark
}
