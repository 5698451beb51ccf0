package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is remembered lies with the journals, is the last one only, and goes with time.
func TestRemembered(t *testing.T) {
	dir, opt := t.TempDir(), testOptions(t)
	w := openTest(t, dir, opt)
	recalled := func() string {
		t.Helper()
		text, err := w.Remembered()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := recalled(); got != "" {
		t.Errorf("%q is remembered of a new tree", got)
	}
	if err := w.Remember(nil); err != nil {
		t.Error(err)
	}
	for _, object := range []string{`{"a":1}`, `{"b":2}`} {
		if err := w.Remember([]byte(object)); err != nil {
			t.Fatal(err)
		}
		if got := recalled(); !strings.HasPrefix(got, strings.TrimSuffix(object, "}")+`,"sum":"`) {
			t.Errorf("%s comes back as %s", object, got)
		}
	}
	if left := readTree(t, dir); len(left) > 0 {
		t.Errorf("the tree holds %v", left)
	}
	if err := w.Remember(bytes.Repeat([]byte("x"), maxRemembered+1)); err == nil {
		t.Errorf("too much: %v", err)
	}

	file := filepath.Join(w.state.dir, refusedFile)
	old := time.Now().Add(-31 * 24 * time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	if got := recalled(); got != "" {
		t.Errorf("after a month %q is remembered", got)
	}
	for name, c := range map[string]struct {
		text string
		want bool
	}{"empty, as after a power cut": {"", true}, "damaged": {`{"b":3,"sum":"0"}` + "\n", false}} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if text, err := w.Remembered(); (err == nil) != c.want || text != nil || err != nil &&
			reasonOf(err) != JournalDamaged {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if err := w.Remember(nil); err != nil {
		t.Error(err)
	}
	if got := recalled(); got != "" {
		t.Errorf("%q is remembered, and was to be forgotten", got)
	}
}

// A tree that comes and goes, such as that of a test, leaves nothing for ever, also where every run
// was refused.
func TestSweepOfRemembered(t *testing.T) {
	opt := testOptions(t)
	gone := openTest(t, t.TempDir(), opt)
	if err := gone.Remember([]byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(gone.state.dir, refusedFile)
	young := openTest(t, t.TempDir(), opt)
	if err := young.Remember([]byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-31 * 24 * time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	w := openTest(t, t.TempDir(), opt)
	if _, err := w.Commit(t.Context(), planOf(change("f", nil, []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("what was remembered of another tree a month ago is there: %v", err)
	}
	if text, err := young.Remembered(); text == nil || err != nil {
		t.Errorf("what was remembered of another tree today is gone: %v", err)
	}
}
