package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// testOptions keep a test's journal away from the user's.
func testOptions(t testing.TB) Options {
	return Options{StateDir: filepath.Join(t.TempDir(), "state")}
}

func openTest(t testing.TB, dir string, opt Options) *Workspace {
	t.Helper()
	w, err := Open(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func writeFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777),
			os.WriteFile(name, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

// readTree returns every regular file and link below dir.
func readTree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			files[rel+"/"] = ""
		case d.Type().IsRegular():
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			files[rel] = string(b)
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			files[rel] = "-> " + to
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func reasonOf(err error) apply.Reason {
	if e, ok := errors.AsType[*apply.ReasonError](err); ok {
		return e.Reason
	}
	return ""
}

// change is a hand-made change of one file; before and after are nil for what is absent.
func change(path string, before, after []byte) apply.FileChange {
	c := apply.FileChange{Path: path, Action: apply.Modify, Before: before, After: after}
	if before == nil {
		c.Action = apply.Create
	} else if after == nil {
		c.Action = apply.Delete
	}
	return c
}

func planOf(changes ...apply.FileChange) *apply.Plan {
	return &apply.Plan{Status: apply.Applied, Files: changes}
}

func TestReadFile(t *testing.T) {
	outside := t.TempDir()
	writeFiles(t, outside, map[string]string{"secret": "secret"})
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"a.txt":       "text\r\n",
		"sub/b.txt":   "b",
		"latin1":      "caf\xe9\n",
		"nul":         "a\x00b",
		"late-nul":    strings.Repeat("x", binaryPrefix) + "\x00",
		"utf16le":     "\xff\xfeh\x00i\x00\n\x00",
		"utf16empty":  "\xff\xfe",
		"utf16be":     "\xfe\xff\x00h\x00i\x00\n",
		"utf16odd":    "\xff\xfeh\x00i",
		"utf16lone":   "\xff\xfe\x00\xd8a\x00",
		"utf32":       "\xff\xfe\x00\x00h\x00\x00\x00",
		"big":         strings.Repeat("x", 10001),
		".git/config": "[core]\n",
	})
	link := func(to, name string) {
		t.Helper()
		symlink(t, to, filepath.Join(dir, name))
	}
	link("a.txt", "link")
	link("../a.txt", "sub/up")
	link("sub", "dirlink")
	link(filepath.Join(dir, "a.txt"), "abs")
	link(filepath.Join(dir, "sub"), "absdir")
	link("nowhere", "dangling")
	link(filepath.Join(outside, "secret"), "absout")
	link(filepath.Join("..", filepath.Base(outside), "secret"), "relout")
	link(outside, "dirout")
	link("loop2", "loop1")
	link("loop1", "loop2")
	link(".git/config", "gitlink")
	link(".", "self")
	if err := mkfifo(filepath.Join(dir, "fifo")); err != nil {
		t.Skipf("the system makes no FIFOs here: %v", err)
	}
	opt := testOptions(t)
	opt.Limits.FileSize = 10000
	opt.Deny = []string{"*.key"}
	w := openTest(t, dir, opt)

	for name, want := range map[string]string{
		"a.txt": "text\r\n", "./sub/../a.txt": "text\r\n", "sub//b.txt": "b", "link": "text\r\n", "sub/up": "text\r\n",
		"dirlink/b.txt": "b", "dirlink/../a.txt": "text\r\n", "abs": "text\r\n",
		"absdir/b.txt": "b", "self/self/a.txt": "text\r\n",
		"latin1": "caf\xe9\n", "late-nul": strings.Repeat("x", binaryPrefix) + "\x00",
		"utf16le": "hi\n", "utf16be": "hi\n", "utf16empty": "",
	} {
		got, err := w.ReadFile(name)
		if err != nil || string(got) != want || got == nil {
			t.Errorf("ReadFile(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]apply.Reason{
		"../outside": apply.OutsideRoot, "a/../../b": apply.OutsideRoot,
		"/etc/passwd": apply.OutsideRoot, "": apply.OutsideRoot,
		`..\x`: apply.OutsideRoot, `sub\..\..\x`: apply.OutsideRoot,
		`\\server\share\x`: apply.OutsideRoot, "//server/share": apply.OutsideRoot,
		`C:\x`: apply.OutsideRoot, "c:/x": apply.OutsideRoot, "C:x": apply.OutsideRoot,
		"sub/../C:x": apply.OutsideRoot, "a\x00b": apply.OutsideRoot,
		filepath.Join(dir, "a.txt"): apply.OutsideRoot,
		"absout":                    apply.OutsideRoot, "relout": apply.OutsideRoot,
		"dirout/secret": apply.OutsideRoot, "dirout/new": apply.OutsideRoot,
		"dangling": apply.NotRegular, "loop1": apply.NotRegular, "sub": apply.NotRegular,
		".": apply.NotRegular, "sub/": apply.NotRegular,
		"self": apply.NotRegular, "fifo": apply.NotRegular, "a.txt/x": apply.NotRegular, "dangling/x": apply.NotRegular,
		".git/config": apply.Denied, ".GIT/config": apply.Denied, "sub/.git/hooks/x": apply.Denied,
		".git": apply.Denied, "gitlink": apply.Denied,
		".git./config": apply.Denied, ".git /x": apply.Denied, "git~1/config": apply.Denied,
		".g\u200cit/config":              apply.Denied,
		".git::$INDEX_ALLOCATION/config": apply.Denied, `.git\config`: apply.Denied, "my.key": apply.Denied,
		"nul": apply.Binary, "utf32": apply.Binary, "utf16odd": apply.Unreadable,
		"utf16lone": apply.Unreadable, "big": apply.TooLarge,
	} {
		got, err := w.ReadFile(name)
		if reasonOf(err) != want || got != nil {
			t.Errorf("ReadFile(%q) = %q, %v (%s); want %s", name, got, err, reasonOf(err), want)
		}
	}
	for _, name := range []string{"none", "none/none", "dirlink/none", ".gitignore", ".github/x"} {
		if _, err := w.ReadFile(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("ReadFile(%q): %v; want one that is fs.ErrNotExist", name, err)
		}
	}
}

func TestPathsWithoutGit(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"b": "", "a/c": "", "a/.git/x": "", ".git/y": "", "a-b": "", "no.key": ""})
	symlink(t, "b", filepath.Join(dir, "link"))
	opt := testOptions(t)
	opt.Deny = []string{"*.key"}
	w := openTest(t, dir, opt)
	if got, want := slices.Collect(w.Paths()), []string{"a-b", "a/c", "b"}; !slices.Equal(got, want) || !w.Complete() {
		t.Errorf("Paths: %q, complete %v; want %q", got, w.Complete(), want)
	}
	opt.Limits.paths = 2
	w = openTest(t, dir, opt)
	if got := slices.Collect(w.Paths()); len(got) > 2 || w.Complete() {
		t.Errorf("Paths beyond the limit: %q, complete %v", got, w.Complete())
	}
}

