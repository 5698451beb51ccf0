package strategy_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/strategy"
)

// referenceCase is a case of testdata/reference; its README explains the form.
type referenceCase struct {
	name  string
	facts map[string]string // of the case part
	parts map[string]string // the texts
}

var codePoint = regexp.MustCompile(`‹U\+([0-9A-F]{4})›`)

// visible undoes what makes texts visible.
func visible(s string) string {
	s = strings.NewReplacer("␉", "\t", "␍", "\r", "·", " ").Replace(strings.TrimSuffix(s, "\n"))
	return codePoint.ReplaceAllStringFunc(s, func(found string) string {
		r, _ := strconv.ParseUint(codePoint.FindStringSubmatch(found)[1], 16, 32)
		return string(rune(r))
	})
}

func referenceCases(t *testing.T) (cases []referenceCase) {
	t.Helper()
	files, err := filepath.Glob("../testdata/reference/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no reference cases: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		group := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range archive.Files {
			name, part, _ := strings.Cut(f.Name, "/")
			if part != "case" {
				cases[len(cases)-1].parts[part] = visible(string(f.Data))
				continue
			}
			c := referenceCase{group + "/" + name, map[string]string{"run": "replace"}, map[string]string{}}
			for line := range strings.Lines(string(f.Data)) {
				key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
				if !ok {
					t.Fatalf("%s: %q is not a fact", c.name, line)
				}
				c.facts[key] = value
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func TestReference(t *testing.T) {
	ran := 0
	for _, c := range referenceCases(t) {
		if c.facts["seed"] == "" || c.facts["why"] == "" {
			t.Errorf("%s does not say where it comes from and why", c.name)
		}
		if c.facts["run"] != "replace" {
			continue
		}
		ran++
		t.Run(c.name, func(t *testing.T) {
			result, name, err := strategy.Replace([]byte(c.parts["content"]), []byte(c.parts["old"]), []byte(c.parts["new"]),
				c.facts["replace_all"] == "true")
			if want := c.facts["error"]; want != "" {
				if err != strategy.ReplaceError(want) || result != nil || name != "" {
					t.Errorf("got %q by %q, %v; want the error %s", result, name, err, want)
				}
				return
			}
			if err != nil || string(result) != c.parts["want"] || name != c.facts["strategy"] {
				t.Errorf("got %q by %q, %v; want %q by %q", result, name, err, c.parts["want"], c.facts["strategy"])
			}
		})
	}
	if ran < 80 {
		t.Errorf("%d cases of Replace, too few for a cascade", ran)
	}
}
