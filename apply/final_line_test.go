package apply_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// A diff that says which side has no final line end gives the same file as git apply.
func TestDiffSaysHowTheFileEnds(t *testing.T) {
	for _, old := range []string{"a b", "a b\n", "a  b", "a  b\n"} {
		for _, now := range []string{"a B", "a b c", "a B c", "a", "A b", "A B", "A", "B", "A b c",
			"a b ", "a ", "a  c"} {
			for _, eol := range []string{"\n", "\r\n"} {
				for _, end := range []string{"", "\n"} {
					before, after := strings.ReplaceAll(old, " ", "\n"), strings.ReplaceAll(now+end, " ", "\n")
					reply := "--- a/f.txt\n+++ b/f.txt\n" + hunkOf(before, after)
					tree := apply.Files{"f.txt": []byte(strings.ReplaceAll(before, "\n", eol))}
					plan := planned(t, tree, parser.Parse([]byte(reply)), apply.Options{})
					want := strings.ReplaceAll(after, "\n", eol)
					if got := string(changed(t, tree, plan)["f.txt"]); got != want {
						t.Errorf("%q with\n%s\nbecame %q, want %q", tree["f.txt"], reply, got, want)
					}
				}
			}
		}
	}
}

// hunkOf returns the difference between two texts in git's format.
func hunkOf(before, after string) string {
	a, b := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	var s strings.Builder
	fmt.Fprintf(&s, "@@ -1,%d +1,%d @@\n", len(a), len(b))
	put := func(op, line string) {
		s.WriteString(op + strings.TrimSuffix(line, "\n") + "\n")
		if !strings.HasSuffix(line, "\n") {
			s.WriteString("\\ No newline at end of file\n")
		}
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		put(" ", a[0])
		a, b = a[1:], b[1:]
	}
	var tail []string
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, a[len(a)-1])
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for _, line := range a {
		put("-", line)
	}
	for _, line := range b {
		put("+", line)
	}
	for _, line := range slices.Backward(tail) {
		put(" ", line)
	}
	return s.String()
}
