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

// maxLookback limits how many runs are searched for one of the same reply, so that the cost of a
// run doesn't grow with the log.
const maxLookback = 16

// standIns are blocks of other replies that blocks of a run replace.
type standIns struct {
	replies []string
	blocks  map[int][]parser.Block // by the number of the run's block
}

// StandsFor records which blocks of other replies the run's blocks replace, for example because
// they correct them. Call it before [Workspace.Commit]. replies are the hashes of these replies,
// and blocks their blocks, by the number of the run's block. A later run of these replies then
// knows that these blocks are applied. [Workspace.Applied] ignores them in this run.
func (w *Workspace) StandsFor(replies []string, blocks map[int][]parser.Block) {
	w.standsFor = standIns{replies, blocks}
}

// Applied returns a function that reports whether an earlier run of one of [Options.Replies] has
// applied a block to the file. Nothing else shows that a pure deletion has been applied. Each call
// uses up one application, so a block that occurs twice must have been applied twice. Applied
// returns nil unless the file still holds what the last such run wrote, and that is not undone.
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

// appliedTo returns how often earlier runs of one of the replies, given by their hashes, have
// applied each block, by its blockSum. It returns nil if there is no such run, or if the file no
// longer holds what the last of them wrote.
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
	now := "" // the hash of the file, or "" if there is none
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

// lastOf finds the last run of one of the replies that changed the file and has not been undone.
// It returns what the run did to the file, and the sums of the run's blocks, or nil. replies are
// hashes of replies, and name is the file's path.
func (w *Workspace) lastOf(replies []string, name string) (*RunFile, []string) {
	isOne := func(reply string) bool { return slices.Contains(replies, reply) }
	runs, _ := w.newest(maxLookback)
	for _, run := range runs {
		isApplied := run.Kind == KindApply && !run.Interrupted
		if !isApplied || !slices.ContainsFunc(run.Replies, isOne) {
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

// appliedBlocks returns the sums (see blockSum) of the blocks that will have been applied to the
// plan's files once this run is done, by this run or by earlier runs of its replies. A block that
// was applied twice is there twice. A block of this run also counts for those that it replaces.
func (w *Workspace) appliedBlocks(plan *apply.Plan) (sums []string) {
	replies := w.allReplies()
	if len(replies) == 0 {
		return nil
	}
	earlier := map[string]int{} // how often earlier runs have applied each block
	for _, f := range plan.Files {
		for sum, n := range w.appliedTo(cmp.Or(f.From, f.Path), replies) {
			earlier[sum] = max(earlier[sum], n) // no sum: all files of a run have the same counts
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
		for _, sum := range slices.Compact(own) { // versions of a block may be equal
			// Don't count a block again that this run only found applied by an earlier one.
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

// allReplies returns the run's replies and those whose blocks it replaces.
func (w *Workspace) allReplies() []string { return slices.Concat(w.opt.Replies, w.standsFor.replies) }

// blockSum returns a hash that is equal for blocks that ask for the same change of a file.
func blockSum(path string, b *parser.Block) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %q %q %d %t", path, b.Op, b.NewPath, b.Search, b.Replace, b.StartLine, b.ReplaceAll)
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// maxWitnesses is how many of the newest runs WasAmbiguous looks at.
const maxWitnesses = 100

// WasAmbiguous reports whether the lines of search occurred more than once in the file before one
// of the newest runs that changed it. That run may then have edited the place that is
// meant, so the one that is left proves nothing. It implements [apply.Witness].
func (w *Workspace) WasAmbiguous(name string, search []byte) bool {
	real, _, err := w.locate(name)
	if err != nil {
		return false
	}
	runs, _ := w.newest(maxWitnesses)
	for i := range runs {
		run := &runs[i]
		changes := func(f RunFile) bool { return f.Path == real && f.Before != "" }
		if run.Err != nil || !slices.ContainsFunc(run.Files, changes) {
			continue
		}
		t, err := w.withImages(run)
		if err != nil { // damaged: it says nothing
			continue
		}
		for j := range t.edits {
			if e := &t.edits[j]; e.path == real && occursTwice(e.before.data, search) {
				return true
			}
		}
	}
	return false
}

// occursTwice reports whether the lines of search occur more than once in text, ignoring line ends
// and blanks around lines. The occurrences may overlap.
func occursTwice(text, search []byte) bool {
	text, search = trimmedLines(text), trimmedLines(search)
	i := bytes.Index(text, search)
	return i >= 0 && bytes.Contains(text[i+1:], search)
}

// trimmedLines returns the lines of text without the blanks around them, with a line feed before
// the first and after each: "\na\nb\n" for " a\n b". So whole lines can be searched for as text.
func trimmedLines(text []byte) []byte {
	out := []byte{'\n'}
	for line := range bytes.Lines(text) {
		out = append(append(out, bytes.TrimSpace(line)...), '\n')
	}
	return out
}
