package apply

import "github.com/srpatch/srpatch/strategy"

// Policy says how much a place may differ from SEARCH.
type Policy string

const (
	// Strict accepts exact text only. Different line ends and a missing final newline are allowed.
	Strict Policy = "strict"
	// Safe accepts what can be proved: an exact match, or one after a single named normalization,
	// or a similar place with no objection. It's the default.
	Safe Policy = "safe"
	// Loose accepts what Safe accepts, and otherwise follows the reference cascade, in its order
	// and with its thresholds. With Verbatim it is that cascade and nothing else.
	Loose Policy = "loose"
)

// Splice says how REPLACE becomes the new text.
type Splice string

const (
	// ThreeWay keeps the file's own bytes on every line that SEARCH and REPLACE share. It's the
	// default.
	ThreeWay Splice = "three-way"
	// Verbatim writes REPLACE over the matched lines.
	Verbatim Splice = "verbatim"
)

// Options are the settings of a run. With the zero value, the policy is safe, the splice three-way,
// and a reply is applied as a whole or not at all.
type Options struct {
	Policy Policy
	Splice Splice
	// Threshold is the similarity, 0 to 1, that the fallback needs. 0 means the policy's own. Under
	// Safe it can only be raised.
	Threshold float64
	// Strategies replace those of the cascade, in order. Nil means [strategy.Strategies]. Those
	// that ignore nothing but blanks (see [strategy.ToleranceOf]) are tried first, then the others
	// and the Levenshtein fallback. If none of them proposes exact places, there are no exact
	// matches. Under strict and safe, proposals are checked against SEARCH line by line, but
	// nothing bounds the work of the strategies themselves. The reference mode always uses the
	// nine.
	Strategies []strategy.Strategy
	// Budget bounds the work of searching for similar places, per block. Its units depend on the
	// texts alone, so the same input always has the same result. 0 means DefaultBudget. A block
	// whose search runs out of budget is refused with the reason "budget".
	Budget int64
	// RunBudget bounds that work for all blocks of a plan together. 0 means DefaultRunBudget, or
	// eight times Budget if that is more. Each block that needs it may use an equal share of what
	// is left. Reading whole files may cost half as much on top, and so may nearest texts and
	// corrected blocks for reports.
	RunBudget int64
	// Limits bound the memory of the plan.
	Limits Limits
	// ExactBytes accepts a place only if SEARCH occurs there byte for byte, including line ends,
	// whatever the policy. Then a block that was applied before isn't recognized.
	ExactBytes bool
	// ExactNames binds a block to the file with exactly the path that it gives. Without it, a name
	// may be the end of a path, may begin with the a/ or b/ of a diff, or may be found in the text
	// around the block.
	ExactNames bool
	// Partial applies the blocks that can be placed even if others can't.
	Partial bool
	// AppendEmpty makes a block with an empty SEARCH append to a file that isn't empty.
	AppendEmpty bool
	// AllowPlaceholders lets REPLACE contain a remark such as "// ... rest of code" that stands for
	// omitted lines.
	AllowPlaceholders bool
	// Encoding is the encoding of files that aren't valid UTF-8, by name: "latin1", "windows-1252",
	// "gbk", "shift_jis". "utf-8" means UTF-8 with some invalid bytes, and "" that the encoding is
	// unknown. [Engine.Plan] fails if there's no such encoding.
	Encoding string
	// File is the path for all blocks, whatever they name.
	File string
	// Single says that the tree is this one file, whether it exists or not. Blocks without a name
	// are for it. A block that names another file is refused as no-such-file.
	Single string
	// Strip removes this many leading segments from every path in the reply, as patch -pN does. If
	// it's 0 or less, only the a/ and b/ of a diff are removed, and only if the file doesn't exist
	// with them.
	Strip int
	// Prefix is the path of the tree within its repository, with a slash at the end, as git
	// rev-parse --show-prefix prints it. Then replies may name files from the top of the
	// repository. "" if the tree is the top, or in no repository.
	Prefix string
	// Root is the absolute path of the tree, for replies with absolute names; "" if it has none.
	Root string
	// Veto, unless nil, is called for each placement that would be accepted, and refuses the block
	// by returning an error. The reason is that of a [ReasonError], or else "vetoed". The block
	// isn't tried elsewhere then. Veto is also called for corrected blocks before they are offered.
	// It must always give the same answer for the same placement.
	Veto func(*Placement) error
	// Progress, unless nil, is called often while a plan is made, with the number of steps done and
	// their total.
	Progress func(done, total int)

	// proof is set if the run only proves a corrected block, and needn't offer others.
	proof bool
}

// DefaultBudget is a few tenths of a second of work.
const DefaultBudget = 20_000_000

// DefaultRunBudget is at most about 5 seconds of work. Finding exact matches doesn't count.
const DefaultRunBudget = 8 * DefaultBudget

// reference reports whether blocks are applied exactly as the reference cascade does.
func (o *Options) reference() bool { return o.Policy == Loose && o.Splice == Verbatim }
