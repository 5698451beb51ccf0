// Package golden compares output with files. To rewrite them, run go test PACKAGE -update.
package golden

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what tests expect anew; read the change before you commit it")

// Update reports whether files are rewritten instead of compared.
func Update() bool { return *update }

// Check compares got with a file.
func Check(t testing.TB, file, got string) {
	t.Helper()
	if Update() {
		Write(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (-file +test; -update writes it anew):\n%s", file, d)
	}
}

// Write rewrites a file.
func Write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
