package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A release is built twice, first with the command in docs/packaging.md for sources without git.
// The second time, the directory, the files' times, the time zone and Go's settings differ. The
// bytes must be the same. With SRPATCH_THOROUGH, it is built for all platforms, the second time
// without a cache.
func TestBuildingTwiceGivesTheSameBytes(t *testing.T) {
	wanted := []target{{"linux", "amd64"}, {"windows", "arm64"}}
	thorough := os.Getenv("SRPATCH_THOROUGH") != ""
	if thorough {
		wanted = targets()
	}
	command := regexp.MustCompile(`(?m)^    SOURCE_DATE_EPOCH=(\d+) go -C internal/release run \. --version (\S+)$`).FindSubmatch(read(t, "../../docs/packaging.md"))
	if command == nil {
		t.Fatal("docs/packaging.md has no command for sources without git")
	}
	epoch, err := strconv.ParseInt(string(command[1]), 10, 64)
	must(t, err)
	from := origin{version: string(command[2]), commit: "0123456789abcdef0123456789abcdef01234567", date: time.Unix(epoch, 0)}
	once, again, root := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "a")
	copySources(t, root)
	t.Setenv("SOURCE_DATE_EPOCH", string(command[1]))
	downloads := "file://" + filepath.ToSlash(once)
	typed := []string{"--version", from.version, "--commit", from.commit, "--root", root, "--out", once,
		"--downloads", downloads}
	for _, target := range wanted {
		typed = append(typed, target.String())
	}
	var made bytes.Buffer
	must(t, run(t.Context(), typed, &made))
	names := strings.Fields(made.String())

	t.Setenv("SOURCE_DATE_EPOCH", "")
	t.Setenv("GOAMD64", "v3")
	t.Setenv("GOFLAGS", "-tags=netgo")
	if thorough {
		t.Setenv("GOCACHE", t.TempDir())
	}
	from.date = from.date.In(time.FixedZone("", 9*60*60))
	root = filepath.Join(t.TempDir(), "another place", "b")
	copySources(t, root)
	second, err := release(t.Context(), root, again, downloads, from, wanted)
	if must(t, err); !slices.Equal(names, second) {
		t.Fatalf("first %v, then %v", names, second)
	}
	for _, name := range names {
		if !bytes.Equal(read(t, filepath.Join(once, name)), read(t, filepath.Join(again, name))) {
			t.Errorf("%s differs the second time", name)
		}
	}
	top := "srpatch-" + from.number() + "-"
	t.Run("checksums", func(t *testing.T) {
		var want string
		for _, name := range names[:len(names)-1] {
			want += fmt.Sprintf("%x  %s\n", sha256.Sum256(read(t, filepath.Join(once, name))), name)
		}
		if got := string(read(t, filepath.Join(once, "SHA256SUMS"))); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("contents", func(t *testing.T) {
		for _, c := range []struct {
			top, ext, exe string
			unpack        func(*testing.T, string, string)
		}{{top + "linux-amd64", ".tar.gz", "", untar}, {top + "windows-arm64", ".zip", ".exe", unzip}} {
			dir := t.TempDir()
			c.unpack(t, filepath.Join(once, c.top+c.ext), dir)
			got := filesIn(t, filepath.Join(dir, c.top))
			linksLead(t, filepath.Join(dir, c.top), got)
			got = slices.DeleteFunc(got, func(name string) bool {
				return strings.HasPrefix(name, "docs/") || strings.HasPrefix(name, "examples/")
			})
			want := []string{"CHANGELOG.md", "CONTRIBUTING.md", "GUIDE.md", "LICENSE", "README.md", "SECURITY.md", "THIRD-PARTY",
				"apply/workspace/exec.globs", "completions/_srpatch", "completions/srpatch.bash", "completions/srpatch.fish", "internal/api/api.txt",
				"internal/eval/appliers/diffs.sh", "internal/eval/appliers/rules.py", "packages/python/tests/aider.json",
				"srpatch" + c.exe, "srpatch-mcp" + c.exe, "srpatch-mcp.1", "srpatch.1"}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		}
	})
	t.Run("formula", func(t *testing.T) {
		found := regexp.MustCompile(`url "file://(.*)"\s+sha256 "(.*)"`).FindAllSubmatch(
			read(t, filepath.Join(once, "srpatch.rb")), -1)
		if len(found) == 0 {
			t.Fatal("the formula has no archive")
		}
		for _, f := range found {
			if sum := fmt.Sprintf("%x", sha256.Sum256(read(t, string(f[1])))); sum != string(f[2]) {
				t.Errorf("%s has the checksum %s, not %s", f[1], sum, f[2])
			}
		}
	})
	t.Run("action", func(t *testing.T) {
		if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
			t.Skip("the test builds no archive for this machine")
		}
		t.Setenv("SRPATCH_DOWNLOADS", downloads)
		dir := t.TempDir()
		install := func() (string, error) {
			said, err := exec.Command("sh", "../../packages/action/install.sh", from.version, dir).CombinedOutput()
			return string(said), err
		}
		if said, err := install(); err != nil {
			t.Fatal(err, said)
		}
		got, err := exec.Command(filepath.Join(dir, "srpatch"), "--version").Output()
		if must(t, err); string(got) != "srpatch "+from.version+"\n" {
			t.Errorf("got %q", got)
		}
		damaged := t.TempDir()
		t.Setenv("SRPATCH_DOWNLOADS", "file://"+damaged)
		must(t, os.CopyFS(damaged, os.DirFS(once)))
		must(t, os.WriteFile(filepath.Join(damaged, top+"linux-amd64.tar.gz"), []byte("other"), 0o666))
		if said, err := install(); err == nil || !strings.Contains(said, "FAILED") {
			t.Errorf("a damaged archive: %v, %s", err, said)
		}
	})
	wheels := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return path.Ext(name) != ".whl" })
	t.Run("wheels", func(t *testing.T) {
		if len(wheels) != len(wanted) {
			t.Fatal(wheels)
		}
		for _, name := range wheels {
			dir := t.TempDir()
			unzip(t, filepath.Join(once, name), dir)
			recordHolds(t, dir, "srpatch-"+from.number()+".dist-info/RECORD")
		}
	})
	t.Run("wheel, installed", func(t *testing.T) {
		t.Setenv("SRPATCH_BINARY", "")
		python := pythonWith(t, once, wheels)
		got, err := exec.Command(python, "../../packages/python/example.py").Output()
		must(t, err)
		if want := read(t, "../../packages/python/tests/example.txt"); !bytes.Equal(got, want) {
			t.Errorf("example.py printed\n%s\nwant\n%s", got, want)
		}
		got, err = exec.Command(filepath.Join(filepath.Dir(python), "srpatch"), "--version").Output()
		if must(t, err); string(got) != "srpatch "+from.version+"\n" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("version", func(t *testing.T) {
		if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
			t.Skip("the test builds no programs for this machine")
		}
		dir := t.TempDir()
		untar(t, filepath.Join(once, top+"linux-amd64.tar.gz"), dir)
		for program, want := range map[string]string{
			"srpatch --version -v":  "srpatch " + from.version + "\ncommit " + from.commit + "\n" + runtime.Version() + " linux/amd64\n",
			"srpatch --version":     "srpatch " + from.version + "\n",
			"srpatch-mcp --version": "srpatch-mcp " + from.version + "\n",
		} {
			words := strings.Fields(program)
			got, err := exec.Command(filepath.Join(dir, top+"linux-amd64", words[0]), words[1:]...).Output()
			if must(t, err); string(got) != want {
				t.Errorf("%s: got %q, want %q", program, got, want)
			}
		}
	})
}

