package verdict

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

const (
	// substitutionCost is how many drifted lines a kept line counts as if it names something else:
	// context drifts, but twins differ in a name.
	substitutionCost = 2

	// If the place is certain (see surePlace), lines are weighed instead of counted. The weight
	// found must be foundFactor times the weight lost. changedFactor multiplies the weight of a
	// line that the block changes and that occurs once, because that's what the block is about.
	// missingCost multiplies the weight of a line that the file lacks. leastLost is the smallest
	// part of a drifted line that counts as lost.
	foundFactor   = 3
	changedFactor = 2
	missingCost   = 1.5
	leastLost     = 0.4
	// wordWeight is the weight of the shortest line with a word.
	wordWeight = 5
)

// driftsTooMuch reports whether so much of SEARCH has drifted that the place is uncertain: more
// than a quarter of its lines, unless no other place can be meant. If the place is certain, it's
// enough if the lines found clearly outweigh the lines lost. Even then, two lines that name
// something else are too many, because they indicate another record.
func (t *trial) driftsTooMuch() bool {
	lines, renamed, drifted := 0, 0, 0 // renamed lines name something else
	for i := range t.Search.Len() {
		if t.Blank(i) {
			continue
		}
		lines++
		n := t.drifted(i)
		drifted += n
		if n == substitutionCost {
			renamed++
		}
	}
	return drifted > lines/4 && !t.isAlone() && (renamed > 1 || !t.surePlace() || t.losesMore())
}

// losesMore reports whether too much of SEARCH has drifted, by weight, compared with what is found.
func (t *trial) losesMore() bool {
	found, lost := 0.0, 0.0
	for i := range t.Search.Len() {
		if t.Blank(i) || t.done[i] {
			continue
		}
		w := float64(text.Weight(t.Search.Line(i)))
		switch {
		case t.drifted(i) > 0:
			if w < wordWeight || text.IsComment(t.Search.Line(i)) {
				w = wordWeight // a bracket or a comment counts as a short line
			}
			lost += w * t.lost(i)
		case t.changed[i] && t.isUnique(i):
			found += w * changedFactor
		default:
			found += w
		}
	}
	return foundFactor*lost > found
}

// drifts reports whether any SEARCH line has drifted.
func (t *trial) drifts() bool {
	for i := range t.Search.Len() {
		if t.drifted(i) > 0 {
			return true
		}
	}
	return false
}

// drifted returns how many drifted lines SEARCH line i counts as: 0 if the file has it, maybe with
// a typo, or 1, or substitutionCost if the file has another name or number there. Blank lines and
// those that finished hunks have replaced don't count.
func (t *trial) drifted(i int) int {
	switch relation := t.relation(i); {
	case t.done[i] || t.Blank(i):
	case relation == align.Missing:
		return 1
	case relation == align.Similar:
		switch t.drift(i) {
		case drift:
			return 1
		case substitution:
			return substitutionCost
		}
	}
	return 0
}

// lost returns the cost of the drift of SEARCH line i, assuming that the place is right: the fraction
// of the line that the file lacks, or more if it lacks the line or may mean another one.
func (t *trial) lost(i int) float64 {
	q := t.Alignment[t.At[i]]
	if q.Relation == align.Missing {
		return missingCost
	}
	// The file has lines that differ from this one only in the same part, as in `case 1:` and
	// `case 2:`, so the block may be about another one.
	if f, ok := templateOf(t.Search.Line(i), t.partner(i)); ok && t.judge.hasSibling(q.File, f) {
		return substitutionCost
	}
	return max(leastLost, 1-q.Similarity)
}

// surePlace reports whether each hunk changes, or is next to, a line that is unique in the file.
func (t *trial) surePlace() bool {
	return !slices.ContainsFunc(t.ToDo, func(c reading.Hunk) bool {
		return !t.hasUnique(max(0, c.S0-1), min(c.S1+1, t.Search.Len()))
	})
}

// drift returns how SEARCH line i differs from its partner if it's treated as context.
func (t *trial) drift(i int) difference {
	if !t.changed[i] {
		return t.difference(i)
	}
	line, there := t.Search.Line(i), t.partner(i)
	if len(bytes.TrimSpace(line)) <= len(bytes.TrimSpace(there)) && shownBy(t.AddedFor(i), line, there) == slip {
		return slip // REPLACE shows it, unless the line is longer in SEARCH
	}
	return t.judge.words.compare(line, there, asKept)
}
