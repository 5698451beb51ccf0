// Package indent measures indentation and translates it from a block's style to the file's.
//
// A [Block] holds the evidence about indentation in SEARCH, REPLACE and the file. [Block.Choose]
// decides which margin each line of REPLACE gets: the one that it has, or one from a [Map] learned
// from the lines that SEARCH and the file share. The package has no state and imports only package
// text. Start with choose.go.
package indent
