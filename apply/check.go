package apply

import "strings"

// Checker is a [Tree] that knows which changes can be written. A plan whose changes can't be
// written is refused, so a dry run reports the same result as a real run.
type Checker interface {
	// CheckPlan returns an error if the plan as a whole can't be written. The engine then refuses
	// the whole plan.
	CheckPlan(plan *Plan) error
	// CanWrite returns an error if the change can't be written, assuming that its file hasn't
	// changed since the plan was made. The engine then refuses the blocks that make the change.
	CanWrite(change *FileChange) error
}

// check asks the tree whether p can be written, and refuses the blocks that can't. The plan is then
// refused, or keeps the files that can be written if the option Partial is set.
func (r *run) check(p *Plan) {
	tree, ok := r.engine.tree.(Checker)
	if !ok || p.Status == Refused {
		return
	}
	if err := tree.CheckPlan(p); err != nil {
		p.refuse(err, func(b *BlockReport) bool { return b.Status != BlockFailed })
		p.Status, p.Files = Refused, nil
		return
	}
	var files []FileChange
	for _, f := range p.Files {
		if err := tree.CanWrite(&f); err != nil {
			p.refuse(err, func(b *BlockReport) bool {
				return b.Status == BlockApplied && (b.Path == f.Path || b.Path == f.From)
			})
		} else {
			files = append(files, f)
		}
	}
	switch {
	case len(files) == len(p.Files):
	case r.opt.Partial && len(files) > 0:
		p.Status, p.Files = Partial, files
	default:
		p.Status, p.Files = Refused, nil
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if b.Status == BlockApplied {
				b.Status = BlockReady // placed, but nothing is written
			}
			b.LinesAfter, b.Edits = nil, nil
		}
	}
}

// refuse refuses the blocks for which fits returns true, with the reason in err.
func (p *Plan) refuse(err error, fits func(*BlockReport) bool) {
	for i := range p.Blocks {
		if b := &p.Blocks[i]; fits(b) {
			b.LinesAfter, b.Edits = nil, nil
			b.Status, b.Reason = BlockFailed, reasonOf(err, NotWritable)
			b.Message = strings.ReplaceAll(err.Error(), "\n", "; ")
			b.cause = err
		}
	}
}
