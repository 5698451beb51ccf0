// Package indent measures indentation, and translates it from the style of a block to that of the
// file.
//
// A [Block] holds what SEARCH, REPLACE and the file show about indentation. [Block.Choose] decides
// which margin each line of REPLACE gets: its own, or one from a [Map] that is learned from the
// lines that SEARCH and the file share. The package has no state and imports only package text.
// Start with choose.go.
package indent
