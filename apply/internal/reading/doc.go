// Package reading prepares a block for the search: SEARCH and REPLACE as lines, the hunks in which
// they differ, and the habits of models undone.
//
// A [Reading] is one way to read a block. There may be several, because the divider may be one of
// several lines. Habits are in one table, in habit.go, which says how to undo each habit and what
// proves it. A habit is only undone if the file proves it, and then on both sides.
//
// The package knows one block and the text of one file, but not where the block belongs in the
// file. Start with reading.go.
package reading
