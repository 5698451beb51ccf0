// Package indent measures indentation and translates it: from the habit of whoever wrote a block to that of the file.
//
// A [Map] is learned from the pairs of lines that SEARCH and the file share, and tells which indentation a line added by
// REPLACE gets. It is pure, reads bytes, and imports nothing of the project.
package indent
