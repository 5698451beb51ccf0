package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// The bounds of the similarity tier. They were set on blocks bent in known ways and checked on blocks from other
// sources; see docs/architecture.md for how to measure them again.
const (
	// minScore is the part of SEARCH that must occur in the file. Drifted context leaves two thirds and more; a block whose
	// place is gone finds less than half of it elsewhere.
	minScore = 0.6
	// substitutionCost is how many drifted lines a kept line counts for that names something else: context drifts, but a
	// name in place of another one is how twins differ.
	substitutionCost = 2
	// marginFactor is how much more a place must win by than it loses by against any other.
	marginFactor = 4.0
	// marginMin is the least by which a place must win: an edit of one character in a line of some length.
	marginMin = 0.1
)

// guard is what speaks against taking a similar place, nil if nothing does.
//
// What the block changes must occur in the file as SEARCH has it, except for slips. What it keeps may have drifted, as long
// as the file does not name something else there.
func (l *locator) guard(p *placement) *Objection {
	p.unsure = true
	if p.score < minScore {
		return objection(TooLittle)
	}
	s := l.splicer(p)
	all := len(s.changes)
	applied := s.dropApplied()
	if applied > 0 && applied == all {
		if s.appliedAdded == 0 {
			return objection(NeverThere)
		}
		p.tier = tierAlready
	}
	touched := make([]bool, s.search.Len())
	for _, c := range s.changes {
		if applied > 0 && c.R0 == c.R1 && (c.S0 == 0 || c.S1 == s.search.Len()) {
			return s.about(HalfDeleted, c.S0)
		}
		for i := c.S0; i < c.S1; i++ {
			touched[i] = true
		}
	}
	if o := l.guardLines(s, touched); o != nil {
		return o
	}
	for _, c := range s.changes {
		if o := l.guardGap(s, c); o != nil {
			return o
		}
	}
	if o := l.guardContext(s, touched); o != nil {
		p.unsure = false
		return o
	}
	if i := l.namesAnother(s, touched); i >= 0 {
		return s.about(OtherHead, i)
	}
	p.unsure = false
	return nil
}

// guardLines judges each line of SEARCH by how it differs from the file. touched marks the lines that the block changes.
func (l *locator) guardLines(s *splice, touched []bool) *Objection {
	applied := s.appliedLines()
	for i, t := range touched {
		line := s.search.Line(i)
		if text.Blank(line) {
			continue
		}
		switch q := s.alignment[s.at[i]]; q.Relation {
		case align.Reflowed:
			if t && !s.wholeRun(i, touched) {
				return s.about(LineReflowed, i)
			}
		case align.Moved:
			if t {
				return s.about(LineMoved, i)
			}
		case align.Missing:
			switch {
			case t:
				return s.about(LineMissing, i)
			case applied[i]:
			case text.Definition(line) != nil:
				return s.about(NoDefinition, i)
			case s.leadsAll(i) && s.headedOtherwise(i):
				return s.about(OtherRecord, i)
			}
		case align.Similar:
			kind := l.words.compare(line, l.doc.Line(q.File), !t)
			if t {
				switch meaningOf(line, l.doc.Line(q.File), s.addedFor(i)) {
				case meant:
					kind = substitution
				case mistyped:
					kind = slip
				}
			}
			names := text.Definition(line) != nil || opens(line) || s.leadsAll(i)
			switch {
			case t && s.rewritesSlip(i):
				return s.about(LineDiffers, i)
			case names && kind == slip && !applied[i] && endsOtherwise(line, l.doc.Line(q.File)):
				return s.about(OtherName, i)
			case kind == slip || applied[i]:
			case t:
				return s.about(LineDiffers, i)
			case text.Definition(line) != nil && (kind == substitution || !bytes.Equal(text.Definition(line), text.Definition(l.doc.Line(q.File)))):
				return s.about(OtherDefinition, i)
			case kind == substitution && (opens(line) || s.leadsAll(i)):
				return s.about(OtherRecord, i)
			}
		}
	}
	return nil
}

// heads reports whether line i names the record that the lines below it belong to: "[beta]", ".beta {", "beta:", "beta)",
// "case beta:", `<b id="beta">`, "## Beta" and the like, or a line before a lone brace.
func heads(doc *strategy.Document, i int) bool {
	t := bytes.TrimSpace(doc.Line(i))
	if bytes.HasPrefix(t, []byte("##")) || bytes.HasPrefix(t, []byte("case ")) && bytes.HasSuffix(t, []byte(":")) {
		return bytes.ContainsFunc(t, text.IsWordRune)
	}
	if len(t) == 0 || controls(t) || !bytes.ContainsFunc(t, text.IsWordRune) {
		return false
	}
	switch t[len(t)-1] {
	case '{', ':':
		return true
	case ']':
		return t[0] == '['
	case '>':
		return t[0] == '<' && t[1] != '/'
	case ')':
		if bytes.IndexByte(t, '(') < 0 {
			return true
		}
	}
	return i+1 < doc.Len() && string(bytes.TrimSpace(doc.Line(i+1))) == "{"
}

