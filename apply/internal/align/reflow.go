package align

import (
	"bytes"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// maxReflow is how many lines a statement may be spread over, on either side, and be known again.
const maxReflow = 16

// reflow finds the lines that a formatter has joined or broken: a run of pattern lines whose tokens, read on across line
// ends, are those of a run of document lines. Their pairs become Reflowed. Comma before a closing bracket, which formatters
// put in and take out, is passed over.
func (a Alignment) reflow(doc *strategy.Document, pat *strategy.Pattern, from, to int) Alignment {
	for i := 0; i < len(a); {
		if a[i].Relation < Similar {
			i++
			continue
		}
		j := i
		for j < len(a) && a[j].Relation >= Similar {
			j++
		}
		rest := len(a) - j
		if out, ok := a.reflowed(doc, pat, i, j, from, to); ok {
			a = out
		}
		i = len(a) - rest
	}
	return a
}

// reflowed tries the steps i to j-1, which pair no line exactly. At the ends of the alignment the document's side may reach
// further than they do.
func (a Alignment) reflowed(doc *strategy.Document, pat *strategy.Pattern, i, j, from, to int) (Alignment, bool) {
	var search []int
	first := -1 // of the document's lines among the steps
	for _, p := range a[i:j] {
		if p.Search >= 0 {
			search = append(search, p.Search)
		}
		if p.File >= 0 && first < 0 {
			first = p.File
		}
	}
	if len(search) == 0 || len(search) > maxReflow {
		return nil, false
	}
	want := joined(pat.Document, search[0], search[len(search)-1]+1)
	if len(want) < 8 {
		return nil, false // a bracket or two fit anywhere
	}

	lowest, highest := from, to
	if i > 0 {
		lowest = a[i-1].File + 1
	}
	if j < len(a) {
		highest = a[j].File
	}
	if i > 0 && a[i-1].File < 0 || j < len(a) && a[j].File < 0 {
		return nil, false
	}
	end := -1
	switch {
	case i > 0 && j < len(a):
		first, end = lowest, highest
		if end-first > maxReflow || first >= end || begunOtherwise(doc.Line(first), want) || !bytes.Equal(joined(doc, first, end), want) {
			return nil, false
		}
	case i > 0:
		first = lowest
		if end = readOn(doc, first, highest, want); end < 0 {
			return nil, false
		}
	case j < len(a):
		end = highest
		if first = readBack(doc, lowest, end, want); first < 0 {
			return nil, false
		}
	default:
		near := first
		for f := max(lowest, near-maxReflow); f < min(highest, near+maxReflow) && end < 0; f++ {
			if e := readOn(doc, f, highest, want); e >= 0 {
				first, end = f, e
			}
		}
		if end < 0 {
			return nil, false
		}
	}
	out := append(Alignment(nil), a[:i]...)
	out = append(out, reflowPairs(doc, pat, search[0], search[len(search)-1]+1, first, end)...)
	return append(out, a[j:]...).trimmed(), true
}

// reflowPairs pairs the pattern's lines s0 to s1-1 with the document's lines f0 to f1-1, which read alike. Lines at either end
// that are the same one by one, or blank, are no part of the statement.
func reflowPairs(doc *strategy.Document, pat *strategy.Pattern, s0, s1, f0, f1 int) Alignment {
	same := func(s, f int) (Pair, bool) {
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
			relation := Similar // one of them ends in a comma
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
	for ; s0 < s1; s0++ {
		out = append(out, Pair{Search: s0, File: -1, Relation: Reflowed, Similarity: 1})
	}
	for ; f0 < f1; f0++ {
		out = append(out, Pair{Search: -1, File: f0, Relation: Extra})
	}
	slices.Reverse(tail)
	return append(out, tail...)
}

// statement is the end of the first lines of both, ends exclusive, that have the same tokens.
func statement(doc *strategy.Document, pat *strategy.Pattern, s0, s1, f0, f1 int) (s, f int) {
	s, f = s0+1, f0+1
	a, b := appendJoined(nil, pat.Line(s0)), appendJoined(nil, doc.Line(f0))
	for !bytes.Equal(a, b) && (s < s1 || f < f1) {
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

// maxStarts bounds at how many lines a statement may begin that the pattern is looked for at; of more, nothing is known.
const maxStarts = 4096

// WithLineBreaks yields the alignments of the whole pattern with lines that have its tokens, broken into other lines. A comma at the
// end, which says that something follows, must be in both or in neither.
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
		var starts []int
		for first := range doc.Len() {
			if !mayBegin(doc.Line(first), want) {
				continue
			}
			if starts = append(starts, first); len(starts) > maxStarts {
				return
			}
		}
		for _, first := range starts {
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

// mayBegin reports whether line may be the beginning of what has the tokens want. It is made to say no soon.
func mayBegin(line, want []byte) bool {
	some := false
	for i := 0; ; {
		for len(line) > 0 && text.IsASCIISpace(line[0]) {
			line = line[1:]
		}
		for i < len(want) && text.IsASCIISpace(want[i]) { // in a literal, any
			i++
		}
		switch {
		case len(line) == 0:
			return some
		case i == len(want):
			return string(bytes.TrimRight(line, " \t")) == "," // see joined
		case line[0] >= utf8.RuneSelf || want[i] >= utf8.RuneSelf:
			return true
		case line[0] != want[i]:
			return false
		}
		line, i, some = line[1:], i+1, true
	}
}

// begunOtherwise reports whether what has the tokens want certainly begins otherwise than with line, blank lines before it aside.
func begunOtherwise(line, want []byte) bool { return !text.Blank(line) && !mayBegin(line, want) }

// endedOtherwise reports whether what has the tokens want certainly ends otherwise than with line, blank lines after it aside.
func endedOtherwise(line, want []byte) bool {
	line = bytes.TrimSuffix(bytes.TrimSpace(line), []byte{','}) // see joined
	for {
		for len(line) > 0 && text.IsASCIISpace(line[len(line)-1]) {
			line = line[:len(line)-1]
		}
		for len(want) > 0 && text.IsASCIISpace(want[len(want)-1]) {
			want = want[:len(want)-1]
		}
		switch {
		case len(line) == 0:
			return false
		case len(want) == 0:
			return line[len(line)-1] < utf8.RuneSelf
		}
		have, last := line[len(line)-1], want[len(want)-1]
		if have != last {
			return have < utf8.RuneSelf && last < utf8.RuneSelf
		}
		line, want = line[:len(line)-1], want[:len(want)-1]
	}
}

// joined is the tokens of lines from to to-1, read on across line ends.
func joined(d *strategy.Document, from, to int) []byte {
	var out []byte
	for i := from; i < to; i++ {
		out = appendJoined(out, d.Line(i))
	}
	return bytes.TrimSuffix(out, []byte{','})
}

// appendJoined appends the tokens of one more line.
func appendJoined(out, line []byte) []byte {
	n := len(out)
	out = text.AppendReduced(out, line)
	switch tokens := out[n:]; {
	case len(tokens) == 0 || n == 0:
	case bytes.IndexByte([]byte(")]}"), tokens[0]) >= 0:
		if out[n-1] == ',' {
			out = slices.Delete(out, n-1, n)
		}
	case text.Apart(out[n-1], tokens[0]):
		out = slices.Insert(out, n, ' ')
	}
	return out
}

// readOn is the line before which the lines from first on, and before limit, equal want, reflowed; -1 if they do not.
func readOn(d *strategy.Document, first, limit int, want []byte) int {
	if first < limit && begunOtherwise(d.Line(first), want) {
		return -1
	}
	var out []byte
	for i := first; i < min(limit, first+maxReflow); i++ {
		out = appendJoined(out, d.Line(i))
		if bytes.Equal(bytes.TrimSuffix(out, []byte{','}), want) {
			return i + 1
		}
		if len(out) > len(want)+1 {
			return -1
		}
	}
	return -1
}

// readBack is the line, not before limit, from which the lines before end equal want, reflowed; -1 if there is none.
func readBack(d *strategy.Document, limit, end int, want []byte) int {
	if end > limit && endedOtherwise(d.Line(end-1), want) {
		return -1
	}
	for first := end - 1; first >= max(limit, end-maxReflow); first-- {
		if have := joined(d, first, end); bytes.Equal(have, want) {
			return first
		} else if len(have) > len(want)+1 {
			return -1
		}
	}
	return -1
}
