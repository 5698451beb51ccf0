// Package indent measures indentation and translates it: from the habit of whoever wrote a block to
// that of the file.
//
// A [Block] has what SEARCH, REPLACE and the file show of it, and [Block.Choose] decides which
// margin each line of REPLACE gets in the file: its own, or one that a [Map] gives, which is
// learned from the lines that SEARCH and the file share. The package is pure and reads bytes.
package indent
