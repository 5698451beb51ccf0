package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// foldDisk is a disk as Windows and macOS have them: it takes a name in any case for the one that
// is there, and some entries have a short name besides.
type foldDisk struct {
	disk
	short map[string]string // short names, in upper case, to what they are short for
}

// spell gives a path the names that are there.
func (d foldDisk) spell(name string) string {
	at := "."
	for seg := range strings.SplitSeq(name, "/") {
		if long, ok := d.short[strings.ToUpper(seg)]; ok {
			seg = long
		}
		list, _ := d.disk.Names(at)
		if i := slices.IndexFunc(list, func(entry string) bool { return anyCase(entry) == anyCase(seg) }); i >= 0 {
			seg = list[i]
		}
		at = path.Join(at, seg)
	}
	return at
}

func (d foldDisk) Lstat(name string) (fs.FileInfo, error)     { return d.disk.Lstat(d.spell(name)) }
func (d foldDisk) Readlink(name string) (string, error)       { return d.disk.Readlink(d.spell(name)) }
func (d foldDisk) ReadDir(name string) ([]fs.DirEntry, error) { return d.disk.ReadDir(d.spell(name)) }
func (d foldDisk) Names(name string) ([]string, error)        { return d.disk.Names(d.spell(name)) }
func (d foldDisk) Mkdir(name string, perm fs.FileMode) error {
	return d.disk.Mkdir(d.spell(name), perm)
}
func (d foldDisk) Rename(from, to string) error { return d.disk.Rename(d.spell(from), d.spell(to)) }
func (d foldDisk) Link(from, to string) error   { return d.disk.Link(d.spell(from), d.spell(to)) }
func (d foldDisk) Remove(name string) error     { return d.disk.Remove(d.spell(name)) }
func (d foldDisk) Writable(dir string) error    { return d.disk.Writable(d.spell(dir)) }
func (d foldDisk) SyncDir(name string) error    { return d.disk.SyncDir(d.spell(name)) }

// folding opens a tree as if its file system folded case, with these short names.
func folding(t *testing.T, dir string, opt Options, short map[string]string) *Workspace {
	t.Helper()
	w, err := open(dir, opt, func(d disk) disk { return foldDisk{d, short} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// reply makes blocks: path, SEARCH, REPLACE, three by three.
func reply(words ...string) *parser.Reply {
	var b strings.Builder
	for part := range slices.Chunk(words, 3) {
		b.WriteString("File: `" + part[0] + "`\n<<<<<<< SEARCH\n" + part[1] + "=======\n" +
			part[2] + ">>>>>>> REPLACE\n\n")
	}
	return parser.Parse([]byte(b.String()))
}

var shortNames = map[string]string{"LONGER~1.PYT": "longername.python", "PRIVAT~1": "private stuff", "GIT~2": ".git"}

// TestFirstOfTwoEditsIsLost: one reply named a file in two ways, and the second edit was made of
// the file as it was before the first.
func TestFirstOfTwoEditsIsLost(t *testing.T) {
	for _, names := range [][2]string{
		{"src/longername.python", "SRC/LongerName.python"}, {"Src/longername.pYthon", "src/LONGERNAME.PYTHON"},
	} {
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{"src/longername.python": "first line\nsecond line\nthird line\n"})
		w := folding(t, dir, testOptions(t), shortNames)
		plan, err := apply.New(w, apply.Options{}).Plan(t.Context(),
			reply(names[0], "first line\n", "1st line\n", names[1], "third line\n", "3rd line\n"))
		if err != nil || plan.Status != apply.Applied {
			t.Fatalf("%q: %v, %+v", names, err, plan)
		}
		if _, err := w.Commit(t.Context(), plan); err != nil {
			t.Errorf("%q: %v", names, err)
		}
		want := map[string]string{"src/": "", "src/longername.python": "1st line\nsecond line\n3rd line\n"}
		compareTrees(t, readTree(t, dir), want)
		if _, err := w.Undo(t.Context(), "", UndoOptions{}); err != nil {
			t.Errorf("%q: %v", names, err)
		}
		if _, err := w.Undo(t.Context(), "", UndoOptions{Paths: []string{names[1]}}); reasonOf(err) != NoSuchRun {
			t.Errorf("%q: %v, want %s", names, err, NoSuchRun)
		}
	}
}

// TestDeniedUnderAnotherName: other case of a directory, and short names of anything, got around
// --deny and around git's files.
func TestDeniedUnderAnotherName(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"private stuff/secret.py": "x\n", ".git/config": "x\n",
		"src/longername.python": "x\n", "src/ok.py": "x\n"})
	opt := testOptions(t)
	opt.Deny = []string{"private stuff/secret.py", "src/longername.python"}
	w := folding(t, dir, opt, shortNames)
	for _, name := range []string{
		"Private Stuff/secret.py", "PRIVAT~1/secret.py", "privat~1/SECRET.PY", "src/LONGER~1.PYT",
		"SRC/longer~1.pyt", "GIT~2/config", "git~2/hooks/post-commit", ".Git/config",
	} {
		if text, err := w.ReadFile(name); reasonOf(err) != apply.Denied {
			t.Errorf("%s is read: %q, %v", name, text, err)
		}
		c := change(name, nil, []byte("y\n"))
		if err := w.CanWrite(&c); reasonOf(err) != apply.Denied {
			t.Errorf("%s can be written: %v", name, err)
		}
	}
	opt = testOptions(t)
	opt.Allow = []string{"src/ok.py"}
	w = folding(t, dir, opt, shortNames)
	if _, err := w.ReadFile("src/LONGER~1.PYT"); reasonOf(err) != apply.Denied {
		t.Errorf("what is not allowed is read: %v", err)
	}
}

