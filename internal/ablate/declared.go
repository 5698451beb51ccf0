package ablate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/ablate/toggle"
)

// Declaration says why a rule needs no case. Its line in declared.txt is one of
//
//	apply/already.go lacks off speed apply BenchmarkTwins: spares the keys of all lines
//	apply/already.go locator.applied on test apply TestTwice: what occurs there is not added again
//	strategy/exact.go * * exempt: asked for by name
//
// where "*" is any rule, or any setting. A rule that guards speed names a benchmark, and no answer may be another without it; one
// that keeps a promise names a test, which must fail when the rule is switched.
type Declaration struct {
	Line                int
	File, Name, Setting string
	Kind                string // "speed", "test" or "exempt"
	Package, Func       string // of the benchmark or test
	Reason              string
}

// Declared reads declared.txt.
func Declared(text string) (list []*Declaration, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, reason, _ := strings.Cut(line, ": ")
		f := strings.Fields(head)
		d := &Declaration{Line: number, Reason: reason}
		switch {
		case reason == "":
			err = errors.Join(err, fmt.Errorf("declared.txt:%d: no reason", number))
			continue
		case len(f) == 4 && f[3] == "exempt":
		case len(f) == 6 && (f[3] == "speed" || f[3] == "test"):
			d.Package, d.Func = f[4], f[5]
		default:
			err = errors.Join(err, fmt.Errorf("declared.txt:%d: expected FILE RULE off|on speed|test PACKAGE NAME, or FILE * * exempt", number))
			continue
		}
		d.File, d.Name, d.Setting, d.Kind = f[0], f[1], f[2], f[3]
		list = append(list, d)
	}
	return list, err
}

// covers reports whether the declaration speaks of the job.
func (d *Declaration) covers(j Job) bool {
	matches := func(pattern, s string) bool { return pattern == "*" || pattern == s }
	return d.File == j.Rule.File && matches(d.Name, j.Rule.Name) && matches(d.Setting, string(j.Setting))
}

// Dangling lists the declarations that speak of no rule, or of a benchmark or test that is not there.
func Dangling(root string, rules []*Rule, list []*Declaration) (problems []string) {
	for _, d := range list {
		if !slices.ContainsFunc(rules, func(r *Rule) bool {
			return slices.ContainsFunc(r.Settings(), func(s toggle.Setting) bool { return d.covers(Job{Rule: r, Setting: s}) })
		}) && !(d.Name == "*" && exists(filepath.Join(root, d.File))) {
			problems = append(problems, fmt.Sprintf("declared.txt:%d: there is no rule %s %s", d.Line, d.File, d.Name))
		}
		if d.Func != "" && !defined(filepath.Join(root, d.Package), d.Func) {
			problems = append(problems, fmt.Sprintf("declared.txt:%d: there is no %s in %s", d.Line, d.Func, d.Package))
		}
	}
	return problems
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// defined reports whether a test file of the folder defines the function.
func defined(dir, name string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && bytes.Contains(text, []byte("\nfunc "+name+"("))
	})
}

// Holds runs the test that a declaration names with the rule switched, and reports whether it fails, as it must.
func (w *Workshop) Holds(ctx context.Context, d *Declaration, j Job) (bool, error) {
	failed, err := w.test(ctx, j, d.Package, "^"+d.Func+"$")
	return failed != "", err
}

// Test runs the tests of packages with the rule switched, until one fails, and names that: "apply TestTwice".
func (w *Workshop) Test(ctx context.Context, j Job, packages []string) (string, error) {
	for _, pkg := range packages {
		if failed, err := w.test(ctx, j, pkg, "."); failed != "" || err != nil {
			return pkg + " " + failed, err
		}
	}
	return "", nil
}

// test names the first test of the package that fails with the rule switched; "" when all pass.
func (w *Workshop) test(ctx context.Context, j Job, pkg, pattern string) (string, error) {
	binary := filepath.Join(w.dir, strings.ReplaceAll(pkg, "/", "-")+".test")
	if !exists(binary) {
		if err := w.goTool(ctx, io.Discard, "test", "-c", "-overlay", w.overlay, "-o", binary, "./"+pkg); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, binary, "-test.short", "-test.failfast", "-test.timeout", "3m", "-test.run", pattern)
	cmd.Dir = filepath.Join(w.Root, pkg)
	// Properties are drawn the same each time, and their failures are meant.
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d=%s", toggle.Env, j.Rule.ID, j.Setting), "RAPID_SEED=1", "RAPID_NOFAILFILE=1")
	out, err := cmd.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); !failed {
		return "", err
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	// The innermost failure of the first test comes after the ones that hold it.
	name := "panics"
	for _, m := range regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`).FindAllSubmatch(out, -1) {
		name = string(m[1])
	}
	return name, nil
}
