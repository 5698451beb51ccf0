package reading

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// lineMarks are what comes before each line of text that somebody quotes: the bar of a table or of a drawn margin, the mark of a mail.
func lineMarks() []string { return []string{"|", ">"} }

// Unmarked is the reading without the mark that all lines of both sides begin with. It is nil if there is none, or if the document has
// lines that begin so. occurs says that SEARCH occurs in the document without it.
func Unmarked(doc *strategy.Document, v *Reading) (bare *Reading, occurs bool) {
	for _, mark := range lineMarks() {
		if v.Search.Len() == 0 || !allBegin(v.Search.Document, mark) || !allBegin(v.Replace, mark) || begins(doc, mark) {
			continue
		}
		if padded(v.Search.Document, mark) && padded(v.Replace, mark) {
			mark += " "
		}
		bare = &Reading{
			Habits: []string{"line-marks"}, Divider: v.Divider,
			Search:  strategy.NewPattern(unmarked(v.Search.Document, mark), v.Search.Hint),
			Replace: strategy.NewDocument(unmarked(v.Replace, mark)),
		}
		for range strategy.KeyWindows(doc, bare.Search) {
			return bare, true
		}
		return bare, false
	}
	return nil, false
}

// allBegin reports whether all lines of d begin with mark.
func allBegin(d *strategy.Document, mark string) bool {
	for i := range d.Len() {
		if !bytes.HasPrefix(d.Line(i), []byte(mark)) {
			return false
		}
	}
	return true
}

// begins reports whether a line of d begins with mark, blanks aside.
func begins(d *strategy.Document, mark string) bool {
	if !bytes.Contains(d.Text(), []byte(mark)) {
		return false
	}
	for i := range d.Len() {
		if bytes.HasPrefix(bytes.TrimLeft(d.Line(i), " \t"), []byte(mark)) {
			return true
		}
	}
	return false
}

// padded reports whether a blank follows the mark on every line that has more than the mark.
func padded(d *strategy.Document, mark string) bool {
	for i := range d.Len() {
		if rest := d.Line(i)[len(mark):]; len(rest) > 0 && rest[0] != ' ' {
			return false
		}
	}
	return true
}

// unmarked are the lines of d without the mark. Of a line that is blank but for it nothing is left.
func unmarked(d *strategy.Document, mark string) []byte {
	out := make([][]byte, d.Len())
	for i := range out {
		if line := d.Line(i); len(line) > len(mark) && !text.Blank(line[len(mark):]) {
			out[i] = line[len(mark):]
		}
	}
	return join(out)
}
