// Package editdist computes bounded edit distances: how many insertions, deletions and
// substitutions of one symbol turn one text into another, provided they are no more than a limit.
//
// The unit is the rune. A byte that isn't part of valid UTF-8 is a symbol of its own, different
// from every rune and from every other byte, so that two Latin-1 texts never count as equal.
// (go-edlib, with which the tests compare on valid UTF-8, reads every such byte as U+FFFD and sees
// no difference between "caf\xe9" and "caf\xe8".)
//
// The method is Myers' bit-parallel dynamic programming (A fast bit-vector algorithm for
// approximate string matching based on dynamic programming, JACM 46(3), 1999) in the block form of
// Hyyrö (A bit-vector algorithm for computing Levenshtein and Damerau edit distances, 2003): 64
// rows of the table in one machine word. In each column, only those blocks are computed that can
// lie on a path within the limit, after Ukkonen (Algorithms for approximate string matching, 1985).
//
// The package imports the standard library only and keeps no state between patterns.
package editdist
