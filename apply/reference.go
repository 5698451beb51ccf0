package apply

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// reference applies a block to the current text exactly as the reference cascade does: policy
// loose, splice verbatim. The edit that it reports is the part in which the two texts differ.
func (f *file) reference(it *item) {
	b := it.block
	if f.run.work.places <= 0 && !bytes.Contains(f.current, b.Search) {
		it.fail(Budget, overBudget)
		return
	}
	limits := f.run.opt.Limits
	// most is how long the result may be.
	most := min(limits.FileSize, int64(len(f.current))+limits.Added-f.run.added)
	result, name, err := strategy.ReplaceWithin(f.current, b.Search, b.Replace, b.ReplaceAll, int(most))
	if it.report.Strategy = name; name != "exact" {
		f.run.work.places -= 4 * scanCost * int64(1+bytes.Count(f.current, []byte{'\n'}))
	}
	if err != nil {
		reason := NotFound
		switch {
		case errors.Is(err, strategy.ErrAmbiguous):
			reason = Ambiguous
		case errors.Is(err, strategy.ErrTooLong):
			reason = TooLarge
		}
		it.fail(reason, fmt.Sprint(err))
		return
	}
	// The document is empty, so that the whole result is checked as new text.
	if !f.encoding().checkEncodable(it, strategy.NewDocument(nil), []splice.Edit{{Text: result}}) {
		return
	}
	it.report.Score = 1
	head, tail := sharedEnds(f.current, result)
	doc := strategy.NewDocument(f.current)
	it.report.Lines = &[2]int{doc.LineAt(head) + 1, doc.LineAt(max(head, len(f.current)-tail-1)) + 1}
	e := splice.Edit{Start: head, End: len(f.current) - tail, Text: result[head : len(result)-tail]}
	if f.run.refuseVetoed(it, f.current, []splice.Edit{e}) {
		return
	}
	f.run.added += max(0, int64(len(result)-len(f.current)))
	it.warn(warning.Loose.Say("loose match"))
	f.current, f.spans = result, nil
	it.settle(BlockApplied)
}

// sharedEnds returns how many bytes two texts share at the beginning and at the end.
func sharedEnds(before, after []byte) (head, tail int) {
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	return head, tail
}
