// Package omission finds the lines of REPLACE that stand for lines of the file: "the rest is unchanged", "...". Written to the
// file they would delete what they stand for.
//
// [Find] decides, for one reading of a block at the lines that it is aligned with. A [Lexicon] knows which lines of a file are
// remarks, and what their words say; it knows elisions, too, which a block may have on both sides.
//
// It weighs words against the lines that go (omission.go argues how), so it misses wordings of which it knows no word, and
// where it only suspects it says so rather than refuse.
package omission