func TestCommit(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"mod": "old\n", "gone": "bye\n", "old/name": "moved\n",
		"same": "same\n", "wide": "\xfe\xff\x00a\x00\n"})
	long := time.Now().Add(-time.Hour)
	for name, mode := range map[string]fs.FileMode{"mod": 0o755, "old/name": 0o640, "same": 0o600} {
		if err := errors.Join(os.Chmod(filepath.Join(dir, name), mode),
			os.Chtimes(filepath.Join(dir, name), long, long)); err != nil {
			t.Fatal(err)
		}
	}
	w := openTest(t, dir, testOptions(t))
	plan := planOf(
		change("mod", []byte("old\n"), []byte("new\n")),
		change("gone", []byte("bye\n"), nil),
		change("deep/er/made", nil, []byte("made\n")),
		change("wide", []byte("a\n"), []byte("ä\n")),
		apply.FileChange{Path: "new/name", From: "old/name", Action: apply.Move,
			Before: []byte("moved\n"), After: []byte("moved!\n")},
		change("same", []byte("same\n"), []byte("same\n")),
	)
	if _, err := w.Commit(context.Background(), plan); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"mod": "new\n", "deep/": "", "deep/er/": "", "deep/er/made": "made\n",
		"new/": "", "new/name": "moved!\n", "old/": "",
		"same": "same\n", "wide": "\xfe\xff\x00\xe4\x00\n"}
	compareTrees(t, readTree(t, dir), want)
	for name, mode := range map[string]fs.FileMode{"mod": 0o755, "new/name": 0o640, "same": 0o600} {
		if info, _ := os.Stat(filepath.Join(dir, name)); modesKept && info.Mode() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), mode)
		}
	}
	if info, _ := os.Stat(filepath.Join(dir, "same")); !info.ModTime().Equal(long) {
		t.Error("an unchanged file was touched")
	}
}

