package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// TestWindowsAttributesAreKept: a hidden file was shown after it had been edited, and was as new.
func TestWindowsAttributesAreKept(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "old\n"})
	name, err := windows.UTF16PtrFromString(filepath.Join(dir, "f"))
	if err != nil {
		t.Fatal(err)
	}
	if err := windows.SetFileAttributes(name, windows.FILE_ATTRIBUTE_HIDDEN|windows.FILE_ATTRIBUTE_READONLY); err != nil {
		t.Fatal(err)
	}
	look := func() map[string][]byte {
		t.Helper()
		f, err := os.Open(filepath.Join(dir, "f"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		attrs, err := readXattrs(f)
		if err != nil {
			t.Fatal(err)
		}
		return attrs
	}
	before := look()
	opt := testOptions(t)
	opt.Force = true
	w := openTest(t, dir, opt)
	if _, err := w.Commit(t.Context(), planOf(change("f", []byte("old\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	for key, value := range look() {
		if string(value) != string(before[key]) {
			t.Errorf("%s is %x, and was %x", key, value, before[key])
		}
	}
	if attributes, err := windows.GetFileAttributes(name); err != nil || attributes&windows.FILE_ATTRIBUTE_READONLY == 0 {
		t.Errorf("attributes %x, %v", attributes, err)
	}
}

// TestWindowsHeldFile: a file that another program shares with nobody is named as held, and nothing is written.
func TestWindowsHeldFile(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "old\n", "g": "old\n"})
	name, err := windows.UTF16PtrFromString(filepath.Join(dir, "f"))
	if err != nil {
		t.Fatal(err)
	}
	held, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := openTest(t, dir, testOptions(t))
	old, now := []byte("old\n"), []byte("new\n")
	_, err = w.Commit(t.Context(), planOf(change("g", old, now), change("f", old, now)))
	if err == nil || !strings.Contains(err.Error(), "another program holds the file") {
		t.Errorf("%v", err)
	}
	if err := windows.CloseHandle(held); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, readTree(t, dir), map[string]string{"f": "old\n", "g": "old\n"})
}
