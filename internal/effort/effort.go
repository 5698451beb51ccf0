// Package effort says how much tests do: little with -short, all of it in .ci/nightly.
package effort

import (
	"hash/crc32"
	"os"
	"testing"
)

// Of returns how much of something a test does: with -short, without, or with SRPATCH_THOROUGH set,
// as in .ci/nightly.
func Of(short, normal, thorough int) int {
	switch {
	case os.Getenv("SRPATCH_THOROUGH") != "":
		return thorough
	case testing.Short():
		return short
	}
	return normal
}

// Tries reports whether a test tries a case: with -short one in n, chosen by its name alone.
func Tries(name string, n int) bool {
	return Of(n, 1, 1) == 1 || crc32.ChecksumIEEE([]byte(name))%uint32(n) == 0
}