// TestNewFilesThatAreOne: two new names that differ in case only would have been one file, with the
// second one's content.
func TestNewFilesThatAreOne(t *testing.T) {
	plan := planOf(change("docs/New.md", nil, []byte("1\n")), change("docs/new.md", nil, []byte("2\n")))
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"readme": "x\n"})
	if err := folding(t, dir, testOptions(t), nil).CheckPlan(plan); reasonOf(err) != apply.Overlap {
		t.Errorf("%v, want %s", err, apply.Overlap)
	}
	if err := openTest(t, dir, testOptions(t)).CheckPlan(plan); reasonOf(err) != apply.Overlap {
		t.Errorf("where case counts: %v, want %s", err, apply.Overlap)
	}
}

func TestFoldedCase(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"ReadMe": "old\n"})
	opt := testOptions(t)
	opt.Deny = []string{"secret"}
	w := folding(t, dir, opt, nil)
	for name, c := range map[string]struct {
		changes []apply.FileChange
		want    apply.Reason
	}{
		"created over": {[]apply.FileChange{change("README", nil, []byte("new\n"))}, apply.Exists},
		"edited twice": {[]apply.FileChange{change("README", []byte("old\n"), []byte("a\n")),
			change("ReadMe", []byte("old\n"), []byte("b\n"))}, apply.Overlap},
		"made twice": {[]apply.FileChange{change("New", nil, []byte("a\n")),
			change("new", nil, []byte("b\n"))}, apply.Overlap},
	} {
		if _, err := w.Commit(ctx, planOf(c.changes...)); reasonOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		compareTrees(t, readTree(t, dir), map[string]string{"ReadMe": "old\n"})
	}
	if _, err := w.Commit(ctx, planOf(change("README", []byte("old\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, readTree(t, dir), map[string]string{"ReadMe": "new\n"})
}

// TestNameInAnotherForm: names lead to what is on the disk, also where their accents are composed
// otherwise.
func TestNameInAnotherForm(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"caf\u00e9/\u304b\u3099.txt": "",
		"\u6f22\u5b57/a~1.txt": "", "longername.python": "", "notes.txt~": ""})
	w := folding(t, dir, testOptions(t), shortNames)
	for name, want := range map[string]string{
		"cafe\u0301/\u304c.TXT":      "caf\u00e9/\u304b\u3099.txt",
		"CAF\u00c9/\u304b\u3099.txt": "caf\u00e9/\u304b\u3099.txt",
		"\u6f22\u5b57/A~1.TXT":       "\u6f22\u5b57/a~1.txt", "Notes.txt~": "notes.txt~", "none/A~1": "none/A~1",
	} {
		if got := w.Identity(name); got != want {
			t.Errorf("Identity(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestHardLinksStayFilesOfTheirOwn: two names of one inode are told apart by where they are, not by
// what they share.
func TestHardLinksStayFilesOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a": "x\n", "sub/b": "x\n"})
	if err := errors.Join(os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "A2")),
		os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "sub/a"))); err != nil {
		t.Skipf("the file system makes no hard links: %v", err)
	}
	w := openTest(t, dir, testOptions(t))
	for _, name := range []string{"a", "A2", "sub/a"} {
		if got := w.Identity(name); got != name {
			t.Errorf("Identity(%s) = %s", name, got)
		}
	}
}

