package unified

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for name, c := range map[string]struct {
		change Change
		want   string
	}{
		"nothing": {Change{Old: "f", New: "f", Before: []byte(ten), After: []byte(ten)}, ""},
		"one line": {Change{Old: "f", New: "f", Before: []byte(ten),
			After: []byte(strings.Replace(ten, "5", "five", 1))},
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		"near changes share a hunk": {Change{Old: "f", New: "f", Before: []byte(ten),
			After: []byte("one\n2\n3\n4\n5\n6\n7\neight\n9\n10\n")},
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,10 +1,10 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+eight\n 9\n 10\n"},
		"far ones do not": {Change{Old: "f", New: "f", Before: []byte(ten),
			After: []byte("one\n2\n3\n4\n5\n6\n7\n8\nnine\n10\n")},
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -6,5 +6,5 @@\n 6\n 7\n 8\n-9\n+nine\n 10\n"},
		"created": {Change{New: "f", After: []byte("a\nb\n")},
			"diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"created empty": {Change{New: "f"}, "diff --git a/f b/f\nnew file mode 100644\n"},
		"deleted": {Change{Old: "f", Before: []byte("a\n")},
			"diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		"renamed": {Change{Old: "f", New: "g", Before: []byte("a\n"), After: []byte("a\n")},
			"diff --git a/f b/g\nrename from f\nrename to g\n"},
		"no newline after": {Change{Old: "f", New: "f", Before: []byte("a\n"), After: []byte("a")},
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		"no newline in context": {Change{Old: "f", New: "f", Before: []byte("a\nb"), After: []byte("b")},
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-a\n b\n\\ No newline at end of file\n"},
		"CR stays in its line": {Change{Old: "f", New: "f", Before: []byte("a\r\nb\rc\r\n"),
			After: []byte("a\nb\rc\r\n")},
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\rc\r\n"},
		"odd names": {Change{Old: "a b.txt", New: "q\"\t\\.txt", Before: []byte("x\n"), After: []byte("y\n")},
			"diff --git \"a/a b.txt\" \"b/q\\\"\\011\\\\.txt\"\nrename from a b.txt\nrename to \"q\\\"\\011\\\\.txt\"\n" +
				"--- a/a b.txt\t\n+++ \"b/q\\\"\\011\\\\.txt\"\n@@ -1 +1 @@\n-x\n+y\n"},
		"spans that meet in a line": {Change{Old: "f", New: "f", Before: []byte("a.b.c\nd\n"),
			After: []byte("A.b.C\nd\n"),
			Spans: []Span{{0, 1, 0, 1}, {4, 5, 4, 5}}},
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a.b.c\n+A.b.C\n d\n"},
		"span at the end of an unfinished line": {Change{Old: "f", New: "f", Before: []byte("a"), After: []byte("a\nb"),
			Spans: []Span{{1, 1, 1, 3}}},
			"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := Format(&b, c.change); err != nil || b.String() != c.want {
				t.Errorf("error %v, got\n%s\nwant\n%s", err, b.String(), c.want)
			}
		})
	}
}

// TestOthersApplyIt has git and patch make random changes; what they write must be the text after,
// byte for byte.
func TestOthersApplyIt(t *testing.T) {
	changes := randomChanges(200)
	var diff bytes.Buffer
	for _, c := range changes {
		if err := Format(&diff, c); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range [][]string{
		{"git", "apply", "--whitespace=nowarn", "-"},
		{"patch", "-p1", "--silent", "--binary", "--no-backup-if-mismatch", "--fuzz=0"},
	} {
		t.Run(tool[0], func(t *testing.T) {
			path, err := exec.LookPath(tool[0])
			if err != nil {
				t.Skipf("%s is not installed to apply the diff", tool[0])
			}
			dir := t.TempDir()
			for _, c := range changes {
				if c.Old != "" {
					if err := os.WriteFile(filepath.Join(dir, c.Old), c.Before, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			cmd := exec.Command(path, tool[1:]...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir),
				"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
			cmd.Stdin = bytes.NewReader(diff.Bytes())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want := 0
			for _, c := range changes {
				if c.New == "" {
					continue
				}
				want++
				got, err := os.ReadFile(filepath.Join(dir, c.New))
				if err != nil || !bytes.Equal(got, c.After) {
					t.Errorf("%s: error %v\nbefore %q\nspans %v\ngot    %q\nwant   %q", c.New, err,
						c.Before, c.Spans, got, c.After)
				}
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != want {
				t.Errorf("%d files are there, want %d; error %v", len(left), want, err)
			}
		})
	}
}

// randomChanges has changes of all kinds. Some lines look like parts of a diff.
func randomChanges(n int) []Change {
	r := rand.New(rand.NewPCG(40, 41))
	pieces := []string{"a", "b", "}", "", "--- a/f", "+++ b/f", "@@ -1 +1 @@",
		"\\ No newline at end of file", "caf\xe9", "lone\rreturn", "dos\r", "diff --git a/f b/f"}
	random := func(max int) []byte {
		var b []byte
		for range r.IntN(max + 1) {
			b = append(append(b, pieces[r.IntN(len(pieces))]...), '\n')
		}
		if len(b) > 0 && r.IntN(4) == 0 {
			b = b[:len(b)-1]
		}
		return b
	}
	var changes []Change
	for i := range n {
		file := fmt.Sprintf("file %d.txt", i)
		c := Change{Old: file, New: file, Before: random(30)}
		switch i % 8 {
		case 0:
			c.After = random(30)
		case 1:
			c.Old, c.Before, c.After = "", nil, random(5)
		case 2: // patch knows no deletion of an empty file
			c.New, c.Before = "", append(c.Before, "x\n"...)
		case 3:
			c.New, c.After = fmt.Sprintf("moved %d.txt", i), c.Before
			if r.IntN(2) == 0 {
				c.After, c.Spans = respan(r, c.Before, random)
			}
		default:
			c.After, c.Spans = respan(r, c.Before, random)
		}
		changes = append(changes, c)
	}
	return changes
}

// respan replaces some regions of text, anywhere in its lines.
func respan(r *rand.Rand, text []byte, random func(int) []byte) ([]byte, []Span) {
	after := []byte{}
	spans := []Span{}
	at := 0
	for range 1 + r.IntN(4) {
		start := at + r.IntN(len(text)-at+1)
		if r.IntN(2) == 0 { // at the start of a line
			start = at + max(0, bytes.IndexByte(text[at:], '\n')+1)
		}
		if len(spans) > 0 && start == at {
			break
		}
		end := min(len(text), start+r.IntN(20))
		if r.IntN(2) == 0 {
			end = start + bytes.LastIndexByte(text[start:end], '\n') + 1
		}
		with := random(3)
		after = append(after, text[at:start]...)
		spans = append(spans, Span{start, end, len(after), len(after) + len(with)})
		after = append(after, with...)
		at = end
	}
	return append(after, text[at:]...), spans
}
