package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/internal/golden"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"srpatch": checkedMain, "llm": model})
}

// TestScript runs the scripts of testdata/script: one behaviour each, as a user meets it. The first
// word of a script's name is its verb, or "page" where it types what a page says.
//
// Five commands are our own: "status N srpatch ..." asserts the exit status, "trim-newline FILE"
// removes the last line's end, which the archive format cannot express, "bytes FILE" makes the byte
// E9 of each ‹E9›, and typed and copy-block take a command from a page. The condition "module:DIR"
// is true if the modules are there that the programs of the module in DIR are built from, and
// "thorough" if the tests take their time, as in .ci/nightly.
func TestScript(t *testing.T) {
	state, schema := t.TempDir(), schemaPath(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cache, _ := exec.Command("go", "env", "GOCACHE").Output() // where there is no Go, no script needs it
	modules, _ := exec.Command("go", "env", "GOMODCACHE").Output()
	dask := sync.OnceValue(daskPython)
	testscript.Run(t, testscript.Params{
		Files:              scripts(t),
		UpdateScripts:      golden.Update(),
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			// Outside of the script's own directory, which is the tree.
			env.Setenv("XDG_STATE_HOME", filepath.Join(state, filepath.Base(env.WorkDir)))
			env.Setenv("SRPATCH_SCHEMA", schema)
			env.Setenv("ROOT", root)
			env.Setenv("EXAMPLES", filepath.Join(root, "examples"))
			env.Setenv(modelRecorded, filepath.Join(root, "testdata", "model"))
			env.Setenv(modelState, filepath.Join(state, filepath.Base(env.WorkDir)+"-turn"))
			if golden.Update() {
				env.Setenv(modelUpdate, "1")
			}
			// The programs of the sources are built as they are elsewhere, with what is there.
			env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			env.Setenv("GOMODCACHE", strings.TrimSpace(string(modules)))
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOFLAGS", "-buildvcs=false")
			env.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "dask":
				return dask() != "", nil
			case "thorough":
				return effort.Of(0, 0, 1) > 0, nil
			}
			if module, ok := strings.CutPrefix(condition, "module:"); ok {
				list := exec.Command("go", "list", "-deps", "./...")
				list.Dir, list.Env = filepath.Join(root, module), append(os.Environ(), "GOPROXY=off", "GOFLAGS=")
				return list.Run() == nil, nil
			}
			return false, fmt.Errorf("unknown condition %s", condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"python-of-dask": func(ts *testscript.TestScript, neg bool,
				args []string) {
				ts.Check(ts.Exec(dask(), args...))
			},
			"status": status, "trim-newline": trimNewline, "bytes": toBytes, "typed": typed,
			"copy-block": copyBlock,
		},
	})
}

// scripts are the files of all scripts; with -short of some that are quick, each with a verb or a
// way of its own.
func scripts(t *testing.T) []string {
	t.Helper()
	names := []string{"*"}
	if testing.Short() {
		names = []string{"apply-interactive", "apply-json", "apply-only", "apply-verify-signals",
			"check", "diff", "filter", "filter-options", "parse*", "undo"}
	}
	var files []string
	for _, name := range names {
		found, err := filepath.Glob(filepath.Join("../../testdata/script", name+".txtar"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no script %s: %v", name, err)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// status asserts the exit status of a command: status 1 srpatch reply.md.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func toBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: bytes file...")
	}
	written := regexp.MustCompile(`‹[0-9A-F]{2}›`)
	for _, name := range args {
		path := ts.MkAbs(name)
		text, err := os.ReadFile(path)
		ts.Check(err)
		ts.Check(os.WriteFile(path, written.ReplaceAllFunc(text, func(b []byte) []byte {
			n, err := strconv.ParseUint(string(bytes.Trim(b, "‹›")), 16, 8)
			ts.Check(err)
			return []byte{byte(n)}
		}), 0o666))
	}
}

func trimNewline(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: trim-newline file...")
	}
	for _, name := range args {
		path := ts.MkAbs(name)
		text, err := os.ReadFile(path)
		ts.Check(err)
		ts.Check(os.WriteFile(path, bytes.TrimSuffix(text, []byte("\n")), 0o666))
	}
}

// daskPython is a Python that has Dask's distributed; "" if there is none. Debian's is not always
// the first one.
func daskPython() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import distributed").Run() == nil {
			return python
		}
	}
	return ""
}
