// Package reading makes a block ready for the search: SEARCH and REPLACE as lines, the hunks in
// which they differ, and the habits of models undone.
//
// A block may be read in several ways, as its divider may be one of several lines, and a [Reading]
// is one of them. Habits are in one table: what undoes each, and what proves it. None is undone
// unless the file proves it, and then on both sides.
//
// It knows one block and the text of one file, and nothing of where the block belongs in it.
package reading
