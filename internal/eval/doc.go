// Package eval measures how often edits land where they were meant.
//
// It makes cases whose right answer is known from how they were made: a true edit of a real file is
// written down as a SEARCH/REPLACE block, the block is bent the way models bend theirs, and the
// file must afterwards hold the true edit and its own bytes everywhere else; or the block means no
// place of the file, and refusing it is right. Cases are grouped by [Kinds], come from any source
// tree or git history, and are the same for the same seed.
//
// The generator decides what is right by plain means of its own (equal lines, shared bigrams) and
// imports nothing that places or splices; only [Run] calls the engine.
package eval
