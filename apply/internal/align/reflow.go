package align

import (
	"bytes"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// maxReflow is how many lines a statement may be spread over, on either side.
const maxReflow = 16

// reflowPairs pairs the pattern's lines s0 to s1-1 with the document's lines f0 to f1-1, which have
// the same tokens but different line breaks. It divides both into statements with equal tokens: the
// first lines of two statements are paired, and their other lines have no partner. Lines at either
// end that are blank, or that equal the opposite line, aren't part of a statement.
func reflowPairs(doc *strategy.Document, pat *strategy.Pattern, s0, s1, f0, f1 int) Alignment {
	// same returns the pair for lines s and f at an end, or for one of them if that is blank. ok is
	// false if the lines belong to statements.
	same := func(s, f int) (p Pair, ok bool) {
		switch {
		case s0 < s1 && f0 < f1 && pat.Key(s) == doc.Key(f):
			return Pair{Search: s, File: f, Relation: Relate(pat.Line(s), doc.Line(f)), Similarity: 1}, true
		case f0 < f1 && doc.Key(f) == strategy.BlankKey:
			return Pair{Search: -1, File: f, Relation: Extra}, true
		case s0 < s1 && pat.Key(s) == strategy.BlankKey:
			return Pair{Search: s, File: -1, Relation: Missing}, true
		}
		return Pair{}, false
	}
	var out, tail Alignment
	for p, ok := same(s0, f0); ok; p, ok = same(s0, f0) {
		out = append(out, p)
		if p.Search >= 0 {
			s0++
		}
		if p.File >= 0 {
			f0++
		}
	}
	for p, ok := same(s1-1, f1-1); ok; p, ok = same(s1-1, f1-1) {
		tail = append(tail, p)
		if p.Search >= 0 {
			s1--
		}
		if p.File >= 0 {
			f1--
		}
	}
	for s0 < s1 && f0 < f1 {
		s, f := statement(doc, pat, s0, s1, f0, f1)
		if s == s0+1 && f == f0+1 {
			relation := Similar // only one of them ends in a comma
			if pat.Key(s0) == doc.Key(f0) {
				relation = Relate(pat.Line(s0), doc.Line(f0))
			}
			out = append(out, Pair{Search: s0, File: f0, Relation: relation, Similarity: 1})
			s0, f0 = s, f
			continue
		}
		out = append(out, Pair{Search: s0, File: f0, Relation: Reflowed, Similarity: 1})
		for f0++; f0 < f; f0++ {
			out = append(out, Pair{Search: -1, File: f0, Relation: Reflowed, Similarity: 1})
		}
		for s0++; s0 < s; s0++ {
			out = append(out, Pair{Search: s0, File: -1, Relation: Reflowed, Similarity: 1})
		}
	}
	// The lines that are left have no tokens, except for a comma.
	for ; s0 < s1; s0++ {
		out = append(out, Pair{Search: s0, File: -1, Relation: Reflowed, Similarity: 1})
	}
	for ; f0 < f1; f0++ {
		out = append(out, Pair{Search: -1, File: f0, Relation: Extra})
	}
	slices.Reverse(tail)
	return append(out, tail...)
}

// statement returns the exclusive ends of the shortest runs of lines that start at s0 and f0 and
// have the same tokens. If SEARCH has "f(a, b)" and the file "f(a," and "b)", these are one line
// and two lines. If there are no such runs, it returns s1 and f1.
func statement(doc *strategy.Document, pat *strategy.Pattern, s0, s1, f0, f1 int) (s, f int) {
	s, f = s0+1, f0+1
	a, b := appendJoined(nil, pat.Line(s0)), appendJoined(nil, doc.Line(f0))
	for !bytes.Equal(a, b) && (s < s1 || f < f1) { // extend the shorter text by a line
		if s < s1 && (len(a) <= len(b) || f == f1) {
			a = appendJoined(a, pat.Line(s))
			s++
		} else {
			b = appendJoined(b, doc.Line(f))
			f++
		}
	}
	return s, f
}

// WithLineBreaks yields the alignments of the whole pattern with lines of the document that have
// the same tokens but different line breaks. It yields nothing for patterns that are long, begin or
// end with a blank line, or aren't distinctive. A comma at the end means that something follows, so
// either both sides must have one, or neither.
func WithLineBreaks(doc *strategy.Document, pat *strategy.Pattern) iter.Seq[Alignment] {
	return func(yield func(Alignment) bool) {
		n := pat.Len()
		if n == 0 || n > maxReflow || text.Blank(pat.Line(0)) || text.Blank(pat.Line(n-1)) {
			return
		}
		want := joined(pat.Document, 0, n)
		if len(want) < tellingWeight {
			return
		}
		for first := range doc.Len() {
			line := bytes.TrimLeft(doc.Line(first), " \t")
			if len(line) == 0 || line[0] != want[0] && line[0]|want[0] < utf8.RuneSelf {
				continue // it's blank, or begins with another character
			}
			end := readOn(doc, first, doc.Len(), want)
			if end < 0 || endsInComma(doc.Line(end-1)) != endsInComma(pat.Line(n-1)) {
				continue
			}
			a := reflowPairs(doc, pat, 0, n, first, end)
			if a.Relation() == Reflowed && !yield(a) {
				return
			}
		}
	}
}

func endsInComma(line []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(line, " \t"), []byte{','})
}

// joined returns the tokens of lines from to to-1 as if they were one line, without a comma at the
// end.
func joined(d *strategy.Document, from, to int) []byte {
	var out []byte
	for i := from; i < to; i++ {
		out = appendJoined(out, d.Line(i))
	}
	return bytes.TrimSuffix(out, []byte{','})
}

// appendJoined appends the tokens of another line to out, which has those of the lines above. A
// comma before a closing bracket is removed, because formatters add it where they break a line:
// "f(a," and ")" become "f(a)".
func appendJoined(out, line []byte) []byte {
	n := len(out)
	out = text.AppendReduced(out, line)
	switch tokens := out[n:]; {
	case len(tokens) == 0 || n == 0: // nothing to join
	case bytes.IndexByte([]byte(")]}"), tokens[0]) >= 0:
		if out[n-1] == ',' {
			out = slices.Delete(out, n-1, n)
		}
	case text.Apart(out[n-1], tokens[0]):
		out = slices.Insert(out, n, ' ')
	}
	return out
}

// readOn returns the end, exclusive and at most limit, of the lines from first on whose joined
// tokens are want; see [joined]. It returns -1 if there are no such lines, or more than maxReflow.
func readOn(d *strategy.Document, first, limit int, want []byte) int {
	var out []byte
	for i := first; i < min(limit, first+maxReflow); i++ {
		out = appendJoined(out, d.Line(i))
		switch read := bytes.TrimSuffix(out, []byte{','}); {
		case !bytes.HasPrefix(want, read):
			return -1
		case len(read) == len(want):
			return i + 1
		}
	}
	return -1
}
