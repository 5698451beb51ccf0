// Package apply is the engine: it turns blocks and files into a plan.
//
// An [Engine] reads the files that a reply's blocks name from a [Tree], finds the place that each
// block means, and returns a [Plan]: a [BlockReport] for each block, and a [FileChange] for each
// file that becomes another one. Nothing is written.
//
//	plan, err := apply.New(tree, apply.Options{}).Plan(ctx, parser.Parse(text))
//
// If the tree is a workspace, its Commit writes the plan, all files or none, and its Undo takes it
// back.
//
// # Where to find what
//
//   - The files: [Files] is a tree in memory, package [github.com/srpatch/srpatch/apply/workspace] a directory that
//     takes plans as a whole, and takes them back.
//   - What to do with a plan: [Plan.Diff] and [Plan.Err]; [FileChange.Edits] are byte ranges, [FileChange.TextEdits]
//     positions for an editor.
//   - When edits were refused: package [github.com/srpatch/srpatch/apply/retry] writes the message
//     for the model and joins its answer.
//   - Rules of one's own: [Options.Veto] refuses placements, [Options.Strategies] proposes other places.
//
// The program in examples/agent does all of it in some hundred lines.
//
// # What holds
//
// Under the policies [Strict] and [Safe] a place is taken only if no other one fits as well; what
// cannot be proved is refused, with a [Reason] and, where it can be known, the block as it would
// have to be. Lines that a block keeps stay the file's bytes, and a block that was applied before
// changes nothing. [Loose] and [Verbatim] give up some of this.
//
// Lines in reports are 1-based and inclusive, offsets in plans are in bytes with their ends
// exclusive. The texts in a plan may be those of the reply and of the tree: none of them is to be
// changed while another is in use. A plan depends on reply, tree and options alone, and the work
// for one block is bounded by [Options.Budget] and by the size of its file.
package apply
