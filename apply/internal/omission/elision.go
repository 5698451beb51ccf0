package omission

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/reading"
)

// IsElision reports whether line stands for lines left out: dots alone or in a comment, alone or with words that say so.
// bare is true for dots without a comment sign.
func (x *Lexicon) IsElision(line []byte) (is, bare bool) {
	if !HasDots(line) {
		return false, false
	}
	m, _ := remarkOf(line, x.signs)
	s := stripDecoration(m.text)
	if !s.dots() {
		return false, false
	}
	if len(s.text) == 0 {
		return m.kind == commentLine || m.kind == bareText, m.kind == bareText
	}
	return m.kind == commentLine && x.read(s).heaviest > 0, false
}

// Paired reports whether SEARCH and REPLACE have the same elisions in the same order.
func (x *Lexicon) Paired(v *reading.Reading) bool {
	var s, r [][]byte
	for i := range v.Search.Len() {
		if is, _ := x.IsElision(v.Search.Line(i)); is {
			s = append(s, bytes.TrimSpace(v.Search.Line(i)))
		}
	}
	for i := range v.Replace.Len() {
		if is, _ := x.IsElision(v.Replace.Line(i)); is {
			r = append(r, bytes.TrimSpace(v.Replace.Line(i)))
		}
	}
	if len(s) != len(r) {
		return false
	}
	for i := range s {
		if !bytes.Equal(s[i], r[i]) {
			return false
		}
	}
	return true
}
