package reading

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// WithoutGutter returns the reading without copied line numbers ("12 | x", "12: x", "12\tx"). They
// are removed from a side if every line has one and the numbers are consecutive. The first number
// becomes the hint, unless the block gives one. ok is false if SEARCH has no such numbers.
func WithoutGutter(v *Reading) (out *Reading, ok bool) {
	search, first, ok := stripGutter(v.Search.Document)
	if !ok || !text.HasWord(search) || v.Search.Len() == 1 && !strictGutter(v.Search.Line(0)) {
		return nil, false // nothing but numbers, or they may be part of the text, as in "1: one"
	}
	replace, _, stripped := stripGutter(v.Replace)
	if !stripped {
		replace = stripKnown(v.Search.Document, v.Replace)
	}
	out = v.with(search, strategy.NewDocument(replace), "line-numbers")
	out.Search.Hint = cmp.Or(v.Search.Hint, first)
	return out, true
}

// stripGutter returns the text of d without line numbers, and the number of the first line. ok is
// false unless each line has a number and the numbers are consecutive.
func stripGutter(d *strategy.Document) (text []byte, first int, ok bool) {
	if d.Len() == 0 {
		return nil, 0, false
	}
	var out [][]byte
	for i := range d.Len() {
		n, rest, has := gutter(d.Line(i))
		if !has || i > 0 && n != first+i {
			return nil, 0, false
		}
		if i == 0 {
			first = n
		}
		out = append(out, rest)
	}
	return join(out), first, true
}

// stripKnown returns the text of REPLACE without the numbers of lines that it copies from SEARCH
// with their numbers, and without numbers that are certainly line numbers.
func stripKnown(search, replace *strategy.Document) []byte {
	known := map[string]bool{}
	for i := range search.Len() {
		known[string(search.Line(i))] = true
	}
	out := make([][]byte, replace.Len())
	for i := range out {
		out[i] = replace.Line(i)
		if known[string(out[i])] || strictGutter(out[i]) {
			_, out[i], _ = gutter(out[i])
		}
	}
	return join(out)
}

// strictGutter reports whether a line begins with a number that is certainly a line number, because
// a bar or an arrow separates it from the text.
func strictGutter(line []byte) bool {
	rest := bytes.TrimLeft(line, " \t")
	digits := len(rest) - len(bytes.TrimLeft(rest, "0123456789"))
	rest = bytes.TrimLeft(rest[digits:], " ")
	return digits > 0 && (bytes.HasPrefix(rest, []byte("|")) || bytes.HasPrefix(rest, []byte("→")))
}

// WithoutReplaceGutter returns the reading with line numbers removed from a REPLACE that has them
// although SEARCH has none: all lines of REPLACE have one, the first with a bar or an arrow after
// it, the numbers are consecutive, and without them some lines equal lines of SEARCH. If REPLACE as
// a whole equals SEARCH without them, adding them is the purpose of the block, and they stay.
func WithoutReplaceGutter(v *Reading) *Reading {
	bare, _, ok := stripGutter(v.Replace)
	if !ok || !strictGutter(v.Replace.Line(0)) {
		return v
	}
	d := strategy.NewDocument(bare)
	if len(hunksOf(v.Search.Document, d)) == 0 {
		return v
	}
	for i := range d.Len() {
		if text.HasWord(d.Line(i)) && v.Search.HasLine(d.Line(i)) {
			return v.with(v.Search.Text(), d, "line-numbers")
		}
	}
	return v
}

// gutter splits a line into a copied line number and the rest: "12 | x" into 12 and "x". ok is
// false if the line has no number, and rest is then the line.
func gutter(line []byte) (n int, rest []byte, ok bool) {
	trimmed := bytes.TrimLeft(line, " \t")
	digits := len(trimmed) - len(bytes.TrimLeft(trimmed, "0123456789"))
	if digits == 0 || digits > 7 {
		return 0, line, false
	}
	n, _ = strconv.Atoi(string(trimmed[:digits]))
	rest = trimmed[digits:]
	for _, sep := range []string{" | ", "|", ": ", "\t", "→"} {
		if after, found := bytes.CutPrefix(rest, []byte(sep)); found {
			return n, after, true
		}
	}
	// A numbered blank line may have lost the blank after its bar.
	switch s := string(bytes.TrimRight(rest, " ")); s {
	case " |", ":", "":
		return n, nil, true
	}
	return 0, line, false
}
