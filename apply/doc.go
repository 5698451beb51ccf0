// Package apply is the engine: it turns blocks and files into a plan.
//
// An [Engine] reads the files that a reply's blocks name from a [Tree], finds the place for each
// block, and returns a [Plan]. The plan has a [BlockReport] for each block, and a [FileChange] for
// each file that changes. Nothing is written.
//
//	plan, err := apply.New(tree, apply.Options{}).Plan(ctx, parser.Parse(text))
//
// If the tree is a workspace, Commit writes all files of the plan or none, and Undo reverts them.
//
// # Where to find what
//
//   - Trees: [Files] is a tree in memory. Package
//     [github.com/srpatch/srpatch/apply/workspace] is a directory that plans are written to.
//   - What to do with a plan: [Plan.Diff] and [Plan.Err]. [FileChange.Edits] are byte ranges,
//     [FileChange.TextEdits] positions for an editor.
//   - Refused edits: package [github.com/srpatch/srpatch/apply/retry] writes the message for the
//     model and joins its answer.
//   - Rules of your own: [Options.Veto] refuses placements, [Options.Strategies] proposes places.
//
// The program in examples/agent does all of this in about a hundred lines. To read the code, start
// with engine.go, then cascade.go.
//
// # Promises
//
// Under the policies [Strict] and [Safe], a place is accepted only if no other place fits equally
// well. A block whose place can't be proved is refused with a [Reason] and, if possible, a
// corrected block. Lines that a block keeps stay as they are in the file, byte for byte. A block
// that was applied before changes nothing. [Loose] and [Verbatim] weaken some of these promises.
//
// Lines in reports are 1-based and inclusive. Offsets in plans are in bytes, end exclusive. A plan
// may share memory with the reply and the tree, so don't modify the bytes of any of them while the
// others are in use. A plan depends only on the reply, the tree and the options. The work for one
// block is bounded by [Options.Budget] and by the size of its file.
package apply
