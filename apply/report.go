package apply

import (
	"github.com/srpatch/srpatch/internal/unified"
	"github.com/srpatch/srpatch/parser"
)

// Status is the outcome of a run.
type Status string

const (
	// Applied: every block is applied, already applied or a no-op.
	Applied Status = "applied"
	// Partial: some blocks are, on request.
	Partial Status = "partial"
	// Refused: nothing was changed.
	Refused Status = "refused"
)

// BlockStatus is the outcome of one block.
type BlockStatus string

const (
	// BlockApplied: its change is in the plan's files.
	BlockApplied BlockStatus = "applied"
	// BlockReady: placed, but not written, because another block failed or the run only looks.
	BlockReady BlockStatus = "ready"
	// BlockAlready: its result is in the file already.
	BlockAlready BlockStatus = "already-applied"
	// BlockNoOp: SEARCH and REPLACE are the same.
	BlockNoOp BlockStatus = "no-op"
	// BlockFailed: refused, for the report's Reason.
	BlockFailed BlockStatus = "failed"
)

// Reason is the stable code of a refusal. It is an error as well, for [errors.Is].
type Reason string

// Error is the code.
func (r Reason) Error() string { return string(r) }

// Reasons that the engine gives.
const (
	// NotFound: SEARCH does not occur in the file.
	NotFound Reason = "not-found"
	// Ambiguous: SEARCH fits several places, or the block divides in several ways, and nothing
	// shows which is meant.
	Ambiguous Reason = "ambiguous"
	// NoSuchFile: the file that the block names does not exist, nor does one that it may mean.
	NoSuchFile Reason = "no-such-file"
	// NoName: the block names no file.
	NoName Reason = "no-name"
	// Exists: the file to create, or the new name of a moved file, already exists.
	Exists Reason = "exists"
	// Placeholder: REPLACE leaves lines out.
	Placeholder Reason = "placeholder"
	// Indentation: nothing shows how deep to indent REPLACE in the file.
	Indentation Reason = "indentation"
	// Overlap: another block changes the same lines.
	Overlap Reason = "overlap"
	// OutsideRoot: the path leads out of the tree.
	OutsideRoot Reason = "outside-root"
	// Encoding: the file's encoding cannot hold what the block adds, or is unknown.
	Encoding Reason = "encoding"
	// Budget: the search took more work than [Options.Budget] allows.
	Budget Reason = "budget"
	// Vetoed: the program that runs the engine objects, see [Options.Veto].
	Vetoed Reason = "vetoed"
)

// Reasons about the file itself. A [Tree] gives them as a [ReasonError], and may give others.
const (
	// Binary: the file is not text, or would no longer be.
	Binary Reason = "binary"
	// NotRegular: a directory or a device, or a link that leads nowhere.
	NotRegular Reason = "not-regular"
	// TooLarge: the file is larger than the limit, or would be.
	TooLarge Reason = "too-large"
	// Unreadable: the file exists but cannot be read.
	Unreadable Reason = "unreadable"
	// Stale: the file has changed since it was read, or is not what the block or the caller
	// expects.
	Stale Reason = "stale"
	// NotWritable: the file cannot be written, or not without force.
	NotWritable Reason = "not-writable"
	// Denied: the rules of the tree forbid changing the file.
	Denied Reason = "denied"
)

