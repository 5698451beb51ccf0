package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/effort"
)

// hostileNames are file names that want to be more than a name.
var hostileNames = []string{
	"a.txt\nb.txt", "a.txt\n✓ 2  forged.txt:1\n9 blocks: 9 applied", "a.txt\r✓ 2  forged.txt:1",
	"a\u2028✓ 2  forged.txt", "a\u0085✓ 2  forged.txt",
	"\x1b[2J\x1b[H.txt", "\x1b]0;title\x07.txt", "\u009b31m.txt", "\x7f\b\b\b.txt",
	"gpj.\u202ecod.txt", "\u2066a\u2069.txt", "a\u200b.txt", "\xff\xfe.txt", "\U000e0041.txt",
	strings.Repeat("x", 5000) + ".txt", strings.Repeat("d/", 3000) + "x.txt", strings.Repeat("../", 3000) + "x.txt",
	"a\x00b.txt", "\x00", "", ".", "..", "/", "a.txt/", "a.txt/b", " ", "a.txt ", ".. /x.txt",
	"... ", "~/x.txt", "$HOME/x.txt",
	"../outside.txt", "a/../../outside.txt", "/OUTSIDE/outside.txt", `..\outside.txt`, `C:\x.txt`,
	"c:x.txt", `\\server\share\x.txt`, "//server/share/x.txt",
	".git/hooks/post-commit", ".GIT/hooks/pre-commit", ".git/config", "sub/.git/config",
	"git~1/config", ".g\u200cit/config", ".git./config", ".git::$INDEX_ALLOCATION/x", `.git\hooks\x`,
	"CON", "nul.txt", "aux", "sub/com1.c", "LPT¹.txt", "CONIN$", "/dev/stdin", "/dev/full",
	"/proc/self/mem", "fifo", "link/outside.txt", "link",
	"A.TXT", "SUB/../A.txt", "-rf", "--force", "--state-dir=x", "$(touch pwned)", "`touch pwned`",
	"; touch pwned", "| touch pwned", "%s%n%d",
}

// hostileReplies wrap a name in every way a reply can, with content that is no better.
func hostileReplies(name string) []string {
	const bad = "\x1b[45m\u202eevil\u2066\r✓ 2  forged.txt:1\n✓ 3  forged.txt:1\n"
	quoted, _ := json.Marshal(name)
	quotedBad, _ := json.Marshal(bad)
	block := func(search, replace string) string {
		return "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n"
	}
	return []string{
		name + "\n" + block("", bad),
		name + "\n" + block("one\n", bad),
		name + "\n" + block(bad, "one\n"),
		"```" + name + "\n" + block("one\n", bad) + "```\n",
		fmt.Sprintf(`{"path": %s, "old_string": %s, "new_string": "x"}`, quoted, quotedBad),
		fmt.Sprintf(`{"path": %s, "old_string": "one", "new_string": %s}`, quoted, quotedBad),
		fmt.Sprintf(`{"path": %s, "old_string": "", "new_string": %s}`, quoted, quotedBad),
		"*** Begin Patch\n*** Add File: " + name + "\n+" + bad + "*** End Patch\n",
		"*** Begin Patch\n*** Delete File: " + name + "\n*** End Patch\n",
		"*** Begin Patch\n*** Update File: a.txt\n*** Move to: " + name + "\n@@\n-one\n+uno\n*** End Patch\n",
		"```diff\ndiff --git a/a.txt b/x\nrename from a.txt\nrename to " + name + "\n```\n",
		"```diff\n--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+" + bad + "```\n",
		"<apply_diff><path>" + name + "</path><diff>\n" +
			block(":start_line:99999999999999999999\n-------\none\n", bad) + "</diff></apply_diff>\n",
		"```bash\ntouch pwned\n```\n" + name + "\n<<<<<<< SEARCH" + bad + "\n" + bad + "=======\n" + bad,
	}
}

