package apply

import (
	"fmt"

	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/unified"
	"github.com/srpatch/srpatch/parser"
)

// Status is the outcome of a run.
type Status string

const (
	// Applied: every block is applied, was already applied, or is a no-op.
	Applied Status = "applied"
	// Partial: some blocks are applied and others are refused, which the caller allowed.
	Partial Status = "partial"
	// Refused: nothing was changed.
	Refused Status = "refused"
)

// BlockStatus is the outcome of one block.
type BlockStatus string

const (
	// BlockApplied: its change is in the plan's files.
	BlockApplied BlockStatus = "applied"
	// BlockReady: placed but not written, because another block failed or the run writes nothing.
	BlockReady BlockStatus = "ready"
	// BlockAlready: the file already has its result.
	BlockAlready BlockStatus = "already-applied"
	// BlockNoOp: SEARCH and REPLACE are the same.
	BlockNoOp BlockStatus = "no-op"
	// BlockFailed: refused for the reason in the report.
	BlockFailed BlockStatus = "failed"
)

// Reason is the stable code of a refusal. It is also an error, for use with [errors.Is].
type Reason string

// Error returns the code.
func (r Reason) Error() string { return string(r) }

// Reasons that the engine gives.
const (
	// NotFound: SEARCH does not occur in the file.
	NotFound Reason = "not-found"
	// Ambiguous: SEARCH fits several places, or the block can be divided in several ways.
	Ambiguous Reason = "ambiguous"
	// NoSuchFile: the file that the block names does not exist, and no other file is clearly meant.
	NoSuchFile Reason = "no-such-file"
	// NoName: the block names no file.
	NoName Reason = "no-name"
	// Exists: a file with the new name already exists.
	Exists Reason = "exists"
	// Placeholder: REPLACE has a placeholder where it should have lines.
	Placeholder Reason = "placeholder"
	// Indentation: nothing shows how deep to indent REPLACE.
	Indentation Reason = "indentation"
	// Overlap: another block changes the same lines.
	Overlap Reason = "overlap"
	// OutsideRoot: the path leads outside the tree.
	OutsideRoot Reason = "outside-root"
	// Encoding: the file's encoding is unknown, or cannot represent what the block adds.
	Encoding Reason = "encoding"
	// Budget: the search took more work than [Options.Budget] allows.
	Budget Reason = "budget"
	// Vetoed: the calling program rejected the change; see [Options.Veto].
	Vetoed Reason = "vetoed"
)

// Reasons about the file itself. A [Tree] returns them in a [ReasonError], and may use others.
const (
	// Binary: the file is not text, or would not be text afterwards.
	Binary Reason = "binary"
	// NotRegular: the path names a directory, a device or a broken link.
	NotRegular Reason = "not-regular"
	// TooLarge: the file is larger than the limit, or would be afterwards.
	TooLarge Reason = "too-large"
	// Unreadable: the file exists but cannot be read.
	Unreadable Reason = "unreadable"
	// Stale: the file has changed since it was read, or differs from what the block or the caller
	// expects.
	Stale Reason = "stale"
	// NotWritable: the file is read-only or cannot be written.
	NotWritable Reason = "not-writable"
	// Denied: a guard or a built-in rule forbids changing the file.
	Denied Reason = "denied"
)

