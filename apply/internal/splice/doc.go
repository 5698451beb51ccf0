// Package splice makes edits of a block at the place where it was found.
//
// SEARCH is the base, REPLACE is theirs, the file's lines are ours. Lines that REPLACE keeps stay
// the file's bytes, lines that it adds get the file's margins and line ends (indentation.go,
// added.go), and a hunk that is done already is left out (done.go). Bytes of lines that no hunk
// changes are never touched.
//
// It knows one document, one reading and their alignment, and does as it is told: whether the place
// is the right one is judged elsewhere. Where two ways to indent REPLACE are as good, [Indent]
// gives both.
package splice
