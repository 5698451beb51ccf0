package apply

import "strings"

// Checker is a [Tree] that knows what may be written to it. A plan is refused where its changes
// could not be made, so that one that is only looked at ends as the one that is written.
type Checker interface {
	// CheckPlan reports what speaks against the plan as a whole. No change is made then.
	CheckPlan(plan *Plan) error
	// CanWrite reports what speaks against one change, as long as its file is what the plan was
	// made from. The blocks of this change are refused then.
	CanWrite(change *FileChange) error
}

// check asks the tree whether p could be written, and refuses what could not.
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
				b.Status = BlockReady
			}
			b.LinesAfter, b.Edits = nil, nil
		}
	}
}

// refuse refuses the blocks that fits is true of, for the reason that err carries.
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
