package workspace

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// maxLookback bounds the runs that are looked at for one of the same reply, so that a run costs the
// same however long the log is.
const maxLookback = 16

// standIns are blocks of other replies for which those of a run stand.
type standIns struct {
	replies []string
	blocks  map[int][]parser.Block // by the number of the run's block
}

// StandsFor says before [Workspace.Commit] for which blocks of further replies, with these hashes,
// the run's blocks stand, by number: because they correct them, say. A later run of these replies
// knows that they are applied. This run looks for none of them.
func (w *Workspace) StandsFor(replies []string, blocks map[int][]parser.Block) {
	w.standsFor = standIns{replies, blocks}
}

// Applied tells which blocks of the replies ([Options.Replies]) earlier runs of one of them have
// applied to a file, if it is now what the last such run made of it, and that run has not been
// undone. It is the evidence that pure deletions have been applied already. A block that is there
// twice has to have been applied twice. It is nil without such a run, and without a log.
func (w *Workspace) Applied(path string) func(*parser.Block) bool {
	left := w.appliedTo(path, w.opt.Replies)
	if left == nil {
		return nil
	}
	return func(b *parser.Block) bool {
		sum := blockSum(path, b)
		left[sum]--
		return left[sum] >= 0
	}
}

// appliedTo counts the blocks that earlier runs of one of the replies have applied, by their sums;
// nil if there is none of which the file is the result.
func (w *Workspace) appliedTo(path string, replies []string) map[string]int {
	if len(replies) == 0 {
		return nil
	}
	name, at, err := w.locate(path)
	if err != nil {
		return nil
	}
	file, blocks := w.lastOf(replies, name)
	if file == nil {
		return nil
	}
	now := ""
	if at.info != nil {
		raw, err := w.readRaw(name, at)
		if err != nil {
			return nil
		}
		now = hash(raw)
	}
	if now != file.After {
		return nil
	}
	counts := make(map[string]int, len(blocks))
	for _, sum := range blocks {
		counts[sum]++
	}
	return counts
}

// lastOf is what the last run of one of the replies that changed a file made of it, unless that has
// been undone, with the sums of the run's blocks.
func (w *Workspace) lastOf(replies []string, name string) (*RunFile, []string) {
	w.logMu.Lock()
	defer w.logMu.Unlock()
	recent := w.recent()
	if !slices.ContainsFunc(replies, func(r string) bool { return bytes.Contains(recent, []byte(r)) }) {
		return nil, nil
	}
	for i := range maxLookback {
		run, err := w.logged(i)
		if run == nil || err != nil {
			return nil, nil
		}
		if run.Kind != KindApply || run.Interrupted ||
			!slices.ContainsFunc(run.Replies, func(r string) bool { return slices.Contains(replies, r) }) {
			continue
		}
		for j := range run.Files {
			if f := &run.Files[j]; f.Path == name && !f.Undone {
				return f, run.blocks
			}
		}
	}
	return nil, nil
}

// recent are the records of the newest runs, unread: to understand them takes longer, and few
// replies are run twice.
func (w *Workspace) recent() []byte {
	s, err := w.openState(false)
	if err != nil || s == nil || w.history.recent != nil {
		return w.history.recent
	}
	j := journal{s}
	runs, _ := j.runs(runDone, runKept)
	w.history.recent = []byte{}
	for _, r := range runs[max(0, len(runs)-maxLookback):] {
		line, _ := j.line(r.number, r.state, nil)
		w.history.recent = append(w.history.recent, line...)
	}
	return w.history.recent
}

// appliedBlocks are the sums of the blocks that are applied to the plan's files once it is written,
// by it or by earlier runs of its replies.
func (w *Workspace) appliedBlocks(plan *apply.Plan) (sums []string) {
	replies := w.allReplies()
	if len(replies) == 0 {
		return nil
	}
	earlier := map[string]int{}
	for _, f := range plan.Files {
		for sum, n := range w.appliedTo(cmp.Or(f.From, f.Path), replies) {
			earlier[sum] = max(earlier[sum], n)
		}
	}
	for sum, n := range earlier {
		sums = append(sums, slices.Repeat([]string{sum}, n)...)
	}
	for _, b := range plan.Blocks {
		if b.Status == apply.BlockFailed || b.Block == nil {
			continue
		}
		own := []string{blockSum(b.Path, b.Block)}
		for i := range w.standsFor.blocks[b.ID] {
			own = append(own, blockSum(b.Path, &w.standsFor.blocks[b.ID][i]))
		}
		slices.Sort(own)
		for _, sum := range slices.Compact(own) {
			if b.Status == apply.BlockAlready && earlier[sum] > 0 {
				earlier[sum]--
				continue
			}
			sums = append(sums, sum)
		}
	}
	slices.Sort(sums)
	return sums
}

// allReplies are those of which the run has blocks, or for whose blocks its own stand.
func (w *Workspace) allReplies() []string { return slices.Concat(w.opt.Replies, w.standsFor.replies) }

// blockSum is the same for blocks that ask for the same change of a file.
func blockSum(path string, b *parser.Block) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %q %q %d %t", path, b.Op, b.NewPath, b.Search, b.Replace, b.StartLine, b.ReplaceAll)
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}
