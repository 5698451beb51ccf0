// Package effort says how much tests do, so that who runs them by hand waits less than CI does.
package effort

import (
	"os"
	"testing"
)

// Of returns how much of something a test does: with -short, without, or with SRPATCH_THOROUGH set, as in CI.
func Of(short, normal, thorough int) int {
	switch {
	case os.Getenv("SRPATCH_THOROUGH") != "":
		return thorough
	case testing.Short():
		return short
	}
	return normal
}