// BlockReport is the result of one block. Lines are 1-based and inclusive, and refer to the file
// before the run. If the block was placed in text that earlier blocks wrote (a warning says so),
// they refer to the file as those blocks leave it.
type BlockReport struct {
	// ID is the block's number in the reply, from 1.
	ID int `json:"id"`
	// Path is the path of the file, slash-separated and relative to the root. If no file was found,
	// it's the name that the block gives, or "".
	Path   string      `json:"path"`
	Status BlockStatus `json:"status"`
	// Strategy is the stage that found the place, or "" if none was needed, for example for a new
	// file.
	Strategy string `json:"strategy,omitempty"`
	// Score is the similarity of the placement, 0 to 1. For a refusal it's the similarity of the
	// nearest text, or 0 if nothing was compared.
	Score float64 `json:"score"`
	// Lines are the first and last line of the place, or nil if there is none.
	Lines *[2]int `json:"lines,omitempty"`
	// LinesAfter are the same lines after the run, including the lines that the block adds. Edits
	// are the block's changes. Both are nil if nothing is changed, if the plan is refused, if the
	// file is new or deleted, or if a block was placed in text that an earlier block wrote.
	LinesAfter *[2]int `json:"lines_after,omitempty"`
	Edits      []Range `json:"edits,omitempty"`
	// Warnings are sentences, each preceded by its code and ": ". docs/codes.md lists the codes.
	Warnings []string `json:"warnings"`
	// Forgiven are the tolerances that the place needed, such as "indentation", and the habits that
	// were undone, such as "html-entities". It's empty if SEARCH matches exactly. docs/wire.md
	// lists them.
	Forgiven []string `json:"forgiven,omitempty"`

	// The remaining fields are set only for failed blocks. Message says in one sentence what's
	// wrong and what to do.
	Reason  Reason `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// Tried are the names of the stages that were tried, in order.
	Tried []string `json:"tried,omitempty"`
	// Needed is the similarity that a place needs, 0 to 1, or 0 if similarity wasn't used.
	Needed float64 `json:"needed,omitempty"`
	// Searched are the first and last line of the part of the file that was searched.
	Searched *[2]int `json:"searched,omitempty"`
	// Candidates are the first lines of the places that fit, in ascending order, at most 20. If the
	// places differ in how far an elision reaches, Candidates are their last lines.
	Candidates []int `json:"candidates,omitempty"`
	// Nearest is nil if nothing in the file resembles SEARCH.
	Nearest *Nearest `json:"nearest,omitempty"`
	// Objection is the reason against the nearest place, if that place was judged.
	Objection *Objection `json:"objection,omitempty"`
	// Corrected holds complete blocks, ready to paste: one for each of the first places that may be
	// meant.
	Corrected []string `json:"corrected,omitempty"`

	// Block is the block itself, for use in printing the report.
	Block *parser.Block `json:"-"`
	// Appended is set if a block with an empty SEARCH added its text to the end of a file that
	// existed or that an earlier block created.
	Appended bool `json:"-"`

	// cause is the error of the tree or the veto that caused the refusal; see [Plan.Err].
	cause error
}

// Range is a region that a block changes, as 0-based byte offsets, end exclusive, in the file
// before and after the run.
type Range struct {
	Before [2]int `json:"before"`
	After  [2]int `json:"after"`
}

// Nearest is the text of the file that resembles SEARCH most.
type Nearest struct {
	// Lines are 1-based and inclusive.
	Lines [2]int `json:"lines"`
	Text  string `json:"text"`
	// Before and After are a few lines above and below the text.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Score is the similarity, 0 to 1.
	Score float64 `json:"score"`
	// Approximate is set if not all of the file was compared, so that other text may resemble
	// SEARCH more.
	Approximate bool `json:"approximate"`
	// Changed is set if the text is that of the file with the earlier blocks of the reply applied.
	Changed bool `json:"-"`
}

// Action says what a plan does to a file.
type Action string

const (
	Modify Action = "modify"
	Create Action = "create"
	Delete Action = "delete"
	// Move renames a file. Its text may change as well.
	Move Action = "move"
)

// FileChange is the change that a plan makes to one file.
type FileChange struct {
	// Path is the file's path, slash-separated and relative to the root. For a moved file it's the
	// new path.
	Path string
	// From is the old path of a moved file, or "".
	From   string
	Action Action
	// Before is the old text, nil for a created file. After is the new text, nil for a deleted
	// file.
	Before, After []byte
	// spans are the regions of Before that differ from After, in order and without overlaps. They
	// are nil if a block was placed in text that an earlier block wrote.
	spans []unified.Span
}

// Plan holds the changes that a run would make. Nothing is written yet.
type Plan struct {
	Status Status
	// Blocks has a report for each block, in the order of the reply.
	Blocks []BlockReport
	// Files are the files that change, in the order in which the reply mentions them. A refused
	// plan has none. With [Options.Partial], one refused block doesn't refuse the whole plan, so
	// Files still lists the other changes.
	Files []FileChange
	// Diagnostics are the diagnostics of the reply, some with a better remedy. Any diagnostic
	// refuses the plan or, with [Options.Partial], makes it partial.
	Diagnostics []parser.Diagnostic
	// Work is the cost of searching for similar places and nearest texts, in the units of
	// [Options.Budget]. It depends only on the reply, the tree and the options.
	Work int64
}

// Objection is the reason against the place that resembles SEARCH most.
type Objection struct {
	Code ObjectionCode `json:"code"`
	// Search is the line of SEARCH that the objection is about, and File the line of the file. Both
	// are 1-based, or 0 if there is none.
	Search int `json:"search,omitempty"`
	File   int `json:"file,omitempty"`
}

// ObjectionCode is the stable name of an objection, such as "line-differs". docs/codes.md lists
// them all, and [Objection.String] puts one into a sentence.
type ObjectionCode string

// String describes the objection, including the lines that it's about.
func (o *Objection) String() string {
	says := verdict.Code(o.Code).Sentence()
	switch {
	case o.Search > 0 && o.File > 0:
		return fmt.Sprintf("%s (line %d of SEARCH, line %d of the file)", says, o.Search, o.File)
	case o.Search > 0:
		return fmt.Sprintf("%s (line %d of SEARCH)", says, o.Search)
	case o.File > 0:
		return fmt.Sprintf("%s (line %d of the file)", says, o.File)
	}
	return says
}
