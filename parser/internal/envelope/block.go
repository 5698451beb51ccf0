package envelope

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Op is the operation that a block requests.
type Op string

const (
	// OpEdit replaces the lines (or the text) in SEARCH.
	OpEdit Op = "edit"
	// OpCreate makes a file, or fills an empty one: SEARCH is empty.
	OpCreate Op = "create"
	// OpWrite makes a file or replaces all of its text: REPLACE is the whole file.
	OpWrite Op = "write"
	// OpAppend adds lines at the end of a file.
	OpAppend Op = "append"
	// OpInsert puts REPLACE after line StartLine (0: before the first line); SEARCH is empty.
	OpInsert Op = "insert"
	// OpDelete removes a file.
	OpDelete Op = "delete"
	// OpMove renames Path to NewPath. SEARCH and REPLACE may be empty, or an edit to make as well.
	OpMove Op = "move"
)

// Block is one SEARCH/REPLACE pair as written in the reply. Nothing in it was looked up in a tree.
type Block struct {
	// ID counts the blocks of a reply from 1, in the order of the reply.
	ID int
	// Op is the operation. In a block built by the caller it may be "", which means an edit, or a
	// creation if Search is empty.
	Op Op
	// Path is the file that the reply names for the block, as written except for decoration; "" if
	// it names none.
	Path string
	// RawPath is the path with the prefix that was removed from Path (`a/` or `b/` in a diff), so
	// that components can be stripped by count; "" if there is no prefix.
	RawPath string
	// Names are further file names mentioned near the block, nearest first. They are words in
	// prose, so a name counts only if exactly that file exists.
	Names []Name
	// Inherited says that Path comes from the previous block, because nothing nearer names a file.
	// In that case Names, except for inherited ones, are nearer than Path and may include Path
	// itself.
	Inherited bool
	// Labels are the last words of the labels above a block that names no file ("For Oslo:"),
	// nearest first, including those of earlier blocks. A label may be a file name without its
	// directory and extension.
	Labels []string
	// NewPath is the path to which OpMove moves the file.
	NewPath string
	// Turn is the index of the reply, from 0, among those applied together. Neighbouring blocks
	// help to place a block only if they are in the same reply.
	Turn int
	// Dialect names the marker family or envelope: "aider", "roo", "cline", "original-updated",
	// "v4a", "json", ...
	Dialect string
	// Lines are the first and last line of the block in the reply, 1-based and inclusive, markers
	// included.
	Lines [2]int
	// Search and Replace are the two sides of the first reading, byte for byte, escapes removed.
	Search, Replace []byte
	// StartLine and EndLine are the hints, 1-based; 0 if none.
	StartLine, EndLine int
	// Scope holds the anchors of a V4A hunk (`@@ class X`), outermost first.
	Scope []string
	// AtEOF says that the reply places the block at the end of the file.
	AtEOF bool
	// ReplaceAll says that every occurrence of Search is replaced.
	ReplaceAll bool
	// Expected is the number of occurrences that the reply gives for ReplaceAll; 0 if not given.
	Expected int
	// Occurrence is the number of the intended occurrence of Search in the file, 1-based; 0 if not
	// given.
	Occurrence int
	// ExpectedHash is the file's SHA-256 according to the reply; "" if not given.
	ExpectedHash string
	// Substring says that Search is text that need not be whole lines (old_string of the JSON
	// tools).
	Substring bool
	// Exact says that the block is applied only if Search matches exactly.
	Exact bool
	// Readings are all ways to split the block into SEARCH and REPLACE, at most 64. The first
	// reading equals Search and Replace. Readings is nil if there is only one way.
	Readings []Reading
	// Warnings say what was tolerated, such as a missing closer or a marker of a different length.
	// Each is a code, ": " and a sentence; docs/codes.md lists the codes.
	Warnings []string
}

// Whole reports whether REPLACE is the complete new file, because the block's format has a separate
// operation for adding to a file.
func (b *Block) Whole() bool {
	return b.Op == OpWrite || b.Op == OpCreate && formatOf(b.Dialect).whole
}

// Same reports whether two blocks describe the same edit.
func Same(a, b *Block) bool {
	return a.Op == b.Op && a.Path == b.Path && a.NewPath == b.NewPath &&
		bytes.Equal(a.Search, b.Search) && bytes.Equal(a.Replace, b.Replace) &&
		a.StartLine == b.StartLine && a.EndLine == b.EndLine && slices.Equal(a.Scope, b.Scope) &&
		a.AtEOF == b.AtEOF && a.ReplaceAll == b.ReplaceAll && a.Expected == b.Expected && a.Substring == b.Substring
}

// Name is a file name that a block may be meant for.
type Name = filename.Name

// Reading is one way to split a block's body into SEARCH and REPLACE. Both are slices of the body,
// not copies, unless escapes were removed.
type Reading struct {
	// Divider is the number of the line, 1-based, that divides the block in this reading.
	Divider int
	// Literal says that backslashes before markers are text, not escapes.
	Literal         bool
	Search, Replace []byte
}

// Diagnostic reports a part of the reply that looks like an attempted edit but was not understood.
type Diagnostic struct {
	// Code is stable: "missing-divider", "missing-closer", "truncated", "unexpected-closer",
	// "missing-name", ...
	Code string `json:"code"`
	// Line is the line number in the reply, 1-based.
	Line int `json:"line"`
	// Found quotes or names what was found; Expected says what should be there. Each is a single
	// line.
	Found    string `json:"found"`
	Expected string `json:"expected"`
	// Remedy says what to do. In the first diagnostic of a reply, it ends with ":", a line end and
	// an example of several lines.
	Remedy string `json:"remedy"`
}

// Fault describes a part of an envelope that was not understood.
type Fault struct {
	Diagnostic
	// Doubt is set if the part may only show something. If so, nothing is refused.
	Doubt *Doubt
}

// newFault returns a fault about a line, which it quotes as found.
func newFault(code string, line int, found []byte, expected, remedy string) Fault {
	return Fault{Diagnostic: Diagnostic{
		Code: code, Line: line, Found: mdline.Excerpt(found), Expected: expected, Remedy: remedy,
	}}
}

// Doubt describes a part of an envelope that may only show something. Its fields have the same
// meaning as those of the parser's Noticed; the code is the fault's.
type Doubt struct {
	Last       int // the last line
	Path, What string
}

// Markers reads the marker blocks in a text that some formats contain. The text's first line has the
// number firstLine in the reply. The parser implements it.
type Markers func(text []byte, firstLine int) ([]Block, []Fault)
