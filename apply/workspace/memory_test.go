package workspace

import (
	"os"
	"testing"
)

// effort is how much of something a test does: with -short, without, and with SRPATCH_THOROUGH set, as in CI.
func effort(short, normal, thorough int) int {
	switch {
	case os.Getenv("SRPATCH_THOROUGH") != "":
		return thorough
	case testing.Short():
		return short
	}
	return normal
}

// memoryDir is a temporary directory in memory where the system has such a file system: tests that make thousands of
// small trees wait for nothing else.
func memoryDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "srpatch-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
