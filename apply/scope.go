package apply

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// inScope returns the item's placements within the lines that its anchors cover. It returns all
// placements if there are no anchors, or if the file doesn't show which lines they cover.
func (f choice) inScope(it *item) []*placement {
	line, end := scopeOf(f.snapshot.doc, it.block.Scope)
	if line < 0 {
		return it.found.placements
	}
	return slices.DeleteFunc(slices.Clone(it.found.placements), func(p *placement) bool {
		return !p.span().overlaps(span{line, end})
	})
}

// placeOnly places the item at p, the only place of SEARCH, and warns if its anchors don't occur or
// lead elsewhere. If p is above the anchors, or in another definition below them, and the lines that
// they cover have the block's result, the block counts as already applied, because p is then another
// copy of the same lines.
func (f choice) placeOnly(it *item, p *placement) {
	doc := f.snapshot.doc
	for _, anchor := range it.block.Scope {
		if strings.TrimSpace(anchor) != "" && innermost(doc, 0, []string{anchor}) == doc.Len() {
			name := text.Definition([]byte(anchor))
			if name != nil && it.block.Dialect == "v4a" && !defines(doc, name) {
				it.fail(NotFound, fmt.Sprintf("the file has no line like the anchor %q, and defines no %s; "+
					"SEARCH occurs in line %d", anchor, name, p.span().first+1))
				return
			}
			it.warn(warning.IgnoredHint.Say("the anchor %q is ignored: the file has no such line", anchor))
		}
	}
	line, end := scopeOf(doc, it.block.Scope)
	at := p.span()
	switch above := at.end <= line && !leadsTo(doc, at.end-1, line); {
	case line < 0, !above && (at.first <= end || text.Definition(doc.Line(line)) == nil):
		it.place(p, "")
	case above && f.placeResult(it, p, line, end):
	case above:
		it.place(p, warning.IgnoredHint.Say("the anchor %q is ignored: SEARCH occurs only above it",
			bytes.TrimSpace(doc.Line(line))))
	default:
		done := f.snapshot.results().already(p.reading, strategy.ExactWindows, anyEvidence)
		if done != nil && line <= done.span().first && done.span().first < end {
			it.place(done, "")
			return
		}
		it.place(p, warning.IgnoredHint.Say("the anchor %q is ignored: SEARCH occurs only in another definition",
			bytes.TrimSpace(doc.Line(line))))
	}
}

// defines reports whether a line of doc defines name.
func defines(doc *strategy.Document, name []byte) bool {
	for _, line := range doc.Lines() {
		if bytes.Equal(text.Definition(line), name) {
			return true
		}
	}
	return false
}

// leadsTo reports whether lines from to to-1 of doc are blank, comments or decorators, which belong to
// the definition below them.
func leadsTo(doc *strategy.Document, from, to int) bool {
	for i := from; i < to; i++ {
		line := bytes.TrimSpace(doc.Line(i))
		if len(line) > 0 && !text.IsComment(line) && line[0] != '@' && !bytes.HasPrefix(line, []byte("#[")) {
			return false
		}
	}
	return true
}

// placeResult places the item at its result if the lines from line to end-1 have it. It returns false
// if they don't.
func (f choice) placeResult(it *item, p *placement, line, end int) bool {
	if p.reading == nil || !p.reading.AddsWord() {
		return false
	}
	result := p.reading.Result()
	if n := result.Search.Len(); n == 1 && !text.Telling(result.Search.Line(0)) {
		return false // a short line may be there by chance
	}
	for at := range strategy.ExactWindows(f.snapshot.doc, result.Search) {
		if line <= at && at < end {
			done := resultPlacement(p.strategy, result, align.Exact(result.Search.Len(), at))
			it.place(done, warning.Chosen.Say("the lines below the anchor have the result, and SEARCH occurs only "+
				"outside of them, in line %d", p.span().first+1))
			return true
		}
	}
	return false
}

// scopeOf returns the line of the innermost anchor and the line where the next definition of its
// kind begins. Each anchor is searched for below the one that encloses it, so the anchors "class A"
// and "def f" mean the first f below A. Both results are -1 if there are no anchors, if one doesn't
// occur, or if the outermost one occurs more than once and leads to different lines.
func scopeOf(doc *strategy.Document, scope []string) (line, end int) {
	last := doc.Len() // the last line that may be the outermost anchor
	for _, anchor := range slices.Backward(scope) {
		last--
		for last >= 0 && !isAnchor(doc, last, anchor) {
			last--
		}
	}
	line = innermost(doc, 0, scope)
	if last < 0 || line < 0 || innermost(doc, last, scope) != line {
		return -1, -1
	}
	end = line + 1
	for end < doc.Len() && !verdict.BeginsAnother(doc.Line(line), doc.Line(end)) {
		end++
	}
	return line, end
}

// innermost searches for the anchors from the given line on, and returns the line of the last one,
// or at least doc.Len() if an anchor isn't found. It returns -1 if there are no anchors.
func innermost(doc *strategy.Document, line int, scope []string) int {
	found := -1
	for _, anchor := range scope {
		for line < doc.Len() && !isAnchor(doc, line, anchor) {
			line++
		}
		found = line
		line++
	}
	return found
}

// isAnchor reports whether the line begins with the anchor, ignoring indentation. The anchor may not
// end within a word of the line.
func isAnchor(doc *strategy.Document, line int, anchor string) bool {
	want := []byte(strings.TrimSpace(anchor))
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(doc.Line(line)), want)
	return ok && len(want) > 0 && !text.JoinWord(want, rest)
}
