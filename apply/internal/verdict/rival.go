package verdict

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

const (
	// marginFactor is how many times greater the lead of a place over another one must be than its
	// deficit.
	marginFactor = 4.0
	// marginMin is the smallest lead that decides: an edit of one character in a fairly long line.
	marginMin = 0.1
)

// Fit describes how well SEARCH fits a place in the document. Score is the similarity, 0 to 1.
type Fit struct {
	Search    *strategy.Pattern
	Alignment align.Alignment
	Score     float64
}

// Dominates reports whether p is clearly a better place than q. Only lines in which the two differ
// count. The weight of the lines in which p fits better must be marginFactor times the weight of
// the lines in which q fits better. If the two are for different SEARCHes, only the scores are
// compared.
func (j *Judge) Dominates(p, q Fit) bool {
	n := p.Search.Len()
	if n != q.Search.Len() {
		return p.Score > q.Score
	}
	ps, qs := p.Alignment.BySearch(), q.Alignment.BySearch()
	better, worse := 0.0, 0.0
	for i := range ps {
		line := p.Search.Line(i)
		if j.neitherIsNearer(line, p.opposite(j.doc, ps, i), q.opposite(j.doc, qs, i)) {
			continue // both names differ from SEARCH's, so similar letters mean nothing
		}
		w := float64(text.Weight(line))
		d := p.Alignment[ps[i]].Similarity - q.Alignment[qs[i]].Similarity
		if d > 0 {
			better += w * d
		} else {
			worse -= w * d
		}
	}
	// Lines of the file that SEARCH doesn't have count against a place.
	if d := p.foreign(j.doc) - q.foreign(j.doc); d < 0 {
		better -= d
	} else {
		worse += d
	}
	return better > marginFactor*worse && better >= marginMin
}

// ShowsMore reports whether any line of SEARCH is more similar to the file at f than at other. f and
// other may have different readings of SEARCH. If these have different numbers of lines, they can't
// be compared line by line, and ShowsMore returns true.
func (f Fit) ShowsMore(other Fit) bool {
	n := f.Search.Len()
	if n != other.Search.Len() {
		return true
	}
	fs, others := f.Alignment.BySearch(), other.Alignment.BySearch()
	for i := range fs {
		if f.Alignment[fs[i]].Similarity > other.Alignment[others[i]].Similarity {
			return true
		}
	}
	return false
}

// neitherIsNearer reports whether line is equally far from the lines one and other, although their
// letters may be more or less similar: it differs from both in one part, as two sibling records do,
// or it's the beginning of both. If only one of the differences is a typo, that line is nearer. If
// a line is nil, or equals line, the result is false.
func (j *Judge) neitherIsNearer(line, one, other []byte) bool {
	if one == nil || other == nil {
		return false
	}
	t := bytes.TrimSpace(line)
	one, other = bytes.TrimSpace(one), bytes.TrimSpace(other)
	if bytes.Equal(t, one) || bytes.Equal(t, other) {
		return false
	}
	if bytes.HasPrefix(one, t) && bytes.HasPrefix(other, t) {
		return true
	}
	_, ok := templateOf(line, one)
	_, too := templateOf(line, other)
	return ok && too && (j.words.compare(t, one, asChanged) == slip) == (j.words.compare(t, other, asChanged) == slip)
}

// opposite returns the file line that p has where SEARCH has line i, to compare it with other
// places: the similar line that i is paired with or, if i is missing, the line next to the partner
// of the SEARCH line before or after i. It returns nil if there is none, or if the line is the
// same. at[k] is the pair of SEARCH line k.
func (p Fit) opposite(doc *strategy.Document, at []int, i int) []byte {
	switch q := p.Alignment[at[i]]; {
	case q.Relation == align.Similar:
		return doc.Line(q.File)
	case q.Relation != align.Missing:
		return nil
	}
	if i > 0 {
		if f := p.Alignment[at[i-1]].File; f >= 0 && f+1 < doc.Len() {
			return doc.Line(f + 1)
		}
	}
	if i+1 < len(at) {
		if f := p.Alignment[at[i+1]].File; f > 0 {
			return doc.Line(f - 1)
		}
	}
	return nil
}

// foreign returns the weight of the file's extra lines between the lines of SEARCH. Their number
// counts, but their length hardly does, because it says nothing about the place.
func (p Fit) foreign(doc *strategy.Document) float64 {
	sum := 0.0
	for _, q := range p.Alignment {
		if q.Relation == align.Extra {
			sum += float64(min(text.Weight(doc.Line(q.File)), 4)) / 2
		}
	}
	return sum
}
