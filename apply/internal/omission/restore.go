package omission

import (
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// maxRestored bounds how many remarks of one block give way to the lines that they stand for.
const maxRestored = 8

// Restored is v with the lines of SEARCH in the place of the remarks of REPLACE that stand for them; nil if it is not known of each
// where the lines begin and end, or if v leaves nothing out. A remark that might have been one beside it is no reason to believe that the rest of
// REPLACE is meant as it is.
func Restored(x *Lexicon, doc *strategy.Document, v *reading.Reading, a align.Alignment) *reading.Reading {
	out := v
	for range maxRestored {
		r := newReview(x, doc, out, a)
		o := r.omission()
		if o == nil && out != v && !r.mayLeaveOut() {
			return out
		}
		if o == nil || o.Doubt {
			return nil
		}
		if out = o.restored(); out == nil {
			return nil
		}
	}
	return nil
}

// restored is the block with the lines that o stands for, nil if they are not known. What the passage adds before the remark must be new
// forms of the first lines that it drops, one for one, and what it adds after the remark of the last ones: then the remark is for those in
// between.
func (o *Omission) restored() *reading.Reading {
	v := o.review.v
	c, ok := o.passage()
	if !ok || len(o.lost) == 0 {
		return nil
	}
	lo, hi := o.said(c)
	from, to := c.S0+lo-c.R0, c.S1-(c.R1-hi)
	if from > o.lost[0] || to <= o.lost[len(o.lost)-1] {
		return nil
	}
	for k := range lo - c.R0 {
		if !o.review.isFormOf(c.R0+k, c.S0+k) {
			return nil
		}
	}
	for k := range c.R1 - hi {
		if !o.review.isFormOf(hi+k, to+k) {
			return nil
		}
	}
	search, replace := reading.Lines(v.Search.Document), reading.Lines(v.Replace)
	return v.WithReplace(slices.Concat(replace[:lo], search[from:to], replace[hi:]))
}

// mayLeaveOut reports whether what REPLACE adds has a remark that says what one for lines says, and nothing else.
func (r *review) mayLeaveOut() bool {
	for i, m := range r.replace {
		if r.added[i] && m.kind != noRemark && m.wording.unknown == 0 && m.wording.weight >= enough {
			return true
		}
	}
	return false
}

// passage is the one in which o is, as one hunk; ok is false if there is none.
func (o *Omission) passage() (whole reading.Hunk, ok bool) {
	v := o.review.v
	for _, p := range passages(v) {
		if !slices.Contains(p.added, o.line) {
			continue
		}
		for _, c := range v.Hunks() {
			if !slices.Contains(p.dropped, c.S0) && !slices.Contains(p.added, c.R0) {
				continue
			}
			if !ok {
				whole, ok = c, true
			}
			whole.S1, whole.R1 = c.S1, c.R1
		}
	}
	return whole, ok
}

// said is the range of the REPLACE lines of c that make up the remark: a comment may have lines of signs alone around what it says.
func (o *Omission) said(c reading.Hunk) (lo, hi int) {
	sign := func(i int) bool {
		line := o.review.v.Replace.Line(i)
		return o.review.replace[i].kind == commentLine && !text.HasWord(line)
	}
	lo, hi = o.line, o.line+1
	for lo > c.R0 && sign(lo-1) {
		lo--
	}
	for hi < c.R1 && sign(hi) {
		hi++
	}
	return lo, hi
}

// isFormOf reports whether REPLACE line r is SEARCH line i, or a new form of it.
func (r *review) isFormOf(replace, search int) bool {
	a, b := r.v.Replace.Line(replace), r.v.Search.Line(search)
	return r.v.Replace.Key(replace) == r.v.Search.Key(search) || text.HasWord(a) && text.ShareTokens(a, b)
}
