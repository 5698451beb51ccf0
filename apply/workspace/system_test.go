package workspace

import (
	"os"
	"runtime"
	"testing"
)

// modesKept says that files have the mode they are given. Windows knows only whether they are
// read-only.
const modesKept = runtime.GOOS != "windows"

// symlink makes a link, or skips the test where the system lets nobody make one.
func symlink(t testing.TB, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("the system makes no symbolic links here: %v", err)
	}
}
