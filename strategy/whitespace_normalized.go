package strategy

import "iter"

type whitespaceNormalized struct{}

func (whitespaceNormalized) Name() string { return "whitespace-normalized" }

func (whitespaceNormalized) Tolerates() Tolerance { return Blanks }

// Candidates yields what equals the pattern once each run of whitespace is one space and none is left at the borders: first,
// from the top, each line that does, or of a line that only contains the pattern's words the first stretch that does;
// then each run of as many lines as the pattern has, if that is more than one.
//
// Blank lines at the border of a run can be shared out in several ways. A verbatim document yields them all; a document
// of lines yields, for each place, the run with as many blank lines before the text as the pattern has, or nearly.
func (whitespaceNormalized) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		find := pat.words().text
		if len(find) == 0 {
			if blankLines(doc, pat, yield) && pat.Len() > 1 {
				blankRuns(doc, pat.Len(), yield)
			}
			return
		}
		if wordsInLine(doc, find, yield) && pat.Len() > 1 {
			wordsInLines(doc, pat, find, yield)
		}
	}
}

// blankLines yields the blank lines for a pattern that is blank itself. In a verbatim document it yields the empty text in every
// other line, too, for such a pattern is found there. It is false if yield stopped it.
func blankLines(doc *Document, pat *Pattern, yield func(Candidate) bool) bool {
	if pat.Len() == 0 {
		return true
	}
	for i := range doc.Len() {
		span := doc.lines(i, 1)
		if !doc.blank(i) {
			if !doc.raw {
				continue
			}
			span.End = span.Start
		}
		if !yield(span) {
			return false
		}
	}
	return true
}

// blankRuns yields every run of n blank lines.
func blankRuns(doc *Document, n int, yield func(Candidate) bool) {
	run := 0
	for i := range doc.Len() {
		if !doc.blank(i) {
			run = 0
			continue
		}
		if run++; run >= n && !yield(doc.lines(i-n+1, n)) {
			return
		}
	}
}

// wordsInLine yields the lines that equal find, squeezed, and of each line that contains it the first stretch that does. It is
// false if yield stopped it.
func wordsInLine(doc *Document, find []byte, yield func(Candidate) bool) bool {
	words := doc.words()
	for line, at := range words.find(find) {
		offset := at - int(words.starts[line])
		if at+len(find) > int(words.ends[line]) {
			continue
		}
		span := doc.lines(line, 1)
		if len(find) < int(words.ends[line]-words.starts[line]) {
			from, to := unsqueezed(doc.Line(line), offset, offset+len(find))
			span = Candidate{span.Start + from, span.Start + to}
		}
		if !yield(span) {
			return false
		}
	}
	return true
}

// wordsInLines yields the runs of as many lines as pat has that are find, squeezed.
func wordsInLines(doc *Document, pat *Pattern, find []byte, yield func(Candidate) bool) {
	words := doc.words()
	lead, last := pat.leadingBlankLines(), 0
	for first, at := range words.findAll(find) {
		if at != int(words.starts[first]) {
			continue
		}
		for end := at + len(find); int(words.ends[last]) < end; {
			last++
		}
		if int(words.ends[last]) != at+len(find) {
			continue
		}
		low, high := doc.windows(first, last, pat.Len())
		if !doc.raw && low < high {
			low = min(max(first-lead, low), high)
			high = low
		}
		for i := low; i <= high; i++ {
			if !yield(doc.lines(i, pat.Len())) {
				return
			}
		}
	}
}

// windows is the range, high included, of the lines at which a run of n lines can begin that contains the lines first to last,
// neither of them blank, and otherwise only blank lines. It is empty, high < low, when there is none.
func (d *Document) windows(first, last, n int) (low, high int) {
	spare := n - (last - first + 1)
	if spare < 0 {
		return first, first - 1
	}
	above, below := 0, 0
	for above < spare && first-above > 0 && d.blank(first-above-1) {
		above++
	}
	for below < spare && last+below+1 < d.Len() && d.blank(last+below+1) {
		below++
	}
	return first - above, first - max(0, spare-below)
}

// leadingBlankLines is the number of blank lines before the first other one.
func (d *Document) leadingBlankLines() int {
	n := 0
	for n < d.Len() && d.blank(n) {
		n++
	}
	return n
}
