// Package eval measures how often edits land where they were meant.
//
// It makes cases whose right answer is known. An edit of a real file is written as a SEARCH/REPLACE
// block, and the block gets mistakes that models make. Afterwards the file must have the edit, and
// its own bytes everywhere else. Other blocks fit no place of the file, and must be refused. Cases
// are grouped by [Kinds], come from any source tree, and are the same for the same seed.
//
// The generator decides what is right by simple means of its own (equal lines, shared bigrams). It
// imports nothing that places or splices. Only [Run] calls the engine.
package eval
