// Package align pairs the lines of SEARCH with lines of the file.
//
// A proposal of package [github.com/srpatch/srpatch/strategy] only says where to look. An
// [Alignment] says which lines correspond, how each pair is related (a [Relation]), and how much of
// SEARCH the pairs account for. Every decision about a place is based on its alignment.
//
// The package works on documents and patterns. It doesn't know about blocks, so REPLACE plays no
// role. All line numbers are 0-based, and -1 means no line. The cost of aligning is the length of
// SEARCH times the width of the band, and is charged to a budget. Start with alignment.go, then
// within.go.
package align
