// Package verdict judges places: may a block be applied where it only nearly fits?
//
// A [Judge] asks a table of rules (rules.go) about a place, and the first [Objection] decides. The
// rules look at the alignment of SEARCH with the file and at the hunks of the block, in a
// [splice.Splice]; what proposed the place doesn't matter. Most rules share two questions, which
// the judge answers: whether a line names another record than SEARCH's (identity.go, sibling.go,
// slip.go), and whether the block was applied before (applied.go).
//
// The package knows one document and the block in question, and changes neither. Judging a place
// takes time linear in SEARCH and in the lines near the place that may be siblings of SEARCH's.
// Start with rules.go.
package verdict