func compareTrees(t testing.TB, got, want map[string]string) {
	t.Helper()
	for name, content := range want {
		if g, ok := got[name]; !ok || g != content {
			t.Errorf("%s: %q (there: %v), want %q", name, g, ok, content)
		}
	}
	for name, content := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %q is left, want nothing", name, content)
		}
	}
}

func TestCommitRefuses(t *testing.T) {
	files := map[string]string{"a": "a\n", "b": "b\n", "ro": "ro\n", "d/f": "f\n", "hard1": "h\n",
		"wide": "\xff\xfea\x00"}
	mod := func(path, before string) apply.FileChange { return change(path, []byte(before), []byte("changed\n")) }
	for name, c := range map[string]struct {
		opt     Options
		changes []apply.FileChange
		want    apply.Reason
	}{
		"stale":          {Options{}, []apply.FileChange{mod("b", "B\n")}, apply.Stale},
		"gone":           {Options{}, []apply.FileChange{mod("none", "B\n")}, apply.NoSuchFile},
		"exists":         {Options{}, []apply.FileChange{change("b", nil, []byte("new"))}, apply.Exists},
		"read-only":      {Options{}, []apply.FileChange{mod("ro", "ro\n")}, apply.NotWritable},
		"no create":      {Options{NoCreate: true}, []apply.FileChange{change("new", nil, []byte("x"))}, apply.Denied},
		"denied":         {Options{Deny: []string{"d"}}, []apply.FileChange{mod("d/f", "f\n")}, apply.Denied},
		"denied by link": {Options{Deny: []string{"b"}}, []apply.FileChange{mod("lb", "b\n")}, apply.Denied},
		"not allowed":    {Options{Allow: []string{"a"}}, []apply.FileChange{mod("b", "b\n")}, apply.Denied},
		"expected": {Options{Expect: map[string]string{"b": "sha256:00"}},
			[]apply.FileChange{mod("b", "b\n")}, apply.Stale},
		"expected absent": {Options{Expect: map[string]string{"./b": "absent"}},
			[]apply.FileChange{mod("a", "a\n")}, apply.Stale},
		"device":       {Options{}, []apply.FileChange{change("x/aux.txt", nil, []byte("x"))}, apply.Denied},
		"backslash":    {Options{}, []apply.FileChange{change(`x\/y`, nil, []byte("x"))}, apply.Denied},
		"control":      {Options{}, []apply.FileChange{change("x\x1b[2J.txt", nil, []byte("x"))}, apply.Denied},
		"bidi control": {Options{}, []apply.FileChange{change("x/gpj.\u202ecod", nil, []byte("x"))}, apply.Denied},
		"too deep": {Options{},
			[]apply.FileChange{change(strings.Repeat("d/", maxDepth)+"x", nil, []byte("x"))}, Limit},
		"too long": {Options{},
			[]apply.FileChange{change(strings.Repeat("d", maxName+1), nil, []byte("x"))}, Limit},
		"too many dirs": {Options{Limits: Limits{files: 3}},
			[]apply.FileChange{change("n/n/n/n/x", nil, []byte("x"))}, Limit},
		"outside":      {Options{}, []apply.FileChange{change("../x", nil, []byte("x"))}, apply.OutsideRoot},
		"same by link": {Options{}, []apply.FileChange{mod("b", "b\n"), mod("lb", "b\n")}, apply.Overlap},
		"link deleted": {Options{}, []apply.FileChange{change("lb", []byte("b\n"), nil)}, apply.NotRegular},
		"too many": {Options{Limits: Limits{files: 1}},
			[]apply.FileChange{mod("a", "a\n"), mod("b", "b\n")}, Limit},
		"too large": {Options{Limits: Limits{FileSize: 7}}, []apply.FileChange{mod("b", "b\n")}, apply.TooLarge},
		"not utf-16": {Options{},
			[]apply.FileChange{change("wide", []byte("a"), []byte("\xff"))}, apply.NotWritable},
		"below a file": {Options{}, []apply.FileChange{change("b/x", nil, []byte("x"))}, apply.NotRegular},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, files)
			symlink(t, "b", filepath.Join(dir, "lb"))
			if err := errors.Join(os.Chmod(filepath.Join(dir, "ro"), 0o444),
				os.Link(filepath.Join(dir, "hard1"), filepath.Join(dir, "hard2"))); err != nil {
				t.Fatal(err)
			}
			before := readTree(t, dir)
			c.opt.StateDir = filepath.Join(t.TempDir(), "state")
			w := openTest(t, dir, c.opt)
			changes := c.changes
			if !slices.ContainsFunc(changes,
				func(c apply.FileChange) bool { return c.Path == "a" }) && name != "not allowed" &&
				c.opt.Limits.files == 0 {
				changes = append([]apply.FileChange{mod("a", "a\n")}, changes...)
			}
			if c.opt.Limits.FileSize > 0 {
				changes = c.changes
			}
			_, err := w.Commit(context.Background(), planOf(changes...))
			if reasonOf(err) != c.want {
				t.Errorf("%v (%s), want %s", err, reasonOf(err), c.want)
			}
			compareTrees(t, readTree(t, dir), before)
		})
	}
}

func TestLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"target": "old\n", "hard1": "long before\n"})
	symlink(t, "target", filepath.Join(dir, "soft"))
	if err := os.Link(filepath.Join(dir, "hard1"), filepath.Join(dir, "hard2")); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(t)
	w := openTest(t, dir, opt)
	_, err := w.Commit(context.Background(),
		planOf(change("soft", []byte("old\n"), []byte("new\n")),
			change("hard1", []byte("long before\n"), []byte("short\n"))))
	if err != nil {
		t.Fatal(err)
	}
	compareTrees(t, readTree(t, dir),
		map[string]string{"target": "new\n", "soft": "-> target", "hard1": "short\n", "hard2": "long before\n"})
}

func TestPathsWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; without it paths are listed by a walk, which has its own test")
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{".gitignore": "/out/\n*.log\n", "a": "", "gone": "",
		"sub/b c": "", "sub/new\n": "", "out/x": "", "sub/y.log": "", "tracked.log": ""})
	hook := filepath.Join(t.TempDir(), "ran")
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "a", "gone", "sub/b c"}, {"add", "-f", "tracked.log"},
		{"config", "core.fsmonitor", "touch " + hook + "; false"},
	} {
		git := exec.Command("git", args...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v, %s", args, err, out)
		}
	}
	symlink(t, "a", filepath.Join(dir, "link"))
	if err := os.Remove(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(t)
	w := openTest(t, dir, opt)
	if got, want := slices.Collect(w.Paths()),
		[]string{".gitignore", "a", "sub/b c", "sub/new\n", "tracked.log"}; !slices.Equal(got, want) || !w.Complete() {
		t.Errorf("Paths: %q, complete %v; want %q", got, w.Complete(), want)
	}
	if _, err := os.Stat(hook); err == nil {
		t.Error("a command of the repository's configuration was run")
	}
	w = openTest(t, filepath.Join(dir, "sub"), opt)
	if got, want := slices.Collect(w.Paths()), []string{"b c", "new\n"}; !slices.Equal(got, want) {
		t.Errorf("Paths of a subdirectory: %q, want %q", got, want)
	}
	w = openTest(t, filepath.Join(dir, "out"), opt)
	if got, want := slices.Collect(w.Paths()), []string{"x"}; !slices.Equal(got, want) {
		t.Errorf("Paths of an ignored directory: %q, want %q", got, want)
	}
	opt.Limits.paths = 3
	w = openTest(t, dir, opt)
	if got := slices.Collect(w.Paths()); len(got) > 3 || w.Complete() {
		t.Errorf("Paths beyond the limit: %q, complete %v", got, w.Complete())
	}
}

