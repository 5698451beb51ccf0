package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// The bounds of the similarity tier. They were set on blocks bent in known ways and checked on blocks from other
// sources; see docs/architecture.md for how to measure them again.
const (
	// minScore is the part of SEARCH that must stand in the file. Drifted surroundings leave two thirds and more; blocks
	// whose place is gone find less than half elsewhere.
	minScore = 0.6
	// substitutionCost is what a kept line that names something else counts for, in drifted lines: surroundings drift,
	// but a name in place of another one is how twins differ.
	substitutionCost = 2
	// marginFactor is how much more a place must win by than it loses by against any other.
	marginFactor = 4.0
	// marginMin is the least by which a place must win: an edit of one character in a line of some length.
	marginMin = 0.1
)

// guard says why a similar place must not be taken; "" if nothing speaks against it.
//
// What the block changes must stand in the file as SEARCH has it, but for slips; what it keeps may have drifted, as long
// as the file does not speak of something else there.
func (l *locator) guard(p *placement) string {
	p.unsure = true
	if p.score < minScore {
		return "too little of SEARCH stands there"
	}
	s := l.splicer(p)
	all := len(s.changes)
	standing := s.dropApplied()
	if standing > 0 && standing == all {
		if s.appliedAdded == 0 {
			return "what the block deletes is not there, and nothing tells whether it ever was"
		}
		p.tier = tierAlready
	}
	touched := make([]bool, s.search.Len())
	for _, c := range s.changes {
		if standing > 0 && c.r0 == c.r1 && (c.s0 == 0 || c.s1 == s.search.Len()) {
			return "part of the change stands there, and whether what it deletes besides is still the block's cannot be told"
		}
		for i := c.s0; i < c.s1; i++ {
			touched[i] = true
		}
	}
	if why := l.guardLines(s, touched); why != "" {
		return why
	}
	for _, c := range s.changes {
		if why := l.guardGap(s, c); why != "" {
			return why
		}
	}
	if why := l.guardContext(s, touched); why != "" {
		p.unsure = false
		return why
	}
	if l.namesAnother(s, touched) {
		return "a line that names it among others like it reads differently there"
	}
	p.unsure = false
	return ""
}

const readsDifferently = "a line that the block changes reads differently there"

// guardLines looks at the lines of SEARCH, those that the block changes being touched, and at the lines between them.
func (l *locator) guardLines(s *splice, touched []bool) string {
	standing := s.appliedLines()
	for i, t := range touched {
		line := s.search.Line(i)
		if text.Blank(line) {
			continue
		}
		switch q := s.alignment[s.at[i]]; q.Relation {
		case strategy.Reflowed:
			if t && !s.wholeRun(i, touched) {
				return "the file has a line that the block changes in one statement with others"
			}
		case strategy.Moved:
			if t {
				return "a line that the block changes stands in another place there"
			}
		case strategy.Missing:
			switch {
			case t:
				return "a line that the block changes is not there"
			case standing[i]:
			case definition(line) != nil:
				return "it lacks the definition that SEARCH names"
			case s.leadsAll(i) && s.headedOtherwise(i):
				return "what is inside belongs to something else there"
			}
		case strategy.Similar:
			kind := l.words.compare(line, l.doc.Line(q.File), !t)
			if t {
				switch meaningOf(line, l.doc.Line(q.File), s.addedFor(i)) {
				case meant:
					kind = substitution
				case mistyped:
					kind = slip
				}
			}
			names := definition(line) != nil || opens(line) || s.leadsAll(i)
			switch {
			case t && s.rewritesSlip(i):
				return readsDifferently
			case names && kind == slip && !standing[i] && endsOtherwise(line, l.doc.Line(q.File)):
				return "it names something else"
			case kind == slip || standing[i]:
			case t:
				return readsDifferently
			case definition(line) != nil && (kind == substitution || !bytes.Equal(definition(line), definition(l.doc.Line(q.File)))):
				return "it defines something else"
			case kind == substitution && (opens(line) || s.leadsAll(i)):
				return "what is inside belongs to something else there"
			}
		}
	}
	return ""
}