// TestHostileReplies: nothing that a reply says runs, leaves the tree, reaches git's files, acts on
// a terminal or passes for a line of the report, whatever is printed. With SRPATCH_THOROUGH each
// name comes in each reply, otherwise in every third.
func TestHostileReplies(t *testing.T) {
	memory := memoryDir(t)
	forms := map[string]form{"parse": theForm(t, "parse", "--json"), "check": theForm(t, "check", "--json")}
	for i, name := range hostileNames {
		t.Run(fmt.Sprintf("%.30q", name), func(t *testing.T) {
			if testing.Short() && i%5 > 0 {
				t.Skip("every fifth name is enough for the race detector")
			}
			t.Parallel()
			h := hostility{T: t, base: filepath.Join(memory, strconv.Itoa(i))}
			for j, reply := range hostileReplies(strings.ReplaceAll(name, "/OUTSIDE", h.base)) {
				if (i+j)%effort.Of(3, 3, 1) > 0 {
					continue
				}
				h.layTree()
				h.run(reply, "check", "-v", "--color=always")
				h.run(reply, "check", "--feedback")
				h.run(reply, "diff", "--color=always")
				h.run(reply, "parse")
				for mode, form := range forms {
					out := h.run(reply, mode, "--json")
					if err := form.check(out); err != nil {
						t.Errorf("%v: %q", err, out)
					}
				}
				h.run(reply, "--partial")
				h.checkTree()
				if t.Failed() {
					t.Fatalf("the reply was %q", reply[:min(len(reply), 1000)])
				}
			}
			h.run("", "log", "-v")
			h.run("", "undo", "--force")
			h.checkTree()
		})
	}
}

// memoryDir is a temporary directory in memory where the system has such a file system: tests that
// write many files wait for no disk.
func memoryDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "srpatch-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// hostility is a tree in a directory that it should not get out of.
type hostility struct {
	*testing.T
	base string
}

// run runs the command with a reply on stdin and looks at all it prints.
func (t *hostility) run(reply string, args ...string) []byte {
	t.Helper()
	if args[0] != "parse" {
		args = append(args, "-d", filepath.Join(t.base, "root"), "--state-dir", filepath.Join(t.base, "state"))
	}
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(reply), &stdout, &stderr,
		func(string) string { return "" })
	if code < 0 || code > 2 {
		t.Errorf("exit status %d", code)
	}
	t.checkShown(stdout.String())
	t.checkShown(stderr.String())
	return stdout.Bytes()
}

const untouched = "nobody's business\n"

func (t *hostility) layTree() {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(t.base, "root")); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"outside.txt": untouched, "root/.git/config": untouched, "root/.git/hooks/x": untouched,
		"root/a.txt": "one\ntwo\n", "root/sub/b.txt": "one\n\x1b[45m\u202eevil\u2066\rx\n",
	} {
		name = filepath.Join(t.base, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777),
			os.WriteFile(name, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	_ = os.Symlink("..", filepath.Join(t.base, "root", "link")) // not on every system
}

func (t *hostility) checkTree() {
	t.Helper()
	for _, name := range []string{"outside.txt", "root/.git/config", "root/.git/hooks/x"} {
		if got, err := os.ReadFile(filepath.Join(t.base, name)); string(got) != untouched {
			t.Errorf("%s holds %q (%v)", name, got, err)
		}
	}
	for dir, want := range map[string]int{"": 3, "root/.git": 2, "root/.git/hooks": 1} {
		if entries, err := os.ReadDir(filepath.Join(t.base, dir)); err != nil || len(entries) > want {
			t.Errorf("%v in %s (%v)", entries, dir, err)
		}
	}
	for _, dir := range []string{".", filepath.Join(t.base, "root")} {
		if _, err := os.Lstat(filepath.Join(dir, "pwned")); err == nil {
			t.Error("a command of the reply was run")
		}
	}
}

// checkShown looks at what was printed: the only escapes are those of colours, and lines of the
// report are not the reply's.
func (t *hostility) checkShown(out string) {
	t.Helper()
	out = regexp.MustCompile(`\x1b\[[0-3]?[0-9]?m`).ReplaceAllString(out, "")
	for i, r := range out {
		switch {
		case r == '\n' || r == '\t' || r == '\u200c':
			continue
		case r == utf8.RuneError && !strings.HasPrefix(out[i:], "\ufffd"),
			unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			t.Errorf("%q is printed: %q", r, out[max(0, i-40):min(len(out), i+40)])
			return
		}
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "✓ 2  forged") || strings.HasPrefix(line, "✓ 3  forged") ||
			strings.HasPrefix(line, "9 blocks") {
			t.Errorf("a line of the report is forged: %q", line)
		}
	}
}

