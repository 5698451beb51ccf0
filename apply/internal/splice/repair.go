package splice

import (
	"bytes"
	"maps"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/typography"
	"github.com/srpatch/srpatch/strategy"
)

// lineRepair is the repair of added lines, if the aligned lines prove a habit in SEARCH; nil for none.
func lineRepair(doc *strategy.Document, pat *strategy.Pattern, a align.Alignment) func([]byte) []byte {
	bent := map[rune]bool{} // plain characters that are replaced by others here
	if typography.Has(pat.Text()) {
		for _, r := range string(pat.Text()) {
			plain, ok := typography.Fold(r)
			if _, asked := bent[plain]; ok && !asked {
				bent[plain] = proved(doc, pat, a, func(line []byte) bool { return hasStandIn(line, plain) })
			}
		}
	}
	trim := proved(doc, pat, a, func(line []byte) bool { return text.Trailing(line) > 0 })
	if !trim && !slices.Contains(slices.Collect(maps.Values(bent)), true) {
		return nil
	}
	return func(line []byte) []byte {
		if typography.Has(line) {
			line = bytes.Map(func(r rune) rune {
				if plain, ok := typography.Fold(r); ok && bent[plain] {
					return plain
				}
				return r
			}, line)
		}
		if trim {
			line = bytes.TrimRight(line, " \t")
		}
		return line
	}
}

// hasStandIn reports whether line has a character that is a reading of plain.
func hasStandIn(line []byte, plain rune) bool {
	return bytes.ContainsFunc(line, func(r rune) bool {
		p, ok := typography.Fold(r)
		return ok && p == plain
	})
}

// proved reports whether a habit shows in a line of SEARCH and not in the file line paired with it, nor in any other file line of
// the alignment.
func proved(doc *strategy.Document, pat *strategy.Pattern, a align.Alignment, shows func(line []byte) bool) bool {
	yes := false
	for _, p := range a {
		if p.Search < 0 || p.File < 0 || !shows(pat.Line(p.Search)) {
			continue
		}
		if shows(doc.Line(p.File)) {
			return false
		}
		yes = true
	}
	return yes
}