// leadsAll reports whether SEARCH line i names a record and no line above it that occurs in the file says where the block
// belongs.
func (s *splice) leadsAll(i int) bool {
	if !heads(s.search.Document, i) {
		return false
	}
	for above := range i {
		if s.alignment[s.at[above]].Relation <= align.Similar && text.HasWord(s.search.Line(above)) {
			return false
		}
	}
	return true
}

// headedOtherwise reports whether another record's first line takes the place of SEARCH line i. Line i names a record and is
// missing in the file. Its place is above the file line that is paired with the next line of SEARCH.
func (s *splice) headedOtherwise(i int) bool {
	for next := i + 1; next < s.search.Len(); next++ {
		f := s.alignment[s.at[next]].File
		if f < 0 {
			continue
		}
		for f--; f >= 0 && text.Blank(s.doc.Line(f)); f-- {
		}
		return f >= 0 && heads(s.doc, f) && !slices.ContainsFunc(s.alignment, func(q align.Pair) bool {
			return q.File == f && q.Search >= 0
		})
	}
	return false
}

// rewritesSlip reports whether REPLACE repeats SEARCH line i, which the block changes, except for blanks at its ends: a slip
// in that line would come into the file.
func (s *splice) rewritesSlip(i int) bool {
	line := bytes.TrimSpace(s.search.Line(i))
	for _, added := range s.addedFor(i) {
		if bytes.Equal(bytes.TrimSpace(added), line) {
			return true
		}
	}
	return false
}

// opens reports whether line begins a function in a language that has no keyword for it, as `int main() {` does: the lines
// inside belong to what it names.
func opens(line []byte) bool {
	t := bytes.TrimRight(line, " \t")
	if !bytes.HasSuffix(t, []byte("{")) && !bytes.HasSuffix(t, []byte(":")) || bytes.IndexByte(t, '(') < 0 {
		return false
	}
	return !controls(t)
}

// controls reports whether line has a word of control flow, as "if" or "for", and so names nothing.
func controls(line []byte) bool {
	return slices.ContainsFunc(text.Tokens(line), func(word []byte) bool { return text.IsControl(string(word)) })
}

// guardContext counts the lines of SEARCH that drifted, and the file's extra lines between them. touched marks the lines that
// the block changes.
func (l *locator) guardContext(s *splice, touched []bool) *Objection {
	n, drifted, extra := len(touched), 0, -s.appliedAdded
	for i := range s.search.Len() {
		if s.blank(i) {
			n--
		}
	}
	applied := s.appliedLines()
	for _, q := range s.alignment {
		switch {
		case q.Relation == align.Extra:
			if !text.Blank(l.doc.Line(q.File)) {
				extra++
			}
		case q.Search < 0 || applied[q.Search] || s.blank(q.Search):
		case q.Relation == align.Missing:
			drifted++
		case q.Relation == align.Similar:
			line, there := s.search.Line(q.Search), l.doc.Line(q.File)
			if touched[q.Search] && len(bytes.TrimSpace(line)) <= len(bytes.TrimSpace(there)) &&
				meaningOf(line, there, s.addedFor(q.Search)) == mistyped {
				continue // REPLACE shows it; about a line that is longer in SEARCH it shows nothing
			}
			switch l.words.compare(line, there, true) {
			case drift:
				drifted++
			case substitution:
				drifted += substitutionCost
			}
		}
	}
	switch {
	case drifted > n/4:
		return objection(TooMuchDrift)
	case extra > min(2+n/3, max(0, n-2)):
		return objection(TooManyLines)
	case drifted > 0 && l.addedElsewhere(s):
		return objection(AddedElsewhere)
	}
	return nil
}

// addedElsewhere reports whether everything that the block adds occurs in the file already, next to a line that the block
// keeps: that may be the place that was meant, with the block applied.
func (l *locator) addedElsewhere(s *splice) bool {
	telling := false
	for _, c := range s.changes {
		if c.R0 == c.R1 {
			continue
		}
		adjacent := c.R0 > 0 && l.hasRun(s.replace, c.R0-1, c.R1) || c.R1 < s.replace.Len() && l.hasRun(s.replace, c.R0, c.R1+1)
		if !adjacent {
			return false
		}
		for r := c.R0; r < c.R1 && !telling; r++ {
			telling = l.distinctive(s.replace.Line(r)) && !s.search.HasLine(s.replace.Line(r))
		}
	}
	return telling
}

