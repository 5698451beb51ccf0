// Package effort says how much tests do: little with -short, and everything in .ci/nightly.
package effort

import (
	"hash/crc32"
	"os"
	"testing"
)

// Of returns one of three amounts: for -short, for a normal run, and for SRPATCH_THOROUGH, which
// .ci/nightly sets.
func Of(short, normal, thorough int) int {
	switch {
	case os.Getenv("SRPATCH_THOROUGH") != "":
		return thorough
	case testing.Short():
		return short
	}
	return normal
}

// Tries reports whether a test runs a case. With -short it runs one in n, chosen by name.
func Tries(name string, n int) bool {
	return Of(n, 1, 1) == 1 || crc32.ChecksumIEEE([]byte(name))%uint32(n) == 0
}
