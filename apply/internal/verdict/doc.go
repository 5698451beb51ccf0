// Package verdict judges places: it decides whether a block may be applied at a place that it only
// nearly fits.
//
// A [Judge] asks a table of rules (rules.go) about a place, and the first [Objection] decides. The
// rules look at the alignment of SEARCH with the file and at the hunks of the block, in a
// [splice.Splice]; it doesn't matter which strategy proposed the place. Most rules depend on two
// questions, which the judge answers: whether a line names a different record from SEARCH's
// (identity.go, sibling.go, slip.go), and whether the block was applied before (applied.go).
//
// The package knows one document and the block in question, and changes neither. Judging a place
// takes time linear in the lines of SEARCH and in the nearby file lines that may be siblings of
// those. Start with rules.go.
package verdict
