package workspace

import (
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/apply"
)

// Part is a reply of which a run's reply has blocks: one of several that are one run, or one that was corrected.
type Part struct {
	// Reply is its hash, as in [Options].
	Reply string `json:"reply"`
	// Blocks are, by their numbers in it, the numbers of the run's blocks that they are, or that stand for them.
	Blocks map[int]int `json:"blocks"`
}

// runPart is what the log has of a [Part]: its hash, and the numbers of its blocks whose results are in the run's files.
type runPart struct {
	Reply  string `json:"reply"`
	Blocks []int  `json:"blocks"`
}

// StandsFor says before [Workspace.Commit] that blocks of the run stand for those of further replies, which they correct: a later run of these
// knows that they are applied. This run looks for none of them.
func (w *Workspace) StandsFor(parts ...Part) { w.standsFor = append(w.standsFor, parts...) }

// Applied tells which blocks of the reply ([Options.Reply]), by number, earlier runs of it, or of its parts, have applied to a file, if it is now
// what the last such run made of it, and that run has not been undone. It is the evidence that pure deletions have been applied already.
// It is nil without such a run, and without a log.
func (w *Workspace) Applied(path string) func(block int) bool {
	if w.opt.Reply == "" {
		return nil
	}
	var known []func(int) bool
	if of := w.appliedOf(w.opt.Reply, path); of != nil {
		known = append(known, of)
	}
	for _, p := range w.opt.Parts {
		if of := w.appliedOf(p.Reply, path); of != nil {
			known = append(known, func(block int) bool {
				for n, b := range p.Blocks {
					if b == block && of(n) {
						return true
					}
				}
				return false
			})
		}
	}
	if known == nil {
		return nil
	}
	return func(block int) bool {
		return slices.ContainsFunc(known, func(of func(int) bool) bool { return of(block) })
	}
}

// appliedOf is [Workspace.Applied] for the runs of one reply and the numbers that its blocks have in it.
func (w *Workspace) appliedOf(reply, path string) func(block int) bool {
	if !w.knowsReply(reply) {
		return nil
	}
	name, at, err := w.locate(path)
	if err != nil {
		return nil
	}
	now := ""
	if at.info != nil {
		buf, giveBack := w.borrow()
		defer giveBack()
		raw, err := w.readInto(buf, name, at, w.opt.Limits.FileSize)
		if err != nil {
			return nil
		}
		now = hash(raw)
	}
	run := w.lastOf(reply, name)
	if run == nil || !slices.ContainsFunc(run.Files, func(f RunFile) bool { return f.Path == name && f.After == now }) {
		return nil
	}
	blocks, _ := run.blocksOf(reply)
	return func(block int) bool { return blocks == nil || slices.Contains(blocks, block) }
}

// blocksOf are the numbers of a reply's blocks whose results are in the run's files, nil for all of them; false if it is not the run's.
func (r *Run) blocksOf(reply string) (blocks []int, ok bool) {
	if r.Reply == reply {
		return r.blocks, true
	}
	for _, p := range r.parts {
		if p.Reply == reply {
			return append([]int{}, p.Blocks...), true
		}
	}
	return nil, false
}

// lastOf is the last run of the reply that changed a file and has not been undone there; nil if there is none.
func (w *Workspace) lastOf(reply, name string) *Run {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 0; ; i++ {
		run, err := w.logged(i)
		if run == nil || err != nil {
			return nil
		}
		if _, is := run.blocksOf(reply); is && run.Kind == KindApply && !run.Interrupted &&
			slices.ContainsFunc(run.Files, func(f RunFile) bool { return f.Path == name && !f.Undone }) {
			return run
		}
	}
}

// appliedBlocks are the numbers of the blocks that are applied to the plan's files once it is written, by it or by earlier runs of
// the reply; nil stands for all. Whether a block is applied to another file is for that one's own last run to say.
func (w *Workspace) appliedBlocks(plan *apply.Plan) []int {
	if w.opt.Reply == "" {
		return nil
	}
	var out []int
	for _, b := range plan.Blocks {
		if b.Status != apply.BlockFailed {
			out = append(out, b.ID)
		}
	}
	return w.withEarlier(w.opt.Reply, plan, out)
}

// appliedParts are the same of the replies that the run has parts of, as far as it is known which they are.
func (w *Workspace) appliedParts(plan *apply.Plan) (out []runPart) {
	done := map[int]bool{}
	for _, b := range plan.Blocks {
		done[b.ID] = b.Status != apply.BlockFailed
	}
	for _, p := range slices.Concat(w.opt.Parts, w.standsFor) {
		var blocks []int
		for n, b := range p.Blocks {
			if done[b] {
				blocks = append(blocks, n)
			}
		}
		if blocks = w.withEarlier(p.Reply, plan, blocks); len(blocks) > 0 {
			out = append(out, runPart{p.Reply, blocks})
		}
	}
	return out
}

// withEarlier adds to the numbers of a reply's blocks those that earlier runs have applied to the plan's files; nil stands for all.
func (w *Workspace) withEarlier(reply string, plan *apply.Plan, blocks []int) []int {
	for _, f := range plan.Files {
		name := cmp.Or(f.From, f.Path)
		if w.appliedOf(reply, name) == nil {
			continue
		}
		earlier, _ := w.lastOf(reply, name).blocksOf(reply)
		if earlier == nil {
			return nil
		}
		blocks = append(blocks, earlier...)
	}
	slices.Sort(blocks)
	return slices.Compact(blocks)
}

// knowsReply reports whether a run of a reply may be in the log. It costs one look, however long the log.
func (w *Workspace) knowsReply(reply string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, err := w.openState(false)
	if err != nil || s == nil {
		return false
	}
	known, asked := w.history.marks[reply]
	if !asked {
		_, err = s.Lstat(replyMark(reply))
		if known = err == nil; w.history.marks == nil {
			w.history.marks = map[string]bool{}
		}
		w.history.marks[reply] = known
	}
	return known
}

// replies are those of which the run has blocks.
func (r *record) replies() (out []string) {
	if r.Reply != "" {
		out = append(out, r.Reply)
	}
	for _, p := range r.Parts {
		out = append(out, p.Reply)
	}
	return out
}
