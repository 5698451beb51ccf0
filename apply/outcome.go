package apply

import (
	"bytes"
	"maps"

	"github.com/srpatch/srpatch/internal/diagnosis"
)

// Outcome sums up a plan in one word, for programs that score replies. Only [OutcomeChanged] means
// that the whole reply was understood and placed, and that at least one file changes.
type Outcome string

// Outcomes of plans. If a reply has several faults, the first of these outcomes that applies is
// reported.
const (
	// OutcomeFormat: an attempted edit couldn't be read, or the reply has no edit.
	OutcomeFormat Outcome = "format"
	// OutcomePath: an edit names no file, a file that doesn't exist, or one outside the tree.
	OutcomePath Outcome = "path"
	// OutcomeNotFound: SEARCH does not occur in the file.
	OutcomeNotFound Outcome = "not-found"
	// OutcomeAmbiguous: SEARCH fits several places, or the block can be divided in several ways.
	OutcomeAmbiguous Outcome = "ambiguous"
	// OutcomeRefused: a block was refused for another reason.
	OutcomeRefused Outcome = "refused"
	// OutcomeNoOp: no file changes, because SEARCH equals REPLACE or blocks undo each other.
	OutcomeNoOp Outcome = "no-op"
	// OutcomeAlready: no file changes, because every block was applied before.
	OutcomeAlready Outcome = "already"
	// OutcomeChanged: every block was placed, and at least one file changes.
	OutcomeChanged Outcome = "changed"
)

// outcome returns the outcome of a block refused for this reason.
func (r Reason) outcome() Outcome {
	switch r {
	case NoSuchFile, NoName, OutsideRoot:
		return OutcomePath
	case NotFound:
		return OutcomeNotFound
	case Ambiguous:
		return OutcomeAmbiguous
	}
	return OutcomeRefused
}

// Outcome returns the plan's outcome. For a partial plan, it is the outcome of the worst fault,
// even if files change; see [Plan.Changed].
func (p *Plan) Outcome() Outcome {
	found := map[Outcome]bool{OutcomeFormat: len(p.Blocks)+len(p.Diagnostics) == 0 && p.Status == Refused}
	for i := range p.Diagnostics {
		if p.Diagnostics[i].Code == diagnosis.MissingName {
			found[OutcomePath] = true
		} else {
			found[OutcomeFormat] = true
		}
	}
	already := len(p.Blocks) > 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		already = already && b.Status == BlockAlready
		if b.Status == BlockFailed {
			found[b.Reason.outcome()] = true
		}
	}
	// The first fault of this list is the worst.
	for _, fault := range [...]Outcome{OutcomeFormat, OutcomePath, OutcomeNotFound, OutcomeAmbiguous, OutcomeRefused} {
		if found[fault] {
			return fault
		}
	}
	switch {
	case p.Status == Refused:
		return OutcomeRefused
	case p.Changed():
		return OutcomeChanged
	case already:
		return OutcomeAlready
	}
	return OutcomeNoOp
}

// Changed reports whether the plan changes, creates or removes a file.
func (p *Plan) Changed() bool {
	before, after := map[string][]byte{}, map[string][]byte{}
	for _, c := range p.Files {
		if from := c.Path; c.Action != Create {
			if c.From != "" {
				from = c.From
			}
			before[from] = c.Before
		}
		if c.Action != Delete {
			after[c.Path] = c.After
		}
	}
	return !maps.EqualFunc(before, after, bytes.Equal)
}
