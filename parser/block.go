package parser

import (
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// Op says what a block asks for.
type Op = envelope.Op

// The operations.
const (
	// OpEdit replaces the lines (or the text) that SEARCH names.
	OpEdit = envelope.OpEdit
	// OpCreate makes a file, or fills an empty one: SEARCH is empty.
	OpCreate = envelope.OpCreate
	// OpWrite makes a file, or gives all of its text anew: REPLACE is the whole file.
	OpWrite = envelope.OpWrite
	// OpAppend adds lines at the end of a file.
	OpAppend = envelope.OpAppend
	// OpInsert puts REPLACE after line StartLine (0: before the first line); SEARCH is empty.
	OpInsert = envelope.OpInsert
	// OpDelete removes a file.
	OpDelete = envelope.OpDelete
	// OpMove renames Path to NewPath; SEARCH and REPLACE may be empty or an edit to do on the way.
	OpMove = envelope.OpMove
)

// Block is one SEARCH/REPLACE pair as the reply states it: nothing here was looked up in a tree.
type Block = envelope.Block

// Name is a file name that a block may be meant for.
type Name = envelope.Name

// Reading is one legal split of a block's body. Its sides are slices of the body, not copies,
// unless escapes were removed.
type Reading = envelope.Reading

// maxReadings bounds the legal splits of one block; a block with more is malformed.
const maxReadings = 64

// Shell is a block of shell commands found in the reply. It is reported and never run.
type Shell struct {
	// Lines are the first and last line in the reply, 1-based and inclusive, fences included.
	Lines [2]int `json:"lines"`
	Text  string `json:"text"`
}

// Diagnostic reports a part of the reply that looks like an attempted edit and was not understood.
type Diagnostic struct {
	// Code is stable: "missing-divider", "missing-closer", "truncated", "unexpected-closer",
	// "missing-name", ...
	Code string `json:"code"`
	// Line is where in the reply, 1-based.
	Line int `json:"line"`
	// Found quotes or names what is there, Expected says what should be, both in one line.
	Found    string `json:"found"`
	Expected string `json:"expected"`
	// Remedy says what to do; the first one of a reply continues, after ":" and a line end, with an
	// example of several lines.
	Remedy string `json:"remedy"`
}

// Attempt is what is known about a block that was not understood: it comes with a [Diagnostic] that
// has the same Code and Line.
type Attempt struct {
	Code string
	// Line is where the diagnostic points, 1-based.
	Line int
	// Lines are the first and last line of the attempt, 1-based and inclusive.
	Lines [2]int
	// Path, Names and Inherited say which file it is for, as in [Block].
	Path      string
	Names     []Name
	Inherited bool
}

// Reply is a model's answer, understood: every line of it belongs to a block, a name, a shell
// block, prose or a diagnostic.
type Reply struct {
	Blocks      []Block
	Shell       []Shell
	Diagnostics []Diagnostic
	Attempts    []Attempt
	// Noticed lists what may have been meant as an edit, or only shows something.
	Noticed []Noticed
}
