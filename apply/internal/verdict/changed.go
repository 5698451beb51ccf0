package verdict

import (
	"bytes"
	"cmp"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// relation returns how SEARCH line i is related to the file.
func (t *trial) relation(i int) align.Relation { return t.Alignment[t.At[i]].Relation }

// partner returns the file line that SEARCH line i is paired with.
func (t *trial) partner(i int) []byte { return t.Doc.Line(t.Alignment[t.At[i]].File) }

// difference returns how SEARCH line i differs from its similar partner. For a line that the block
// changes, REPLACE may show which of two words is right.
func (t *trial) difference(i int) difference {
	if t.differences == nil {
		t.differences = make([]difference, t.Search.Len())
	}
	if t.differences[i] == unasked {
		line, there := t.Search.Line(i), t.partner(i)
		t.differences[i] = cmp.Or(shownBy(t.AddedFor(i), line, there),
			t.judge.words.compare(line, there, !t.changed[i]))
	}
	return t.differences[i]
}

// changesOther reports whether the block changes SEARCH line i but the file has a different line
// there. A typo is fine, unless REPLACE would carry it into the file. If the block only deletes a
// single line, its depth must also be right: if the line was already deleted, a similar one may be
// left at another depth.
func (t *trial) changesOther(i int) bool {
	if t.relation(i) == align.Indented && t.Reading.DeletesOneLine() {
		return true
	}
	if !t.changed[i] || t.relation(i) != align.Similar {
		return false
	}
	blends, _ := t.Blends(i)
	return !blends || t.difference(i) != slip || t.carriesSlip(i)
}

// carriesSlip reports whether a misspelt part of a word in SEARCH line i is also part of another
// word that the block adds. The file doesn't show how to spell that one.
func (t *trial) carriesSlip(i int) bool {
	s, f := text.Tokens(t.Search.Line(i)), text.Tokens(t.partner(i))
	for k := range min(len(s), len(f)) {
		if bytes.Equal(s[k], f[k]) || !text.BeginsWithWord(s[k]) || !misspelt(s[k], f[k]) {
			continue
		}
		part, _ := differingPart(s[k], f[k])
		for _, line := range t.AddedFor(i) {
			for word := range text.EachToken(line) {
				if !bytes.Equal(word, s[k]) && bytes.Contains(word, part) {
					return true
				}
			}
		}
	}
	return false
}

// foreign reports whether q is a nonblank line of the file that SEARCH doesn't have there.
func (t *trial) foreign(q align.Pair) bool {
	return q.Search < 0 && !text.Blank(t.Doc.Line(q.File))
}

// linesBetween objects if the file has lines that SEARCH lacks between the lines that c changes, or
// between the two lines where it inserts, because nothing shows where the new lines belong. It also
// objects if such a line is next to c and c changes how the two are joined, for example by a comma.
func (t *trial) linesBetween(c reading.Hunk) *Objection {
	from, to := 0, len(t.Alignment)-1 // pairs
	if c.S0 < c.S1 {
		from, to = t.At[c.S0], t.At[c.S1-1]
	} else {
		if c.S0 > 0 {
			from = t.At[c.S0-1]
		}
		if c.S1 < len(t.At) {
			to = t.At[c.S1]
		}
	}
	// If the block only deletes all of SEARCH, even a blank line makes it another place.
	deletes := c.R0 == c.R1 && len(t.ToDo) == 1 && c.S1-c.S0 == t.Search.Len()
	for _, q := range t.Alignment[from : to+1] {
		if t.foreign(q) || deletes && q.Search < 0 {
			return &Objection{File: q.File + 1}
		}
	}
	if f := t.joinedTo(c); f >= 0 {
		return &Objection{File: f + 1}
	}
	return nil
}

// lacksNeighbour objects to an insertion unless both lines next to it are in the file, or one of
// them is and vouches for the place.
func (t *trial) lacksNeighbour(c reading.Hunk) *Objection {
	if c.S0 < c.S1 {
		return nil
	}
	before := c.S0 > 0 && t.relation(c.S0-1) <= align.Similar
	after := c.S1 < len(t.At) && t.relation(c.S1) <= align.Similar
	if before && after || before && t.vouches(c.S0-1, c.S1) || after && t.vouches(c.S1, c.S0-1) {
		return nil
	}
	return &Objection{}
}

// unseparated objects if c adds more lines than it drops, and the last line before the added ones
// ends with another separator in SEARCH than in the file: a comma, a semicolon or none. The added
// lines would be separated from their neighbours incorrectly or not at all.
func (t *trial) unseparated(c reading.Hunk) *Objection {
	last := c.S1 - 1
	if c.R1-c.R0 <= c.S1-c.S0 || last < 0 || t.relation(last) != align.Similar ||
		separator(t.Search.Line(last)) == separator(t.partner(last)) {
		return nil
	}
	return t.about(last)
}

// separator returns the comma or semicolon at the end of line, or 0.
func separator(line []byte) byte {
	if t := bytes.TrimSpace(line); bytes.HasSuffix(t, []byte(",")) || bytes.HasSuffix(t, []byte(";")) {
		return t[len(t)-1]
	}
	return 0
}

// vouches reports whether SEARCH line i, on one side of an insertion, is enough to place the
// insertion although the line on the other side, missing, isn't at the place. Line i, or a line
// beyond it on the same side, must have a word. The missing line must not occur elsewhere in the
// file. If it has no word, the file must not have another line there instead.
func (t *trial) vouches(i, missing int) bool {
	step := 1 // away from the insertion
	if i < missing {
		step = -1
	}
	if missing >= 0 && missing < t.Search.Len() && !t.Blank(missing) {
		line := t.Search.Line(missing)
		if text.HasWord(line) && t.Doc.HasLine(line) ||
			!text.HasWord(line) && t.unseen(t.Alignment[t.At[i]].File-step) {
			return false
		}
	}
	for ; i >= 0 && i < t.Search.Len() && t.relation(i) <= align.Similar; i += step {
		if text.HasWord(t.Search.Line(i)) {
			return true
		}
	}
	return false
}

// adrift objects if other lines of the file separate the lines that c changes from all their
// context, and none of the changed lines is unique in the file. They may be other lines that look
// the same. If c only deletes lines, they may be unique just because another copy is already gone.
func (t *trial) adrift(c reading.Hunk) *Objection {
	if c.S0 == c.S1 {
		return nil
	}
	if c.R0 < c.R1 && t.hasUnique(c.S0, c.S1) {
		return nil
	}
	separated := false // the file has other lines next to the change
	for _, side := range []struct{ i, step int }{{c.S0, -1}, {c.S1 - 1, 1}} {
		for k := t.At[side.i] + side.step; k >= 0 && k < len(t.Alignment); k += side.step {
			q := t.Alignment[k]
			if t.foreign(q) && q.Relation != align.Moved {
				separated = true
				break
			}
			if q.Search >= 0 && q.File >= 0 && !t.Blank(q.Search) {
				return nil
			}
		}
	}
	if !separated {
		return nil
	}
	return t.about(c.S0)
}