// heads reports whether line i names the record that the lines below it belong to: "[beta]", ".beta {", "beta:", "beta)",
// "case beta:", `<b id="beta">`, "## Beta" and the like, or a line before a lone brace.
func heads(doc *strategy.Document, i int) bool {
	t := bytes.TrimSpace(doc.Line(i))
	if bytes.HasPrefix(t, []byte("##")) || bytes.HasPrefix(t, []byte("case ")) && bytes.HasSuffix(t, []byte(":")) {
		return bytes.ContainsFunc(t, text.IsWordRune)
	}
	if len(t) == 0 || isProse(t) || controls(t) || !bytes.ContainsFunc(t, text.IsWordRune) {
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

// leadsAll reports whether SEARCH line i is a head and nothing above it says where the block belongs.
func (s *splice) leadsAll(i int) bool {
	if !heads(s.search.Document, i) {
		return false
	}
	for above := range i {
		if s.alignment[s.at[above]].Relation <= strategy.Similar && strategy.HasWord(s.search.Line(above)) {
			return false
		}
	}
	return true
}

// headedOtherwise reports whether the file has another head in the place of SEARCH line i, which is one and is missing: the
// line above the one that is paired with the next line of SEARCH.
func (s *splice) headedOtherwise(i int) bool {
	for next := i + 1; next < s.search.Len(); next++ {
		f := s.alignment[s.at[next]].File
		if f < 0 {
			continue
		}
		for f--; f >= 0 && text.Blank(s.doc.Line(f)); f-- {
		}
		return f >= 0 && heads(s.doc, f) && !slices.ContainsFunc(s.alignment, func(q strategy.Pair) bool {
			return q.File == f && q.Search >= 0
		})
	}
	return false
}

// rewritesSlip reports whether the block writes the changed SEARCH line i again, but for blanks: what SEARCH mistypes there
// would come into the file.
func (s *splice) rewritesSlip(i int) bool {
	line := bytes.TrimSpace(s.search.Line(i))
	for _, added := range s.addedFor(i) {
		if bytes.Equal(bytes.TrimSpace(added), line) {
			return true
		}
	}
	return false
}

// opens reports whether line begins a function of a language without a word for it: what it says holds for the lines inside.
func opens(line []byte) bool {
	t := bytes.TrimRight(line, " \t")
	if !bytes.HasSuffix(t, []byte("{")) && !bytes.HasSuffix(t, []byte(":")) || bytes.IndexByte(t, '(') < 0 {
		return false
	}
	return !controls(t)
}

// controls reports whether line steers what runs, rather than naming something.
func controls(line []byte) bool {
	return slices.ContainsFunc(text.Tokens(line), func(word []byte) bool { return text.IsControl(string(word)) })
}

// guardContext counts how much of SEARCH, and of the file's lines between, has drifted; touched are the lines that the block
// changes.
func (l *locator) guardContext(s *splice, touched []bool) string {
	n, drifted, extra := len(touched), 0, -s.appliedAdded
	for i := range s.search.Len() {
		if s.blank(i) {
			n--
		}
	}
	standing := s.appliedLines()
	for _, q := range s.alignment {
		switch {
		case q.Relation == strategy.Extra:
			if !text.Blank(l.doc.Line(q.File)) {
				extra++
			}
		case q.Search < 0 || standing[q.Search] || s.blank(q.Search):
		case q.Relation == strategy.Missing:
			drifted++
		case q.Relation == strategy.Similar:
			line, there := s.search.Line(q.Search), l.doc.Line(q.File)
			if touched[q.Search] && len(bytes.TrimSpace(line)) <= len(bytes.TrimSpace(there)) &&
				meaningOf(line, there, s.addedFor(q.Search)) == mistyped {
				continue // REPLACE says so; of a line that goes on in SEARCH it says nothing
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
		return "too many lines of SEARCH read differently there"
	case extra > min(2+n/3, max(0, n-2)):
		return "too many other lines stand between"
	case drifted > 0 && l.addedElsewhere(s):
		return "lines of SEARCH read differently there, and what the block adds stands elsewhere in the file"
	}
	return ""
}

// addedElsewhere reports whether what the block adds stands in the file already, all of it beside a line that it keeps: then the
// place that was meant may be there, and the block applied.
func (l *locator) addedElsewhere(s *splice) bool {
	telling := false
	for _, c := range s.changes {
		if c.r0 == c.r1 {
			continue
		}
		beside := c.r0 > 0 && l.reads(s.replace, c.r0-1, c.r1) || c.r1 < s.replace.Len() && l.reads(s.replace, c.r0, c.r1+1)
		if !beside {
			return false
		}
		for r := c.r0; r < c.r1 && !telling; r++ {
			telling = l.distinctive(s.replace.Line(r)) && !s.search.HasLine(s.replace.Line(r))
		}
	}
	return telling
}

// reads reports whether the lines from to to-1 of d stand together in the file.
func (l *locator) reads(d *strategy.Document, from, to int) bool {
	part := (&strategy.Pattern{Document: d}).Slice(from, to)
	for range strategy.KeyWindows(l.doc, part) {
		return true
	}
	return false
}

// wholeRun reports whether the block changes all lines of the reflowed statement that SEARCH line i is part of.
func (s *splice) wholeRun(i int, touched []bool) bool {
	reflowed := func(i int) bool { return s.alignment[s.at[i]].Relation == strategy.Reflowed }
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

// guardGap looks at the place of one change: foreign lines inside it leave open where the new lines go.
func (l *locator) guardGap(s *splice, c change) string {
	from, to := 0, len(s.alignment)-1
	if c.s0 < c.s1 {
		from, to = s.at[c.s0], s.at[c.s1-1]
	} else {
		if c.s0 > 0 {
			from = s.at[c.s0-1]
		}
		if c.s1 < len(s.at) {
			to = s.at[c.s1]
		}
	}
	for _, q := range s.alignment[from : to+1] {
		if q.Search < 0 && q.Relation != strategy.Reflowed && !text.Blank(l.doc.Line(q.File)) {
			return "lines that SEARCH does not have stand where the block makes its change"
		}
	}
	if l.partlyThere(s, c) {
		return "part of what the block adds stands there"
	}
	if c.s0 < c.s1 {
		if l.adrift(s, c) {
			return "what the block changes stands apart from the lines beside it, and there are more such lines"
		}
		return ""
	}
	// An insertion is placed by its neighbours.
	before := c.s0 > 0 && s.alignment[s.at[c.s0-1]].Relation <= strategy.Similar
	after := c.s1 < len(s.at) && s.alignment[s.at[c.s1]].Relation <= strategy.Similar
	switch {
	case before && after:
		return ""
	case before && l.vouches(s, c.s0-1, c.s1), after && l.vouches(s, c.s1, c.s0-1):
		return ""
	}
	return "neither line beside the insertion stands there"
}

// adrift reports whether the lines that c changes, none of which is the only one of its kind, are parted by other lines from all
// that SEARCH has beside them: those nearby may be others.
func (l *locator) adrift(s *splice, c change) bool {
	for i := c.s0; i < c.s1; i++ {
		if s.only(l, i) {
			return false
		}
	}
	beside := false // SEARCH has lines beside the change
	for _, side := range []struct{ i, step int }{{c.s0, -1}, {c.s1 - 1, 1}} {
		for k := s.at[side.i] + side.step; k >= 0 && k < len(s.alignment); k += side.step {
			q := s.alignment[k]
			if q.Search < 0 && q.Relation != strategy.Reflowed && !text.Blank(l.doc.Line(q.File)) {
				beside = true
				break
			}
			if q.Search >= 0 && q.File >= 0 && !s.blank(q.Search) {
				return false
			}
		}
	}
	return beside
}

// vouches reports whether SEARCH line i, which stands beside an insertion, says where it goes although its other neighbour is
// missing: it or the lines behind it say something, and the neighbour does not stand somewhere else.
func (l *locator) vouches(s *splice, i, missing int) bool {
	if missing >= 0 && missing < s.search.Len() && strategy.HasWord(s.search.Line(missing)) && l.doc.HasLine(s.search.Line(missing)) {
		return false
	}
	step := 1
	if i < missing {
		step = -1
	}
	for ; i >= 0 && i < s.search.Len() && s.alignment[s.at[i]].Relation <= strategy.Similar; i += step {
		if strategy.HasWord(s.search.Line(i)) {
			return true
		}
	}
	return false
}

// partlyThere reports whether a line that c adds is one of the foreign lines around the lines it replaces.
func (l *locator) partlyThere(s *splice, c change) bool {
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
		if q.Search < 0 && q.Relation != strategy.Reflowed {
			foreign[q.File] = true
		}
	}
	for f := from; f < to; f++ {
		if foreign[f] && strategy.HasWord(s.doc.Line(f)) && slices.Contains(s.replace.Keys()[c.r0:c.r1], s.doc.Keys()[f]) {
			return true
		}
	}
	return false
}