// recordHolds checks the files of an unpacked wheel against its own list.
func recordHolds(t *testing.T, dir, record string) {
	t.Helper()
	var names []string
	for line := range strings.Lines(string(read(t, filepath.Join(dir, record)))) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		names = append(names, fields[0])
		if fields[0] == record {
			continue
		}
		data := read(t, filepath.Join(dir, fields[0]))
		sum := sha256.Sum256(data)
		want := []string{fields[0], "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]), strconv.Itoa(len(data))}
		if !slices.Equal(fields, want) {
			t.Errorf("got  %v\nwant %v", fields, want)
		}
	}
	slices.Sort(names)
	got := filesIn(t, dir)
	if slices.Sort(got); !slices.Equal(got, names) {
		t.Errorf("got  %v\nwant %v", got, names)
	}
}

// pythonWith returns a Python in which the wheel for this machine is installed, offline.
func pythonWith(t *testing.T, dir string, wheels []string) string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the test builds no wheel for this machine")
	}
	venv := t.TempDir()
	if err := exec.Command("python3", "-m", "venv", venv).Run(); err != nil {
		t.Skip("python3 with venv:", err)
	}
	python := filepath.Join(venv, "bin", "python3")
	i := slices.IndexFunc(wheels, func(name string) bool { return strings.Contains(name, "manylinux2014_x86_64") })
	if said, err := exec.Command(python, "-m", "pip", "install", "--no-index", filepath.Join(dir, wheels[i])).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return python
}

func TestVersionsForPython(t *testing.T) {
	for number, want := range map[string]string{
		"0.1.0":                             "0.1.0",
		"1.2.3-rc.1":                        "1.2.3rc1",
		"0.1.0-beta.2+dirty":                "0.1.0b2+dirty",
		"0.0.0-20261126174127-5cdf809b1234": "0.0.0.dev20261126174127+5cdf809b1234",
		"0.1.1-0.20261126174127-5cdf809b1234+dirty": "0.1.1.dev20261126174127+5cdf809b1234.dirty",
		"0.1.0-preview": "",
	} {
		if got, err := pep440(number); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: got %q, %v, want %q", number, got, err, want)
		}
	}
}

