package splice

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/strategy"
)

// Ends returns the edits of a block whose sides have the same lines but different line ends, at the
// lines of doc from first on. If final is set, a missing line end at the end of a side refers to
// the end of the file; otherwise it has no meaning. meant is false if the sides don't differ in a
// way that can be applied there.
func Ends(doc *strategy.Document, v *reading.Reading, first int, final bool) (edits []Edit, meant bool) {
	for i := range v.Replace.Len() {
		f := first + i
		was, want, have := v.Search.EOL(i), v.Replace.EOL(i), doc.EOL(f)
		if bytes.Equal(was, want) {
			continue
		}
		if len(was) == 0 || len(want) == 0 { // the last line of a side has no line end
			if !final || f < doc.Len()-1 {
				continue
			}
			// A line end that the block adds is one of the file's kind.
			if len(want) > 0 && len(have) == 0 {
				want = LineEnd(doc, f)
			} else if len(want) > 0 {
				want = have
			}
		}
		meant = true
		if !bytes.Equal(have, want) {
			edits = append(edits, Edit{doc.End(f), doc.End(f) + len(have), want})
		}
	}
	return edits, meant
}

// Final returns edits with a change of the line end of doc's last line, if only one side of a diff
// has a line end there: it's added or removed as in REPLACE. edits are those of a block whose place
// reaches the end of doc.
func Final(doc *strategy.Document, v *reading.Reading, edits []Edit) []Edit {
	was, now, end := v.Search.Len()-1, v.Replace.Len()-1, doc.Len()-1
	if was < 0 || now < 0 {
		return edits
	}
	ends := len(v.Replace.EOL(now)) > 0 // whether doc is to end with a line end
	if ends == (len(v.Search.EOL(was)) > 0) || ends == (len(doc.EOL(end)) > 0) {
		return edits
	}
	size, eol := doc.Start(end+1), LineEnd(doc, end)
	if n := len(edits); n == 0 || edits[n-1].End < size {
		edits = append(edits, Edit{size, size, nil})
	}
	last := &edits[len(edits)-1]
	if !ends {
		last.Text = bytes.TrimSuffix(last.Text, eol)
	}
	adds := slices.ContainsFunc(v.Hunks(), func(c reading.Hunk) bool { return c.R0 < c.R1 && c.R1 > now })
	// If the block deletes the last lines, the line above becomes the last one, with its line end.
	if len(last.Text) == 0 && !adds {
		last.Start = len(bytes.TrimSuffix(doc.Text()[:last.Start], eol))
	}
	if ends {
		last.Text = slices.Concat(last.Text, eol)
	}
	return edits
}
