package main

import (
	"slices"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser"
)

// reverse turns the edits into those that undo them, the last one first. An edit that doesn't say
// what was there before becomes a diagnostic, and is refused.
func (u *understood) reverse() {
	slices.Reverse(u.Blocks)
	u.Blocks = slices.DeleteFunc(u.Blocks, func(b parser.Block) bool { return u.refuseReverse(&b) })
	for i := range u.Blocks {
		reverseBlock(&u.Blocks[i])
	}
}

// refuseReverse adds a diagnostic to u if an edit doesn't say what was there before, so it can't be
// undone. It reports whether it did.
func (u *understood) refuseReverse(b *parser.Block) bool {
	expected := "" // what the edit would have to say
	switch {
	case b.Op == parser.OpEdit && len(b.Replace) == 0:
		expected = "a REPLACE that shows where the deleted lines were"
	case b.Op == parser.OpWrite:
		expected = "the lines that the file had before"
	case b.Op == parser.OpDelete && len(b.Search) == 0:
		expected = "the content of the deleted file"
	default:
		return false
	}
	d := parser.Diagnostic{
		Code: diagnosis.NotReversible, Line: b.Lines[0], Found: string(b.Op) + " of " + b.Path, Expected: expected,
		Remedy: "undo the run with git, or with an editor",
	}
	u.Diagnostics = append(u.Diagnostics, d)
	u.located = append(u.located, report.Located{Diagnostic: d})
	return true
}

// reverseBlock turns an edit into the one that undoes it: it swaps SEARCH and REPLACE in all
// readings, and changes the operation accordingly.
func reverseBlock(b *parser.Block) {
	b.Search, b.Replace = b.Replace, b.Search
	for i := range b.Readings {
		r := &b.Readings[i]
		r.Search, r.Replace = r.Replace, r.Search
	}
	switch b.Op {
	case parser.OpCreate:
		b.Op = parser.OpDelete
	case parser.OpDelete:
		b.Op = parser.OpCreate
	case parser.OpAppend: // delete the lines at the end of the file
		b.Op, b.AtEOF = parser.OpEdit, true
	case parser.OpInsert: // the lines were inserted after StartLine, so they start on the next line
		b.Op = parser.OpEdit
		b.StartLine++
	case parser.OpMove:
		b.Path, b.NewPath = b.NewPath, b.Path
	} // OpEdit stays, and OpWrite was refused
}
