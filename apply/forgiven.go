package apply

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
)

// Tolerances that a report lists.
const (
	forgivenIndentation    = "indentation"     // blanks at the beginning of lines differ
	forgivenTrailingBlanks = "trailing-blanks" // blanks at the ends of lines differ
	forgivenSpacing        = "spacing"         // blanks between tokens differ
	forgivenTypography     = "typography"      // quotes, dashes or blanks have another form
	forgivenCutLine        = "cut-line"        // SEARCH begins or ends inside a line
	forgivenFragment       = "fragment"        // SEARCH is part of a line
	forgivenLineBreaks     = "line-breaks"     // a statement has different line breaks
	forgivenElision        = "elision"         // SEARCH leaves lines out, and says so
	forgivenDrift          = "drift"           // lines differ, or only one side has them
)

// forgiven returns what a report lists as forgiven at p: the names of the habits that were undone,
// and the tolerances that p needs, in the order of the constants above.
func (l *locator) forgiven(p *placement) []string {
	switch {
	case p.strategy == lineFragment:
		return []string{forgivenFragment}
	case p.inside != nil:
		return nil
	}
	tolerances := [...]string{
		align.Spaced: forgivenSpacing, align.Folded: forgivenTypography,
		align.Partial: forgivenCutLine, align.Reflowed: forgivenLineBreaks,
		align.Similar: forgivenDrift, align.Moved: forgivenDrift,
		align.Missing: forgivenDrift, align.Extra: forgivenDrift,
	}
	if p.elided {
		tolerances[align.Missing], tolerances[align.Extra] = forgivenElision, forgivenElision
	}
	used := map[string]bool{}
	for _, q := range p.alignment {
		used[tolerances[q.Relation]] = true
		switch {
		case q.Relation == align.Same && p.written == nil: // SEARCH still has the reply's margins
		case q.Relation == align.Partial, q.Relation == align.Reflowed, q.Search < 0, q.File < 0:
		default: // compare with SEARCH as the reply has it
			search, file := cmp.Or(p.written, p.reading).Search.Line(q.Search), l.doc.Line(q.File)
			if !bytes.Equal(text.Margin(search), text.Margin(file)) {
				used[forgivenIndentation] = true
			}
			if text.Trailing(search) != text.Trailing(file) {
				used[forgivenTrailingBlanks] = true
			}
		}
	}
	out := slices.Clone(p.reading.Habits)
	for _, tolerance := range [...]string{
		forgivenIndentation, forgivenTrailingBlanks, forgivenSpacing, forgivenTypography,
		forgivenCutLine, forgivenLineBreaks, forgivenElision, forgivenDrift,
	} {
		if used[tolerance] {
			out = append(out, tolerance)
		}
	}
	return out
}

// driftNote lists the lines in which SEARCH and a similar place differ and, if they differ a lot,
// says which line identifies the place. It returns "" if there is nothing to say.
func (l *locator) driftNote(p *placement) string {
	if p.tier != tierSimilar || p.inside != nil {
		return ""
	}
	var differ, missing []int
	for _, q := range p.alignment {
		switch q.Relation {
		case align.Similar, align.Extra:
			differ = append(differ, q.File+1)
		case align.Missing:
			missing = append(missing, q.Search+1)
		}
	}
	var says []string
	if len(differ) > 0 {
		says = append(says, "lines of the file that differ from SEARCH: "+listed(differ))
	}
	if len(missing) > 0 {
		says = append(says, "lines of SEARCH that the file lacks: "+listed(missing))
	}
	if len(says) == 0 {
		return ""
	}
	return warning.Drift.Say("%s%s", strings.Join(says, "; "), l.placedBy(p))
}

// littleFound is the similarity below which a report says how the place was identified.
const littleFound = 0.8

// placedBy quotes a line that identifies p if little of SEARCH matches there: a line that the block
// changes and that occurs once in the file.
func (l *locator) placedBy(p *placement) string {
	if p.score >= littleFound {
		return ""
	}
	for _, c := range p.reading.Hunks() {
		for _, q := range p.alignment {
			if c.S0 <= q.Search && q.Search < c.S1 && q.Relation < align.Similar &&
				l.judge.Distinctive(p.reading.Search.Line(q.Search)) {
				return fmt.Sprintf("; placed by line %d, which the block changes: %s", q.File+1,
					bytes.TrimSpace(l.doc.Line(q.File)))
			}
		}
	}
	return ""
}
