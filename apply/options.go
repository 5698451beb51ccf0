package apply

import "github.com/srpatch/srpatch/strategy"

// Policy says how much tolerance a run allows.
type Policy string

const (
	// Strict takes exact text only; line ends and a missing final newline are forgiven.
	Strict Policy = "strict"
	// Safe takes what can be proved: exact, else one named normalisation, else similarity that
	// nothing speaks against. The default.
	Safe Policy = "safe"
	// Loose takes what Safe takes, and else follows the reference cascade, in its order and with
	// its thresholds. With Verbatim it is that cascade and nothing else.
	Loose Policy = "loose"
)

// Splice says how REPLACE becomes the new text.
type Splice string

const (
	// ThreeWay keeps the file's own bytes on every line that SEARCH and REPLACE share. The default.
	ThreeWay Splice = "three-way"
	// Verbatim pastes REPLACE over the matched span.
	Verbatim Splice = "verbatim"
)

// Options are the choices of a run. The zero value is policy safe, three-way splice, all or
// nothing.
type Options struct {
	Policy Policy
	Splice Splice
	// Threshold is the similarity, 0 to 1, the fallback needs; 0 means the policy's own. Under Safe
	// it can only raise.
	Threshold float64
	// Strategies are those of the cascade, in their order; nil means [strategy.Strategies]. Behind
	// those that accept a place only if it equals SEARCH but for blanks, see
	// [strategy.ToleranceOf], come the others, and the Levenshtein fallback. Without one that
	// proposes exact places there are none. What they propose is checked against SEARCH line by
	// line, under strict and safe, but their own work is bounded by nothing. The reference mode has
	// the nine, whatever is given here.
	Strategies []strategy.Strategy
	// Budget bounds the work of the similarity tier for one block, in units that depend on the
	// texts alone, so that the same input always has the same outcome; 0 means DefaultBudget. A
	// block whose search it ends is refused with the reason "budget".
	Budget int64
	// RunBudget bounds that work for all blocks of a plan together; 0 means DefaultRunBudget, or
	// eight times Budget if that is more. Each block that needs it may take an equal share of what
	// those before it have left. Looking through whole files may take half as much besides, and so
	// may what reports show: nearest texts and corrected blocks.
	RunBudget int64
	// Limits bound what the plan takes in memory.
	Limits Limits
	// ExactBytes takes a place only if SEARCH occurs there byte for byte, its line ends included;
	// it goes before Policy, whatever that is. A block that was applied already is not found then.
	ExactBytes bool
	// ExactNames binds a block to the file of the tree whose path it gives, and to no other.
	// Without it a name may be the end of a path, have the a/ or b/ of a diff before it, or be
	// found in the text around the block.
	ExactNames bool
	// Partial applies the blocks that could be placed although others could not.
	Partial bool
	// AppendEmpty makes an empty SEARCH on a non-empty file an append.
	AppendEmpty bool
	// AllowPlaceholders lets REPLACE hold an unpaired elision such as "// ... rest of code".
	AllowPlaceholders bool
	// Encoding is that of files which are not valid UTF-8, by its name: "latin1", "windows-1252",
	// "gbk", "shift_jis". "utf-8" says that such files are UTF-8 with bytes in them that are not;
	// "" that nothing is known. [Engine.Plan] fails if there is no such encoding.
	Encoding string
	// File overrides every block's path.
	File string
	// Single says that the tree is this one file, present or not: blocks without a name belong to
	// it, and a name that does not bind to it is no-such-file.
	Single string
	// Strip removes this many leading segments from every path as the reply writes it, as patch -pN
	// does. 0 and less remove nothing but the a/ and b/ of a diff, where the file is not there with
	// it.
	Strip int
	// Prefix is the path of the tree in the repository that it is a directory of, with a slash at
	// the end, as git rev-parse --show-prefix prints it: replies may name files from the top of the
	// repository. "" if the tree is no such directory.
	Prefix string
	// Root is the absolute path of the tree, for replies that write absolute names; "" if there is
	// none.
	Root string
	// Veto, unless nil, is asked about each placement that the rules and the policy take, and
	// refuses the block by an error: its reason is that of a [ReasonError], or else "vetoed". No
	// other place is looked for then. It is asked about corrected blocks before they are offered,
	// too, and must always say the same of the same.
	Veto func(*Placement) error
	// Progress, unless nil, is called often while a plan is made, with how many of its steps are
	// done.
	Progress func(done, total int)

	// proof says that the run only proves a corrected block, and need not offer others.
	proof bool
}

// DefaultBudget is some tenths of a second of work.
const DefaultBudget = 20_000_000

// DefaultRunBudget is at most some 5 seconds of work. What is found exactly is no part of that.
const DefaultRunBudget = 8 * DefaultBudget

// reference reports whether blocks are applied as the reference cascade does.
func (o *Options) reference() bool { return o.Policy == Loose && o.Splice == Verbatim }
