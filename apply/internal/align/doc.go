// Package align pairs the lines of SEARCH with lines of the file.
//
// A proposal of package [github.com/srpatch/srpatch/strategy] only says where to look. An
// [Alignment] says which line is which, how the two are related (a [Relation]), and how much of
// SEARCH that accounts for. Every decision about a place is made on its alignment.
//
// The package works on documents and patterns. It doesn't know blocks, so REPLACE plays no part.
// All lines are 0-based, and -1 means no line. Aligning costs the length of SEARCH times the width
// of the band, which is charged to a budget. Start with alignment.go, then within.go.
package align
