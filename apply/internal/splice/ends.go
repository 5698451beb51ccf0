package splice

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/strategy"
)

// Ends are the edits of a block whose sides have the same lines and differ in the ends of some, at the lines of doc from first on:
// such a block is about the line ends. If final is set, a side without its last line end is about the end of the file; otherwise it
// means nothing. meant is false if the sides differ in nothing that could be changed there.
func Ends(doc *strategy.Document, v *reading.Reading, first int, final bool) (edits []Edit, meant bool) {
	for i := range v.Replace.Len() {
		f := first + i
		was, want, have := v.Search.EOL(i), v.Replace.EOL(i), doc.EOL(f)
		if bytes.Equal(was, want) {
			continue
		}
		if len(was) == 0 || len(want) == 0 {
			if !final || f < doc.Len()-1 {
				continue
			}
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
