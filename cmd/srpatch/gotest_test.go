package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goTest is a call of go test, in a directory and with settings or without.
var goTest = regexp.MustCompile(`^(?:[A-Z]+=\S+ )?go (?:-C (\S+) )?test( .*)?$`)

func isGoTest(command string) bool { return goTest.MatchString(command) }

// TestGoTestsOfThePagesSelectTests holds what pages say to run with go test to tests and benchmarks
// that there are, in packages that there are, by flags that there are. What is selected so is run
// by go test ./... and, of benchmarks, by .ci/run.
func TestGoTestsOfThePagesSelectTests(t *testing.T) {
	seen := 0
	for _, path := range pages(t) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range slices.Concat(commandsOf(page)...) {
			m := goTest.FindStringSubmatch(command)
			if m == nil {
				continue
			}
			seen++
			if wrong := wrongGoTest(m[1], m[2]); wrong != "" {
				t.Errorf("%s: %s: %s", filepath.Base(path), command, wrong)
			}
		}
	}
	if seen < 15 {
		t.Errorf("%d calls of go test were found", seen)
	}
}

// wrongGoTest is what is wrong with the arguments of go test, run in a directory of the sources; ""
// if nothing is.
func wrongGoTest(dir, args string) string {
	patterns := map[string]string{}
	var packages, flags []string
	words := wordIn.FindAllString(args, -1)
	for i := 0; i < len(words); i++ {
		switch flag := words[i]; flag {
		case "-run", "-bench":
			if i++; i == len(words) {
				return flag + " without a pattern"
			}
			pattern, _, _ := strings.Cut(strings.Trim(words[i], "'"), "/")
			patterns[map[string]string{"-run": "Test", "-bench": "Benchmark"}[flag]] = pattern
		case "-count", "-benchtime":
			i++
		case "-short", "-race", "-v":
		default:
			if strings.HasPrefix(flag, "-") {
				flags = append(flags, strings.TrimPrefix(flag, "-"))
			} else {
				packages = append(packages, flag)
			}
		}
	}
	if patterns["Test"] == "^$" {
		delete(patterns, "Test")
	}
	for _, p := range packages {
		if p == "./..." {
			continue
		}
		tests := testSources(filepath.Join("../..", dir, p))
		if tests == "" {
			return p + " has no tests"
		}
		for kind, pattern := range patterns {
			selects, err := regexp.Compile(pattern)
			if err != nil {
				return err.Error()
			}
			found := regexp.MustCompile(`(?m)^func (`+kind+`\w*)\(`).FindAllStringSubmatch(tests, -1)
			if !slices.ContainsFunc(found, func(m []string) bool { return selects.MatchString(m[1]) }) {
				return p + " has no " + kind + " that " + pattern + " selects"
			}
		}
		for _, flag := range flags {
			golden := flag == "update" && strings.Contains(tests, `/internal/golden"`)
			if !golden && !strings.Contains(tests, `flag.Bool("`+flag+`"`) {
				return p + " has no flag -" + flag
			}
		}
	}
	return ""
}

// testSources are the tests of a package, or of all packages below a directory for one that ends in
// /...; "" if there are none.
func testSources(dir string) string {
	pattern := []string{filepath.Join(dir, "*_test.go")}
	if above, ok := strings.CutSuffix(dir, "/..."); ok {
		pattern = []string{filepath.Join(above, "*_test.go"), filepath.Join(above, "*", "*_test.go")}
	}
	var tests strings.Builder
	for _, p := range pattern {
		names, _ := filepath.Glob(p) // the pattern is well formed
		for _, name := range names {
			if text, err := os.ReadFile(name); err == nil {
				tests.Write(text)
			}
		}
	}
	return tests.String()
}