// The Debian package has the pages of an archive below /usr/share/doc/srpatch.
func TestLinksInTheDebianPackageWork(t *testing.T) {
	packed, err := pages("../..")
	must(t, err)
	dir := t.TempDir()
	for _, f := range packed {
		write(t, filepath.Join(dir, filepath.FromSlash(f.debian)), f.data, f.mode)
	}
	doc := filepath.Join(dir, "usr/share/doc/srpatch")
	names := filesIn(t, doc)
	linksLead(t, doc, names)
	for _, name := range []string{"README.md", "docs/packaging.md", "docs/recording.svg", "examples/vim/plugin/srpatch.vim", "changelog.gz"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not in the package", name)
		}
	}
}

// filesIn returns the names of the files below a directory, with slashes.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	}))
	return names
}

// linksLead checks that the links in a directory's pages lead to files in it.
func linksLead(t *testing.T, dir string, names []string) {
	t.Helper()
	seen := 0
	for _, name := range names {
		if path.Ext(name) != ".md" {
			continue
		}
		for _, to := range links(read(t, filepath.Join(dir, name))) {
			seen++
			if _, err := fs.Stat(os.DirFS(dir), path.Join(path.Dir(name), to)); err != nil {
				t.Errorf("%s has a link that leads nowhere: %v", name, err)
			}
		}
	}
	if seen < 30 {
		t.Errorf("found only %d links", seen)
	}
}

// copySources copies the sources without .git and built files.
func copySources(t *testing.T, to string) {
	t.Helper()
	const from = "../.."
	must(t, filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains([]string{".git", "dist", "node_modules"}, e.Name()) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(from, path)
		if err != nil || !e.IsDir() && !e.Type().IsRegular() {
			return err
		}
		target := filepath.Join(to, rel)
		if e.IsDir() {
			return os.MkdirAll(target, 0o777)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	}))
}

func untar(t *testing.T, name, dir string) {
	t.Helper()
	zipped, err := gzip.NewReader(bytes.NewReader(read(t, name)))
	must(t, err)
	r := tar.NewReader(zipped)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		must(t, err)
		data, err := io.ReadAll(r)
		must(t, err)
		write(t, filepath.Join(dir, filepath.FromSlash(h.Name)), data, h.FileInfo().Mode())
	}
}

func unzip(t *testing.T, name, dir string) {
	t.Helper()
	r, err := zip.OpenReader(name)
	must(t, err)
	defer r.Close()
	for _, f := range r.File {
		data, err := fs.ReadFile(r, f.Name)
		must(t, err)
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), data, f.Mode())
	}
}

func write(t *testing.T, name string, data []byte, mode fs.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o777))
	must(t, os.WriteFile(name, data, mode))
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	return data
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestVersionWithoutGit(t *testing.T) {
	date := time.Unix(1795000000, 0).UTC()
	for name, c := range map[string]struct {
		epoch string
		of    origin
		want  origin
		err   string
	}{
		"version and date": {"1795000000", origin{version: "v0.1.0", commit: "abc"}, origin{"v0.1.0", "abc", date}, ""},
		"no date":          {"", origin{version: "v0.1.0"}, origin{}, "SOURCE_DATE_EPOCH"},
		"no number":        {"today", origin{version: "v0.1.0"}, origin{}, "SOURCE_DATE_EPOCH"},
		"no v":             {"1795000000", origin{version: "0.1.0"}, origin{}, "expected a version such as v0.1.0"},
		"no version":       {"1795000000", origin{}, origin{}, "--version"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SOURCE_DATE_EPOCH", c.epoch)
			got, err := c.of.or(os.Args[0]) // go test records no commit
			if c.err == "" && (err != nil || got != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestOldFilesAreNotMixedWithNew(t *testing.T) {
	out := t.TempDir()
	write(t, filepath.Join(out, "srpatch-0.0.1-linux-amd64.tar.gz"), nil, 0o666)
	if err := run(t.Context(), []string{"--out", out}, io.Discard); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Error(err)
	}
}

func TestPlatformsByName(t *testing.T) {
	if got, err := targetsOf([]string{"darwin/arm64"}); err != nil || !slices.Equal(got, []target{{"darwin", "arm64"}}) {
		t.Error(got, err)
	}
	if _, err := targetsOf([]string{"plan9/amd64"}); err == nil || !strings.Contains(err.Error(), "linux/amd64") {
		t.Error(err)
	}
}

// docs/packaging.md tells packagers which modules the programs contain, and their licences.
func TestModulesAreListedForPackagers(t *testing.T) {
	b := builder{root: "../.."}
	modules, err := b.modules(t.Context())
	must(t, err)
	page := string(read(t, "../../docs/packaging.md"))
	for _, m := range modules {
		if !strings.Contains(page, "| `"+m.path+"` | ") {
			t.Errorf("docs/packaging.md does not list %s", m.path)
		}
	}
	for line := range strings.Lines(page) {
		if path, ok := strings.CutPrefix(line, "| `"); ok && strings.Contains(line, ".") {
			path, _, _ = strings.Cut(path, "`")
			if strings.Contains(path, "/") && strings.Contains(strings.Split(path, "/")[0], ".") && !slices.ContainsFunc(modules, func(m module) bool { return m.path == path }) {
				t.Errorf("docs/packaging.md lists %s, but no program contains it", path)
			}
		}
	}
}
