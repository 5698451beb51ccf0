package align

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Shift is how much the blanks at the ends of lines differ, from least to most. If places differ
// only in this, the one with the smallest shift is meant.
type Shift uint8

const (
	// NoShift: at most trailing blanks differ.
	NoShift Shift = iota
	// EvenShift: all lines are indented more, or less, by the same amount.
	EvenShift
	// UnevenShift: lines are shifted by different amounts.
	UnevenShift
	// Beyond: more than the blanks at the ends of lines differs.
	Beyond
)

// Shift returns how far the paired lines are shifted. For an even shift, each line of the file must
// have the same additional text in front of SEARCH's margin, or each must lack the same text.
func (a Alignment) Shift(doc *strategy.Document, pat *strategy.Pattern) Shift {
	switch worst := a.Relation(); {
	case worst <= Trailing:
		return NoShift
	case worst > Indented:
		return Beyond // more than margins differs
	}
	var more, less []byte // what the first nonblank line has and lacks in front of its margin
	seen := false
	for _, p := range a {
		if text.Blank(pat.Line(p.Search)) {
			continue
		}
		s, f := text.Margin(pat.Line(p.Search)), text.Margin(doc.Line(p.File))
		m, deeper := bytes.CutSuffix(f, s)
		l, shallower := bytes.CutSuffix(s, f)
		switch {
		case !deeper && !shallower:
			return UnevenShift
		case !deeper:
			m = nil
		case !shallower:
			l = nil
		}
		if seen && !(bytes.Equal(m, more) && bytes.Equal(l, less)) {
			return UnevenShift
		}
		more, less, seen = m, l, true
	}
	return EvenShift
}