// TestLinkedDirectoryNamesOneFile: through a link to a directory and directly, a reply edits one
// file.
func TestLinkedDirectoryNamesOneFile(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"src/f.py": "first line\nsecond line\nthird line\n"})
	symlink(t, "src", filepath.Join(dir, "link"))
	w := openTest(t, dir, testOptions(t))
	plan, err := apply.New(w, apply.Options{}).Plan(t.Context(),
		reply("link/f.py", "first line\n", "1st line\n", "src/f.py", "third line\n", "3rd line\n"))
	if err != nil || plan.Status != apply.Applied {
		t.Fatalf("%v, %+v", err, plan)
	}
	if _, err := w.Commit(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, dir)["src/f.py"]; got != "1st line\nsecond line\n3rd line\n" {
		t.Errorf("%q", got)
	}
}

// onDiskFolds says that the file system that tests run on folds case.
func onDiskFolds(t *testing.T) bool {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"Probe": ""})
	_, err := os.Lstat(filepath.Join(dir, "pROBE"))
	return err == nil
}

// TestOtherCaseOnDisk is for the file systems that [foldDisk] stands for.
func TestOtherCaseOnDisk(t *testing.T) {
	if !onDiskFolds(t) {
		t.Skip("the file system here does not fold case; foldDisk stands for one that does")
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"Private/Secret.py": "x\n", "caf\u00e9/x": "x\n"})
	opt := testOptions(t)
	opt.Deny = []string{"Private/Secret.py", "caf\u00e9"}
	w := openTest(t, dir, opt)
	for _, name := range []string{"PRIVATE/secret.py", "private/SECRET.PY", "CAFE\u0301/x"} {
		if _, err := w.ReadFile(name); reasonOf(err) != apply.Denied && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is read: %v", name, err)
		}
	}
	if got := w.Identity("PRIVATE/secret.py"); got != "Private/Secret.py" {
		t.Errorf("Identity gives %s", got)
	}
}

// accentDisk takes decomposed accents for composed ones, and tells case apart.
type accentDisk struct{ disk }

func (d accentDisk) Lstat(name string) (fs.FileInfo, error) {
	return d.disk.Lstat(norm.NFC.String(name))
}

// TestOtherAccentsAreNoOtherCase: of two names that differ in case, a third way to write one of
// them leads to that one.
func TestOtherAccentsAreNoOtherCase(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"\u00c9.txt": "upper\n", "\u00e9.txt": "lower\n"})
	w, err := open(dir, testOptions(t), func(d disk) disk { return accentDisk{d} })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	const name = "e\u0301.txt"
	info, err := w.disk.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := w.spelled(".", name, info); err != nil || got != "\u00e9.txt" {
		t.Errorf("%q, %v", got, err)
	}
}
