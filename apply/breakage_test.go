package apply_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// TestMadeBreakageIsWarnedOf breaks real files of several languages in each way that edits do, wherever that is possible, and counts the warnings.
func TestMadeBreakageIsWarnedOf(t *testing.T) {
	files := sourceFiles(t)
	for _, kind := range []struct {
		name string
		// breaks turns the lines of a block, the line after them being next, into those that break the file at path; nil where they cannot.
		breaks func(path string, lines []string, next string) []string
		// missed is how many of a thousand breakages may go without a warning.
		missed int
	}{
		{"a bracket is lost", loseBracket, 0},
		{"a comma of JSON is lost", loseComma, 0},
		{"an opener is left", leave("<<<<<<< SEARCH"), 0},
		{"a divider is left", leaveDivider, 0},
		{"a closer is left", leave(">>>>>>> REPLACE"), 0},
		{"a fence is left", leave("```"), 0},
		// The diff of a line that the block has elsewhere, too, may put it there.
		{"the next line is there twice", repeatNext, 15},
	} {
		t.Run(kind.name, func(t *testing.T) {
			made, warned := 0, 0
			for path, source := range files {
				lines := strings.SplitAfter(strings.TrimSuffix(string(source), "\n"), "\n")
				for i := 0; i+3 < len(lines)-1; i += 3 {
					search := lines[i : i+3]
					replace := kind.breaks(path, search, lines[i+3])
					if replace == nil {
						continue
					}
					b := parser.Block{ID: 1, Op: parser.OpEdit, Path: path, StartLine: i + 1,
						Search: []byte(strings.Join(search, "")), Replace: []byte(strings.Join(replace, ""))}
					plan := planned(t, apply.Files{path: source}, one(b), apply.Options{})
					if plan.Status != apply.Applied || isMended(plan, kind.name, lines[i+3]) {
						continue // what is broken by itself does not always come in
					}
					made++
					if slices.ContainsFunc(plan.Blocks[0].Warnings, isBreakage) {
						warned++
					} else if kind.missed == 0 {
						t.Errorf("%s:%d: no warning of\n%s", path, i+1, b.Replace)
					}
				}
			}
			t.Logf("%d of %d are warned of", warned, made)
			if made == 0 || (made-warned)*1000 > made*kind.missed {
				t.Errorf("%d of %d are warned of", warned, made)
			}
		})
	}
}

// sourceFiles are real files of several languages, by their paths.
func sourceFiles(t *testing.T) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	for _, pattern := range []string{"../testdata/trees/*/*.*", "../testdata/trees/*/*/*.*", "../parser/[a-e]*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(name, "_test.go") { // which have sources and markers in strings
				found[strings.TrimPrefix(filepath.ToSlash(name), "../")] = text
			}
		}
	}
	return found
}

// isBreakage reports whether a warning is about what the run breaks.
func isBreakage(warning string) bool {
	code, _, _ := strings.Cut(warning, ":")
	return slices.Contains([]string{"stray-marker", "stray-fence", "repeated-line", "not-parsed", "unbalanced"}, code)
}

// isMended reports whether the engine left the second copy of a line out: what the file has already does not come in again.
func isMended(plan *apply.Plan, kind, next string) bool {
	if len(plan.Files) == 0 {
		return true
	}
	c := plan.Files[0]
	twice := []byte("\n" + next + next)
	return kind == "the next line is there twice" && bytes.Count(c.After, twice) <= bytes.Count(c.Before, twice)
}

func loseBracket(path string, lines []string, _ string) []string {
	line := lines[1]
	at := strings.LastIndexAny(line, "(){}[]")
	switch filepath.Ext(path) {
	case ".md", ".html", ".yaml", ".yml":
		return nil
	}
	if at < 0 || strings.ContainsAny(line, "\"'`/#*") { // it may be in a comment or a string
		return nil
	}
	return []string{lines[0], line[:at] + line[at+1:], lines[2]}
}

func loseComma(path string, lines []string, _ string) []string {
	if filepath.Ext(path) != ".json" || !strings.HasSuffix(lines[1], ",\n") {
		return nil
	}
	return []string{lines[0], strings.TrimSuffix(lines[1], ",\n") + "\n", lines[2]}
}

// leave leaves a line behind the block.
func leave(line string) func(path string, lines []string, next string) []string {
	return func(_ string, lines []string, _ string) []string { return append(reworded(lines), line+"\n") }
}

// leaveDivider does so where nothing above makes a heading of it.
func leaveDivider(path string, lines []string, _ string) []string {
	if filepath.Ext(path) == ".md" && strings.TrimSpace(lines[2]) != "" {
		return nil
	}
	return append(reworded(lines), "=======\n")
}

func repeatNext(_ string, lines []string, next string) []string {
	again := reworded(lines)
	if strings.TrimSpace(next) == "" || next == lines[2] || slices.Equal(again, lines) {
		return nil
	}
	return append(again, next)
}

// reworded are the lines with other words in the second one.
func reworded(lines []string) []string {
	out := slices.Clone(lines)
	out[1] = regexp.MustCompile(`[a-z]{5,}`).ReplaceAllString(out[1], "${0}x")
	return out
}