func TestGlobs(t *testing.T) {
	for glob, c := range map[string]struct{ yes, no []string }{
		"*.lock":    {[]string{"a.lock", "x/y/b.lock", "dir.lock/file"}, []string{"lock", "a.lock.go"}},
		"vendor":    {[]string{"vendor", "vendor/x", "sub/vendor/y/z"}, []string{"vendors", "my-vendor/x"}},
		"vendor/":   {[]string{"vendor/x"}, []string{"vendors/x"}},
		"/vendor":   {[]string{"vendor/x"}, []string{"sub/vendor/y"}},
		"src/*.go":  {[]string{"src/a.go"}, []string{"a.go", "src/sub/a.go", "x/src/a.go"}},
		"src/**/*_": {[]string{"src/a_", "src/x/y/a_"}, []string{"a_", "src/a"}},
		"**/gen":    {[]string{"gen", "a/gen/b"}, []string{"general"}},
		"a/**":      {[]string{"a/b", "a/b/c"}, []string{"b/a"}},

		// As shells and scripts write them.
		"./a.env":            {[]string{"a.env"}, []string{"sub/a.env"}},
		"./sub/":             {[]string{"sub/a"}, []string{"x/sub/a"}},
		"vendor//":           {[]string{"vendor/x", "sub/vendor/y"}, nil},
		"sub//a.env":         {[]string{"sub/a.env"}, []string{"x/sub/a.env"}},
		"sub/./a.env":        {[]string{"sub/a.env"}, nil},
		".":                  {[]string{"a", "b/c"}, nil},
		"/home/me/tree":      {[]string{"a", "b/c"}, nil},
		"/home/me/tree/sub/": {[]string{"sub/a"}, []string{"x/sub/a"}},
		"/data/tree/a*":      {[]string{"ab"}, []string{"x/ab"}},
		"/etc/x":             {[]string{"etc/x"}, nil},
		`\{\{name}}/x`:       {[]string{"{{name}}/x"}, nil},
		`\{a\,b}`:            {[]string{"{a,b}"}, nil},
	} {
		globs, err := compileGlobs([]string{glob}, asWritten, "/home/me/tree", "/data/tree")
		if err != nil {
			t.Error(err)
		}
		for _, name := range c.yes {
			if _, ok := globs.match(name); !ok {
				t.Errorf("%q does not match %q", glob, name)
			}
		}
		for _, name := range c.no {
			if _, ok := globs.match(name); ok {
				t.Errorf("%q matches %q", glob, name)
			}
		}
	}
	dir := t.TempDir()
	for _, glob := range []string{"[a", "[a/b]", "", "/", "../x", "sub/../x", "sub/{s}.env",
		"{a", "f{1..3}", dir + "-beside/x", `C:/x`} {
		for _, opt := range []Options{{Deny: []string{"x", glob}}, {Allow: []string{glob}}} {
			if _, err := Open(dir, opt); err == nil {
				t.Errorf("%q, which fits nothing, is accepted", glob)
			} else if e, ok := errors.AsType[*GlobError](err); !ok || e.glob != glob {
				t.Errorf("%q: %v", glob, err)
			}
		}
	}
}