// hasRun reports whether the file has the lines from to to-1 of d in a row.
func (l *locator) hasRun(d *strategy.Document, from, to int) bool {
	part := (&strategy.Pattern{Document: d}).Slice(from, to)
	for range strategy.KeyWindows(l.doc, part) {
		return true
	}
	return false
}

// wholeRun reports whether the block changes every line of the reflowed statement to which SEARCH line i belongs.
func (s *splice) wholeRun(i int, touched []bool) bool {
	reflowed := func(i int) bool { return s.alignment[s.at[i]].Relation == align.Reflowed }
	for j := i; j >= 0 && reflowed(j); j-- {
		if !touched[j] {
			return false
		}
		if s.alignment[s.at[j]].File >= 0 {
			break // the run begins here
		}
	}
	for j := i + 1; j < len(touched) && reflowed(j) && s.alignment[s.at[j]].File < 0; j++ {
		if !touched[j] {
			return false
		}
	}
	return true
}

// guardGap judges the place of one change: where the file has other lines inside it, nothing says where the new lines go.
func (l *locator) guardGap(s *splice, c reading.Hunk) *Objection {
	from, to := 0, len(s.alignment)-1
	if c.S0 < c.S1 {
		from, to = s.at[c.S0], s.at[c.S1-1]
	} else {
		if c.S0 > 0 {
			from = s.at[c.S0-1]
		}
		if c.S1 < len(s.at) {
			to = s.at[c.S1]
		}
	}
	for _, q := range s.alignment[from : to+1] {
		if q.Search < 0 && q.Relation != align.Reflowed && !text.Blank(l.doc.Line(q.File)) {
			return &Objection{Code: LinesBetween, File: q.File + 1}
		}
	}
	if l.partlyThere(s, c) {
		return objection(PartlyThere)
	}
	if c.S0 < c.S1 {
		if l.adrift(s, c) {
			return s.about(Adrift, c.S0)
		}
		return nil
	}
	// An insertion is placed by the lines next to it.
	before := c.S0 > 0 && s.alignment[s.at[c.S0-1]].Relation <= align.Similar
	after := c.S1 < len(s.at) && s.alignment[s.at[c.S1]].Relation <= align.Similar
	switch {
	case before && after:
		return nil
	case before && l.vouches(s, c.S0-1, c.S1), after && l.vouches(s, c.S1, c.S0-1):
		return nil
	}
	return objection(NoNeighbour)
}

// adrift reports whether other lines of the file separate the lines that c changes from all their context, and none of the
// changed lines is unique in the file: they may be other lines that only look the same.
func (l *locator) adrift(s *splice, c reading.Hunk) bool {
	for i := c.S0; i < c.S1; i++ {
		if s.only(l, i) {
			return false
		}
	}
	separated := false // the file has other lines next to the change
	for _, side := range []struct{ i, step int }{{c.S0, -1}, {c.S1 - 1, 1}} {
		for k := s.at[side.i] + side.step; k >= 0 && k < len(s.alignment); k += side.step {
			q := s.alignment[k]
			if q.Search < 0 && q.Relation != align.Reflowed && !text.Blank(l.doc.Line(q.File)) {
				separated = true
				break
			}
			if q.Search >= 0 && q.File >= 0 && !s.blank(q.Search) {
				return false
			}
		}
	}
	return separated
}

// vouches reports whether SEARCH line i, on one side of an insertion, is enough to place it, although the line on the other
// side is missing: line i or one of those that continue it away from the insertion has a word, and the missing line does not
// occur elsewhere in the file.
func (l *locator) vouches(s *splice, i, missing int) bool {
	if missing >= 0 && missing < s.search.Len() && text.HasWord(s.search.Line(missing)) && l.doc.HasLine(s.search.Line(missing)) {
		return false
	}
	step := 1
	if i < missing {
		step = -1
	}
	for ; i >= 0 && i < s.search.Len() && s.alignment[s.at[i]].Relation <= align.Similar; i += step {
		if text.HasWord(s.search.Line(i)) {
			return true
		}
	}
	return false
}

// partlyThere reports whether the file has a line that c adds, as an extra line around the lines that c replaces.
func (l *locator) partlyThere(s *splice, c reading.Hunk) bool {
	from, to := s.bounds(c, true)
	first, end := s.alignment.Span()
	if from < 0 {
		from = first
	}
	if to < 0 {
		to = end
	}
	foreign := map[int]bool{}
	for _, q := range s.alignment {
		if q.Search < 0 && q.Relation != align.Reflowed {
			foreign[q.File] = true
		}
	}
	for f := from; f < to; f++ {
		if foreign[f] && text.HasWord(s.doc.Line(f)) && slices.Contains(s.replace.Keys()[c.R0:c.R1], s.doc.Keys()[f]) {
			return true
		}
	}
	return false
}
