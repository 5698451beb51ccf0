package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// A link reads and writes the file that cat shows, also where .. follows a link to a directory.
func TestAbsoluteLinkWithDotsLeadsWhereTheSystemLeads(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "wrong\n", "sub/f": "right\n", "sub/deep/x": ""})
	for name, to := range map[string]string{
		"d": "sub/deep", "plain": dir + "/d/../f", "doubled": "/" + dir + "/./d//../f", "root": dir + "/d/../../sub/f",
	} {
		symlink(t, to, filepath.Join(dir, name))
	}
	w := openTest(t, dir, testOptions(t))
	for _, name := range []string{"plain", "doubled", "root"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := w.ReadFile(name); string(got) != string(want) {
			t.Errorf("%s: %q (%v), want %q", name, got, err, want)
		}
	}
}