// BlockReport says what became of one block. Lines are 1-based and inclusive, in the file as it was
// before the run, or, for a block that was placed on what earlier blocks wrote (a warning says so),
// as they left it.
type BlockReport struct {
	// ID is the block's number in the reply, from 1.
	ID int `json:"id"`
	// Path is the file, slash-separated and relative to the root; where there is none, what the
	// block names, perhaps "".
	Path   string      `json:"path"`
	Status BlockStatus `json:"status"`
	// Strategy is what found the place; "" where none was looked for, as for a new file.
	Strategy string `json:"strategy,omitempty"`
	// Score is the similarity of the placement, 0 to 1; for a refusal that of the nearest text, and
	// 0 where nothing was compared.
	Score float64 `json:"score"`
	// Lines are the first and last line of the place, nil where there is none.
	Lines *[2]int `json:"lines,omitempty"`
	// LinesAfter are the same lines, and those that the block adds, in the file as it is after the
	// run, and Edits what the block changes in it. They are nil where nothing is changed, in a
	// refused plan, for a file that is new or gone, and where a block of the file was placed on
	// what earlier ones wrote.
	LinesAfter *[2]int `json:"lines_after,omitempty"`
	Edits      []Range `json:"edits,omitempty"`
	// Warnings are sentences, each after its code and ": "; docs/codes.md lists the codes.
	Warnings []string `json:"warnings"`
	// Forgiven are the tolerances that the place needed, such as "indentation", and the habits that
	// were undone, such as "html-entities"; none if SEARCH matches exactly. docs/wire.md lists all
	// of them.
	Forgiven []string `json:"forgiven,omitempty"`

	// The rest is set for failed blocks only. Message says in one sentence what is wrong and what
	// to do.
	Reason  Reason `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// Tried are the names of the stages that were asked, in their order.
	Tried []string `json:"tried,omitempty"`
	// Needed is the similarity that a place needs, 0 to 1; 0 where similarity was not asked for.
	Needed float64 `json:"needed,omitempty"`
	// Searched are the first and last line of the file that was searched.
	Searched *[2]int `json:"searched,omitempty"`
	// Candidates are the first lines of places that fit, ascending, or their last ones where an
	// elision makes the difference; at most 20 of them.
	Candidates []int `json:"candidates,omitempty"`
	// Nearest is nil where nothing in the file resembles SEARCH.
	Nearest *Nearest `json:"nearest,omitempty"`
	// Objection is what speaks against that place, where it was judged.
	Objection *Objection `json:"objection,omitempty"`
	// Corrected holds whole blocks, ready to paste: one for each of the first places that it may be
	// meant for.
	Corrected []string `json:"corrected,omitempty"`

	// Block is the block itself, for whoever prints the report.
	Block *parser.Block `json:"-"`
	// Appended: the text of an empty SEARCH went to the end of a file that was there, or that an
	// earlier block made.
	Appended bool `json:"-"`

	// cause is the error of a tree or a veto that the block was refused for, see [Plan.Err]; nil
	// for none.
	cause error
}

// Range is a region of a file that a block changes, in bytes from 0, end exclusive: what it was,
// and what it is after the run.
type Range struct {
	Before [2]int `json:"before"`
	After  [2]int `json:"after"`
}

// Nearest is the text of the file that resembles SEARCH most.
type Nearest struct {
	// Lines are 1-based and inclusive.
	Lines [2]int `json:"lines"`
	Text  string `json:"text"`
	// Before and After are a few lines on either side of it.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Score is the similarity, 0 to 1.
	Score float64 `json:"score"`
	// Approximate says that other text may resemble it more: not all of the file was compared.
	Approximate bool `json:"approximate"`
}

// Action says what a plan does to a file.
type Action string

const (
	Modify Action = "modify"
	Create Action = "create"
	Delete Action = "delete"
	// Move puts a file, changed or not, under another name.
	Move Action = "move"
)

// FileChange is what a plan does to one file.
type FileChange struct {
	// Path is slash-separated and relative to the root; of a moved file it is the new one.
	Path string
	// From is the old path of a moved file; "" for others.
	From   string
	Action Action
	// Before is nil for a created file, After for a deleted one.
	Before, After []byte
	// spans are the regions of Before that differ from After, in order and disjoint. They are nil
	// if blocks were placed on what earlier ones wrote.
	spans []unified.Span
}

// Plan is what a run would do: all placements and splices, nothing written yet.
type Plan struct {
	Status Status
	// Blocks has a report for each block, in the order of the reply.
	Blocks []BlockReport
	// Files are the files that become others, by their first mention in the reply; none in a
	// refused plan. With [Options.Partial] one block that is refused does not refuse the plan, so
	// that there is something to look at.
	Files []FileChange
	// Diagnostics are the reply's, some with a better remedy. One is enough for the plan to be
	// refused, or partial on request.
	Diagnostics []parser.Diagnostic
	// Work is what it took to look for similar places and nearest texts, in the units of
	// [Options.Budget]. It depends on reply, tree and options alone.
	Work int64
}
