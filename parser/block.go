package parser

import (
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
)

// Op is the operation that a block requests.
type Op = envelope.Op

// The operations.
const (
	// OpEdit replaces the lines (or the text) in SEARCH.
	OpEdit = envelope.OpEdit
	// OpCreate makes a file, or fills an empty one: SEARCH is empty.
	OpCreate = envelope.OpCreate
	// OpWrite makes a file or replaces all of its text: REPLACE is the whole file.
	OpWrite = envelope.OpWrite
	// OpAppend adds lines at the end of a file.
	OpAppend = envelope.OpAppend
	// OpInsert puts REPLACE after line StartLine (0: before the first line); SEARCH is empty.
	OpInsert = envelope.OpInsert
	// OpDelete removes a file.
	OpDelete = envelope.OpDelete
	// OpMove renames Path to NewPath. SEARCH and REPLACE may be empty, or an edit to make as well.
	OpMove = envelope.OpMove
)

// Block is one SEARCH/REPLACE pair as written in the reply. Nothing in it was looked up in a tree.
type Block = envelope.Block

// Name is a file name that a block may be meant for.
type Name = filename.Name

// Reading is one way to split a block's body into SEARCH and REPLACE. Both are slices of the body,
// not copies, unless escapes were removed.
type Reading = envelope.Reading

// maxReadings is the maximum number of ways to split a block. A block with more is malformed.
const maxReadings = 64

// Shell is a block of shell commands found in the reply. It is reported and never run.
type Shell struct {
	// Lines are the first and last line in the reply, 1-based and inclusive, fences included.
	Lines [2]int `json:"lines"`
	Text  string `json:"text"`
}

// Diagnostic reports a part of the reply that looks like an attempted edit but was not understood.
type Diagnostic = envelope.Diagnostic

// Attempt describes a block that was not understood. A [Diagnostic] with the same Code and Line
// accompanies it.
type Attempt struct {
	Code string
	// Line is the diagnostic's line, 1-based.
	Line int
	// Lines are the first and last line of the attempt, 1-based and inclusive.
	Lines [2]int
	// Path, Names and Inherited say which file the attempt is for, as in [Block].
	Path      string
	Names     []Name
	Inherited bool
}

// Reply is the parsed answer of a model. Every line of it belongs to a block, a name, a shell
// block, prose or a diagnostic.
type Reply struct {
	Blocks      []Block
	Shell       []Shell
	Diagnostics []Diagnostic
	Attempts    []Attempt
	// Noticed lists text that may be meant as an edit but may also only show something.
	Noticed []Noticed
}
