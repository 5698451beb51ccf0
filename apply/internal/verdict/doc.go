// Package verdict judges places: may a block be applied where it fits the file only nearly?
//
// A [Judge] asks a table of rules (rules.go) what speaks against a place, and the first [Objection]
// decides. The rules look at the alignment of SEARCH with the file and at the hunks of the block,
// in a [splice.Splice]; what proposed the place plays no part. The judge answers the two questions
// that most rules share: whether a line names another record than SEARCH's (identity.go,
// sibling.go, slip.go), and whether the block was applied before (applied.go).
//
// It knows one document and the block that it is asked about, and never changes either. What a
// place costs is linear in SEARCH, and in the lines near the place that may be siblings of
// SEARCH's.
package verdict
