package workspace

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFileHeldForAMoment: a virus scanner that looked at a file failed the run.
func TestFileHeldForAMoment(t *testing.T) {
	held := errors.New("held")
	for name, c := range map[string]struct {
		outcomes []error // the last one for good
		want     error
		atMost   time.Duration
	}{
		"free":          {[]error{nil}, nil, 0},
		"for a moment":  {[]error{held, held, held, nil}, nil, 10 * time.Millisecond},
		"for good":      {[]error{held}, held, 2 * time.Second},
		"other trouble": {[]error{fs.ErrNotExist}, fs.ErrNotExist, 0},
	} {
		var slept time.Duration
		i := -1
		err := patiently(func() error {
			i = min(i+1, len(c.outcomes)-1)
			return c.outcomes[i]
		}, func(err error) bool { return err == held }, func(d time.Duration) { slept += d })
		if err != c.want || slept > c.atMost {
			t.Errorf("%s: %v after %v, want %v", name, err, slept, c.want)
		}
	}
}

// TestHeldFileIsNamed: who has a file open was told to check its permissions.
func TestHeldFileIsNamed(t *testing.T) {
	if !inUse(syscall.ETXTBSY) {
		t.Skip("here a file is held with another error, which only the system makes")
	}
	held := &fs.PathError{Op: "open", Path: "f", Err: syscall.ETXTBSY}
	for _, err := range []error{failed("f", "cannot be written", held), unreadable("f", held)} {
		if !strings.HasSuffix(err.Error(), "another program holds the file; close it there, and run again") {
			t.Error(err)
		}
	}
}

// windowsRoot does not replace read-only files.
type windowsRoot map[string]fs.FileMode

func (r windowsRoot) Lstat(name string) (fs.FileInfo, error) {
	mode, ok := r[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return modeInfo{mode: mode}, nil
}

func (r windowsRoot) Chmod(name string, mode fs.FileMode) error {
	r[name] = mode
	return nil
}

func (r windowsRoot) Rename(from, to string) error {
	if mode, ok := r[to]; ok && (mode&0o200 == 0 || mode.IsDir()) || from == "held" {
		return fs.ErrPermission
	}
	r[to] = r[from]
	delete(r, from)
	return nil
}

type modeInfo struct {
	fs.FileInfo
	mode fs.FileMode
}

func (m modeInfo) Mode() fs.FileMode { return m.mode }

// TestForcedOverReadOnlyOnWindows: --force failed on a read-only file, and recover on one that had
// become so.
func TestForcedOverReadOnlyOnWindows(t *testing.T) {
	root := windowsRoot{"temp": 0o444, "held": 0o644, "file": 0o444, "dir": fs.ModeDir}
	if err := renameOverReadOnly(root, "held", "file"); !errors.Is(err, fs.ErrPermission) || root["file"] != 0o444 {
		t.Errorf("a rename that fails leaves mode %v, %v", root["file"], err)
	}
	if err := renameOverReadOnly(root, "temp", "file"); err != nil || root["file"] != 0o444 {
		t.Errorf("mode %v, %v", root["file"], err)
	}
	if err := renameOverReadOnly(root, "file", "dir"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("over a directory: %v", err)
	}
}

// TestWindowsNames: a name that is no UTF-8 was reported, and a file of another name was made.
func TestWindowsNames(t *testing.T) {
	for _, name := range []string{"a.txt", ".env", "caf\u00e9"} {
		if !onWindows(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"a:b", "a.", "a ", "nul.txt", `a"b`, "a?"} {
		if onWindows(name) {
			t.Errorf("%q is taken", name)
		}
	}
}
