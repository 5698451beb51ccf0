// Package unified writes changes of files in git's unified format, so that git apply and patch
// reproduce them byte for byte.
//
// A line ends with "\n", and a "\r" is part of its line. Text that isn't UTF-8 is written
// unchanged.
package unified
