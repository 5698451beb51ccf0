// Package breakage finds what a run breaks in a file: brackets that were balanced, Go and JSON that could be parsed, markers and fences of a
// reply that came in along with an edit, and lines that are there twice because REPLACE repeats what follows its place.
//
// [Find] compares a file before and after all blocks of a run, as one may break what another one mends. A check that is about a file as a
// whole believes its reading of the language only where that made sense of the file before, so nothing is said of files that it does not
// understand. Nothing here looks for places, or changes anything.
package breakage
