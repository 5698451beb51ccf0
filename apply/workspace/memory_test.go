package workspace

import (
	"os"
	"testing"
)

// memoryDir is a temporary directory in memory where the system has such a file system: tests that
// make thousands of small trees wait for nothing else.
func memoryDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "srpatch-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
