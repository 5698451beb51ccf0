package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterrupt: whoever interrupts a run learns what became of it, not how the program noticed.
func TestInterrupt(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	name := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(name, []byte("one\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	srpatch := func(args ...string) (code int, stdout, stderr string) {
		var out, errs bytes.Buffer
		reply := strings.NewReader("a.txt\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n")
		code = run(ctx, append(args, "-d", dir, "--state-dir", state), reply, &out, &errs,
			func(string) string { return "" })
		return code, out.String(), errs.String()
	}
	if code, _, report := srpatch("-q"); code != 0 {
		t.Fatal(report)
	}
	cancel()
	for _, args := range [][]string{{"undo"}, {"-R", "-q"}, {"-R", "-q", "--json"}} {
		code, stdout, stderr := srpatch(args...)
		if code != exitTrouble || !strings.HasSuffix(stderr, "srpatch: interrupted; nothing was written\n") {
			t.Errorf("%q: status %d, %q", args, code, stderr)
		}
		if args[len(args)-1] == "--json" &&
			(!strings.Contains(stdout, `"code":"interrupted"`) || theForm(t, "--json").check([]byte(stdout)) != nil) {
			t.Errorf("JSON: %s", stdout)
		}
		if b, _ := os.ReadFile(name); string(b) != "uno\n" {
			t.Errorf("%q: the file holds %q", args, b)
		}
	}
}
