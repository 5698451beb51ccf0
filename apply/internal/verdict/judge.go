package verdict

import (
	"iter"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Judge judges places of one document. It caches what it learns about the document.
type Judge struct {
	// Threshold is the similarity, 0 to 1, that a place must have in addition to satisfying the
	// rules.
	Threshold float64

	doc      *strategy.Document
	words    vocabulary
	siblings map[family]bool // see hasSibling
	rules    []rule          // nil before a place is judged
}

// NewJudge returns a judge of places in doc, which is the file with the given name.
func NewJudge(doc *strategy.Document, name string, threshold float64) *Judge {
	words := vocabulary{doc: doc, chars: text.QuotesChar(name), readers: text.IsMarkup(name)}
	return &Judge{Threshold: threshold, doc: doc, words: words}
}

// Objection returns the first objection of the rules to the place of s, or nil. score is the
// similarity of the place, 0 to 1.
func (j *Judge) Objection(s *splice.Splice, score float64) *Objection {
	for o := range j.try(s, score).objections() {
		return o
	}
	return nil
}

// Objections returns the objections of all rules to the place of s, one for each code, in the order
// of the rules.
func (j *Judge) Objections(s *splice.Splice, score float64) (out []*Objection) {
	if o := j.Remote(score); o != nil {
		return []*Objection{o} // too little of SEARCH is there, so that others have no meaning
	}
	for o := range j.try(s, score).objections() {
		if !slices.ContainsFunc(out, func(other *Objection) bool { return other.Code == o.Code }) {
			out = append(out, o)
		}
	}
	return out
}

// MayOffer reports whether the result of s can be offered to a person although a rule objects: it's
// clear how the block would change the place, and the lines that it adds aren't at another place.
func (j *Judge) MayOffer(s *splice.Splice, score float64) bool {
	t := j.try(s, score)
	for _, c := range t.ToDo {
		if t.joinedTo(c) >= 0 {
			return false
		}
	}
	for i := range t.changed {
		if t.changesOther(i) {
			if _, whole := t.Blends(i); !whole {
				return false // the result would lose what the file has in the line
			}
		}
	}
	// The rules marked sure may object: the place is then probably right, but a person decides.
	for o := range t.objections() {
		if !o.Sure {
			return false
		}
	}
	return !t.addedElsewhere()
}

// try prepares the place of s for the rules.
func (j *Judge) try(s *splice.Splice, score float64) *trial {
	t := &trial{Splice: s, judge: j, score: score, changed: make([]bool, s.Search.Len()), done: s.DoneLines()}
	for _, c := range s.ToDo {
		for i := c.S0; i < c.S1; i++ {
			t.changed[i] = true
		}
	}
	return t
}

// objections yields the objections of the rules, in their order.
func (t *trial) objections() iter.Seq[*Objection] {
	if t.judge.rules == nil { // an exact block needs none
		t.judge.rules = rules()
	}
	return func(yield func(*Objection) bool) {
		for _, r := range t.judge.rules {
			if r.raise == nil {
				continue // the objection is made elsewhere
			}
			if o := r.raise(t); o != nil {
				o.Code, o.Sure = r.code, r.sure
				if !yield(o) {
					return
				}
			}
		}
	}
}

// MinScore is the fraction of SEARCH that must occur in the file. If context has drifted, two
// thirds or more still match. If a block's place is gone, less than half of SEARCH matches
// elsewhere.
const MinScore = 0.6

// leastScore is the fraction of SEARCH that must occur even if no other place can be meant.
const leastScore = 0.4

// Remote returns an objection if a place has too little of SEARCH to be examined, or nil.
func (j *Judge) Remote(score float64) *Objection {
	if score < leastScore {
		return &Objection{Code: TooLittle}
	}
	return nil
}

// Distinctive reports whether line is distinctive by its text and occurs once in the document.
func (j *Judge) Distinctive(line []byte) bool {
	return !text.Blank(line) && text.Telling(line) && j.doc.CountLine(line, 2) == 1
}

// trial is one place that is being judged.
type trial struct {
	*splice.Splice
	judge   *Judge
	score   float64
	changed []bool // SEARCH lines that unfinished hunks change
	done    []bool // SEARCH lines that finished hunks have replaced

	differences []difference // the difference of each SEARCH line; 0 if not yet computed
}
