package apply

import (
	"bytes"
	"context"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// A refusal offers corrected blocks: one for each place that may be meant and each way to make the
// change there. A corrected block is only offered if it works: its SEARCH occurs once in the file,
// its REPLACE is the result of the splice for those lines, and it has been parsed and placed again.

const (
	// maxOffered is how many corrected blocks a report may offer. maxContext is how many lines may
	// be added on each side of a block to make it unique.
	maxOffered = 5
	maxContext = 30
	// maxPasted and maxPastedBytes are the largest numbers of lines and bytes in a corrected block.
	// Nobody pastes more.
	maxPasted      = 1000
	maxPastedBytes = 64_000
)

// advice makes the corrected blocks that refusals offer.
type advice struct{ *locator }

// offer adds the corrected block for place p to the item's report, if there is one.
func (a advice) offer(it *item, p *placement) {
	if p.alignment == nil || !it.file.run.explains() {
		return
	}
	edits, ok := a.offerable(p)
	if !ok {
		return
	}
	c := a.corrected(it, p, edits)
	if c != "" && len(it.report.Corrected) < maxOffered && !slices.Contains(it.report.Corrected, c) {
		it.report.Corrected = append(it.report.Corrected, c)
	}
}

// offerable returns the edits that p's block makes at p. ok is false if they can't be offered,
// because an objection leaves open whether the place is right or what the block would change.
func (a advice) offerable(p *placement) (edits []splice.Edit, ok bool) {
	switch {
	case p.objection != nil && !p.objection.Sure:
		return nil, false
	case p.inside != nil:
		return []splice.Edit{p.insert}, true
	}
	a.settleIndent(p)
	if p.objection != nil && p.tier == tierSimilar && a.opt.Splice != Verbatim &&
		!a.judge.MayOffer(a.splicer(p), p.score) {
		return nil, false
	}
	edits, _ = a.edits(p)
	return edits, true
}

// corrected returns the corrected block of the item for edits at p. SEARCH has the file's lines at
// p, and as many lines around them as it takes to make it unique. REPLACE is the result of the
// edits. It returns "" if the file already has the result, or if no block can express it.
//
// Terminals and models lose some characters; see [text.FirstLost]. Lines that contain such a
// character are left out.
func (a advice) corrected(it *item, p *placement, edits []splice.Edit) string {
	at := p.span()
	if len(edits) == 0 || at.end-at.first > maxPasted || a.work.reports < a.scan() {
		return "" // the last case: the budget for reports is spent
	}
	a.work.reports -= a.scan()
	edits = slices.SortedFunc(slices.Values(edits), func(a, b splice.Edit) int { return a.Start - b.Start })
	after, _ := applyEdits(a.doc.Text(), edits)
	if bytes.Equal(after, a.doc.Text()) {
		return ""
	}
	at.first = min(at.first, a.doc.LineAt(edits[0].Start))
	at.end = max(at.end, a.doc.LineAt(max(0, edits[len(edits)-1].End-1))+1)
	return a.around(it, at, after)
}

// around returns the block that turns the document into after, which differs only in the lines s.
// SEARCH has these lines, and as many around them as it takes to make it unique. around returns ""
// if there is no such block.
func (a advice) around(it *item, s span, after []byte) string {
	mayTake := func(line int) bool {
		return line >= 0 && line < a.doc.Len() && text.FirstLost(a.doc.Line(line)) < 0
	}
	for range maxContext + 1 {
		start, end := a.doc.Start(s.first), a.doc.Start(s.end)
		search, replace := a.doc.Text()[start:end], after[start:len(after)-(len(a.doc.Text())-end)]
		if start < end && !atLeast(2, strategy.ExactWindows(a.doc, strategy.NewPattern(search, 0))) {
			if text.FirstLost(search) < 0 && text.FirstLost(replace) < 0 {
				return a.proved(it.report.Path, search, replace, after)
			}
			return ""
		}
		above, below := mayTake(s.first-1), mayTake(s.end)
		if !above && !below {
			break
		}
		if above {
			s.first--
		}
		if below {
			s.end++
		}
	}
	return ""
}

// proved returns the block with these sides for the document at path, as text in the dialect of the
// parser, if applying it under the policy gives after. Otherwise it returns "".
func (a advice) proved(path string, search, replace, after []byte) string {
	if a.work.reports < a.scan() || len(search)+len(replace) > maxPastedBytes {
		return ""
	}
	a.work.reports -= a.scan() // the run reads the document once more
	// In a block, a last line of the file without a line end gets one.
	b := parser.Block{
		Op: parser.OpEdit, Path: path, Search: appended(search, nil), Replace: appended(replace, nil),
	}
	out, err := parser.Format([]parser.Block{b})
	if err != nil {
		return "" // no dialect can write these lines
	}
	opt := Options{
		Policy: Strict, AllowPlaceholders: a.opt.AllowPlaceholders, Single: path,
		Limits: a.opt.Limits, Veto: a.opt.Veto, proof: true,
	}
	plan, err := New(Files{path: a.doc.Text()}, opt).Plan(context.Background(), parser.Parse(out))
	if err != nil || plan.Status != Applied || len(plan.Files) != 1 || !bytes.Equal(plan.Files[0].After, after) {
		return ""
	}
	return string(out)
}
