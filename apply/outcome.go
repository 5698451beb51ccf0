package apply

import (
	"bytes"
	"maps"

	"github.com/srpatch/srpatch/internal/diagnosis"
)

// Outcome is what a plan comes to, in one word, for whoever scores replies. [OutcomeChanged] is the
// only one that says that the whole reply was understood and placed, and that files are others
// afterwards; no reply gets it without changing a byte.
type Outcome string

// Outcomes of plans. Where a reply has several faults it is the first one of this list.
const (
	// OutcomeFormat: something in the reply that looks like an edit could not be read as one, or
	// nothing in it does.
	OutcomeFormat Outcome = "format"
	// OutcomePath: an edit names no file, or one that is not there.
	OutcomePath Outcome = "path"
	// OutcomeNotFound: SEARCH does not occur in the file.
	OutcomeNotFound Outcome = "not-found"
	// OutcomeAmbiguous: SEARCH fits several places, or the block divides in several ways.
	OutcomeAmbiguous Outcome = "ambiguous"
	// OutcomeRefused: a block was refused for another reason.
	OutcomeRefused Outcome = "refused"
	// OutcomeNoOp: no fault, and all files are as they were, because SEARCH and REPLACE are the
	// same, or blocks take each other back.
	OutcomeNoOp Outcome = "no-op"
	// OutcomeAlready: no fault, and all files are as they were, because every block was applied
	// already.
	OutcomeAlready Outcome = "already"
	// OutcomeChanged: no fault, and a file is another one.
	OutcomeChanged Outcome = "changed"
)

// outcome is that of a block which is refused for this reason.
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

// Outcome is what the plan comes to. A partial plan has the outcome of its worst fault, whatever it
// changes: see [Plan.Changed].
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

// Changed reports whether the plan leaves any file with other bytes than it had, makes one, or
// takes one away.
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
