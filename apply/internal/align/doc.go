// Package align pairs the lines of SEARCH with lines of the file.
//
// A proposal of package [github.com/srpatch/srpatch/strategy] says only where to look. An
// [Alignment] says which line is which, what the two have in common, a [Relation], and how much of
// SEARCH that accounts for. Everything that is decided about a place is decided on its alignment.
//
// It knows documents and patterns, and nothing of blocks: what REPLACE has plays no part. All lines
// are 0-based, and -1 is no line. The work for one alignment is the length of SEARCH times the
// width of the band, and is paid from a budget.
package align
