//go:build unix

package workspace

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
)

// A directory that could be locked is, or the run fails: without descriptors to spare, too.
func TestNoLockIsLeftOutForWantOfDescriptors(t *testing.T) {
	w := openTest(t, t.TempDir(), testOptions(t))
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Skipf("the limit of descriptors cannot be set: %v", err)
	}
	_, err := w.Begin(context.Background())
	if e := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); e != nil {
		t.Fatal(e)
	}
	if !errors.Is(err, syscall.EMFILE) || !strings.Contains(err.Error(), "the directory / cannot be locked") {
		t.Errorf("%v, want that the first directory cannot be locked", err)
	}
}
