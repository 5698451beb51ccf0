// Package splice turns a block into edits at the place where it was found.
//
// A splice is a three-way merge: SEARCH is the base, REPLACE is theirs, and the file's lines are
// ours. Lines that REPLACE keeps retain the file's bytes. Lines that it adds get the file's margins
// and line ends (indentation.go, added.go). Hunks that the file already has are left out (done.go).
// Bytes of lines that no hunk changes are never touched.
//
// The package knows one document, one reading and their alignment. It doesn't decide whether the
// place is right. If two ways to indent REPLACE are equally good, [Indent] returns both. Start with
// splice.go.
package splice
