// Package unified writes changes of files in git's unified format, so that git apply and patch make
// them byte for byte.
//
// A line is what "\n" ends; a "\r" is part of its line. Text that is no UTF-8 is written as it is.
package unified