// TestHugeReplies: whatever a reply repeats, the run ends, and takes memory in proportion to the
// reply.
func TestHugeReplies(t *testing.T) {
	var file strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&file, "value_%d = compute(%d)\n", i, i*7919%1009)
	}
	block := func(name, search, replace string) string {
		return name + "\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n"
	}
	blocks := func(n int, of func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(of(i))
		}
		return b.String()
	}
	const many = 50_000
	for name, c := range map[string]struct {
		reply string
		code  int
	}{
		"blocks": {blocks(1500, func(i int) string {
			return block("f.py", fmt.Sprintf("value_%d = compute(%d)\n", i, i*7919%1009), "x\n")
		}), exitOK},
		"same block": {strings.Repeat(block("f.py", "value_3 = compute(550)\n", "x = 550\n"), 1000), exitOK},
		"new files": {blocks(2000,
			func(i int) string { return block(fmt.Sprintf("d%d/f%d.txt", i%9, i), "", "new\n") }), exitOK},
		"misses": {blocks(100, func(i int) string {
			return block("f.py", fmt.Sprintf("valve_%d == kompute(%d)\nno such line\n", i, i), "x\n")
		}), exitRefused},
		"no such files": {blocks(200,
			func(i int) string { return block(fmt.Sprintf("no/such%d.py", i), "nothing\n", "x\n") }), exitRefused},
		"openers":  {"f.py\n" + strings.Repeat("<<<<<<< SEARCH\n", many/5), exitRefused},
		"closers":  {"f.py\n" + strings.Repeat(">>>>>>> REPLACE\n", many/5), exitRefused},
		"dividers": {block("f.py", strings.Repeat("=======\nx\n", many), ""), exitRefused},
		"elisions": {block("f.py", strings.Repeat("...\n", many),
			strings.Repeat("...\n", many)+"x\n"), exitRefused},
		"blank lines": {block("f.py", strings.Repeat("\n", many), strings.Repeat("\n", many)+"x\n"), exitRefused},
		"backslashes": {block("f.py", strings.Repeat(`\`, 20*many)+"\n", "x\n"), exitRefused},
		"long lines": {block("f.py", strings.Repeat("x", 20*many)+"\n",
			strings.Repeat("y", 20*many)+"\n"), exitRefused},
		"JSON arrays":  {"```json\n" + strings.Repeat("[", 10*many) + "\n```\n", exitTrouble},
		"JSON objects": {strings.Repeat(`{"edits":`, many), exitTrouble},
		"quotes":       {strings.Repeat("> ", 10*many) + "<<<<<<< SEARCH\n", exitRefused},
		"fences":       {strings.Repeat("`", 10*many) + "\n" + strings.Repeat("````\n", many), exitTrouble},
		"names":        {strings.Repeat(strings.Repeat("a/", 50)+"x.py\n", many/5), exitTrouble},
		"hunks": {"```diff\n--- a/f.py\n+++ b/f.py\n" +
			blocks(100, func(i int) string {
				return fmt.Sprintf("@@ -%d,1 +%d,1 @@\n-zz%d\n+y\n", i,
					i, i)
			}) + "```\n", exitRefused},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "f.py"), []byte(file.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var out bytes.Buffer
			code := run(context.Background(), []string{"check", "-d", dir},
				strings.NewReader(c.reply), &out, &out, func(string) string { return "" })
			runtime.ReadMemStats(&after)
			if code != c.code {
				t.Errorf("exit status %d, want %d: %.300s", code, c.code, out.String())
			}
			t.Logf("%d bytes, %d MB allocated, %d bytes printed", len(c.reply),
				(after.TotalAlloc-before.TotalAlloc)>>20, out.Len())
			if most := uint64(64<<20 + 400*len(c.reply)); after.TotalAlloc-before.TotalAlloc > most {
				t.Errorf("%d bytes allocated for a reply of %d", after.TotalAlloc-before.TotalAlloc, len(c.reply))
			}
		})
	}
}
