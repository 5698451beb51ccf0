package apply

import "github.com/srpatch/srpatch/strategy"

// Policy says how much a place may differ from SEARCH.
type Policy string

const (
	// Strict accepts only exact text, except that line ends may differ and a final newline may be
	// missing.
	Strict Policy = "strict"
	// Safe accepts matches that can be proved: an exact match, a match after a single named
	// normalization, or a similar place without an objection. It's the default.
	Safe Policy = "safe"
	// Loose accepts everything that Safe accepts. If Safe finds nothing, it follows the reference
	// cascade, in the same order and with the same thresholds. With Verbatim it follows only that
	// cascade.
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
	// Threshold is the similarity, 0 to 1, that the fallback requires. 0 means the policy's
	// default. Under Safe it can only be raised.
	Threshold float64
	// Strategies replace the strategies of the cascade, in order. Nil means [strategy.Strategies].
	// The strategies that ignore nothing but blanks (see [strategy.ToleranceOf]) are tried first,
	// followed by the others and the Levenshtein fallback. If none of them proposes exact places,
	// there are no exact matches. Under strict and safe, proposals are checked against SEARCH line
	// by line, but nothing bounds the work of the strategies themselves. The reference mode always
	// uses the nine built-in strategies.
	Strategies []strategy.Strategy
	// Budget bounds the work of searching for similar places, per block. The units depend only on
	// the texts, so the same input always gives the same result. 0 means DefaultBudget. A block
	// whose search runs out of budget is refused with the reason "budget".
	Budget int64
	// RunBudget bounds the work of searching for similar places for all blocks of a plan together.
	// 0 means DefaultRunBudget, or eight times Budget if that is more. Each block that needs it may
	// use an equal share of what is left. Reading whole files may cost another half of RunBudget,
	// and so may finding nearest texts and making corrected blocks for reports.
	RunBudget int64
	// Limits bound the memory of the plan.
	Limits Limits
	// ExactBytes accepts a place only if SEARCH occurs there byte for byte, including line ends,
	// regardless of the policy. A block that was applied before isn't recognized in this mode.
	ExactBytes bool
	// ExactNames requires a block to give the exact path of its file. Otherwise, a name may be the
	// end of a path, may begin with the a/ or b/ of a diff, or may be found in the text around the
	// block.
	ExactNames bool
	// Partial applies the blocks that can be placed even if others can't.
	Partial bool
	// AppendEmpty makes a block with an empty SEARCH append to a file that isn't empty.
	AppendEmpty bool
	// AllowPlaceholders lets REPLACE contain a remark such as "// ... rest of code" that stands for
	// omitted lines.
	AllowPlaceholders bool
	// Encoding is the name of the encoding of files that aren't valid UTF-8, such as "latin1",
	// "windows-1252", "gbk" or "shift_jis". "utf-8" means UTF-8 with some invalid bytes, and ""
	// means that the encoding is unknown. [Engine.Plan] fails if there's no such encoding.
	Encoding string
	// File is the path of the file that all blocks apply to, whatever names they give.
	File string
	// Single says that the tree consists of this one file, whether it exists or not. Blocks that
	// name no file apply to it. A block that names another file is refused with the reason
	// "no-such-file".
	Single string
	// Strip removes this many leading segments from every path in the reply, as patch -pN does. If
	// it's 0 or less, only the a/ and b/ of a diff are removed, and only if the file doesn't exist
	// with them.
	Strip int
	// Prefix is the path of the tree within its repository, with a trailing slash, as git rev-parse
	// --show-prefix prints it. If it's set, replies may give paths from the top of the repository.
	// It's "" if the tree is at the top or not in a repository.
	Prefix string
	// Root is the absolute path of the tree, for replies that give absolute paths, or "" if there
	// is none.
	Root string
	// Veto, unless nil, is called for each placement that would be accepted, and refuses the block
	// by returning an error. The reason is that of a [ReasonError], or "vetoed" for any other
	// error. The block isn't tried at another place. Veto is also called for corrected blocks
	// before they are offered. It must always give the same answer for the same placement.
	Veto func(*Placement) error

	// proof is set if the run only proves a corrected block and needn't offer others.
	proof bool
}

// DefaultBudget is the default of Options.Budget: a few tenths of a second of work.
const DefaultBudget = 20_000_000

// DefaultRunBudget is the default of Options.RunBudget: at most about 5 seconds of work. Finding
// exact matches doesn't count.
const DefaultRunBudget = 8 * DefaultBudget

// reference reports whether blocks are applied exactly as the reference cascade does.
func (o *Options) reference() bool { return o.Policy == Loose && o.Splice == Verbatim }
