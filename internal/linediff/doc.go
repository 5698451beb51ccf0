// Package linediff compares texts line by line.
//
// It is a thin layer over sergi/go-diff, which it uses in line mode only and without its clock, so
// that the same two texts always give the same changes. Lines are compared as bytes.
package linediff
