package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// commandIn is a call of srpatch in a line of code: up to what is the shell's, or to blanks
	// that a remark follows.
	commandIn = regexp.MustCompile(`(?:^|[\s|(;&])srpatch((?: (?:'[^']*'|"[^"]*"|[^\s|<>;&()'"]+)+)*)`)
	wordIn    = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"]+)+`)
	codeSpan  = regexp.MustCompile("`([^`]+)`")
)

// TestCommandsAreKnown holds the commands of all pages, typed by a test or not, to the verbs and
// flags that there are.
func TestCommandsAreKnown(t *testing.T) {
	known := 0
	for _, page := range pages(t) {
		if filepath.Base(page) == "CONTRIBUTING.md" { // which has names to put in
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for number, line := range strings.Split(string(text), "\n") {
			var code []string
			if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "$ ") {
				code = []string{line}
			} else {
				for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
					code = append(code, m[1])
				}
			}
			for _, c := range code {
				for _, m := range commandIn.FindAllStringSubmatch(c, -1) {
					var args []string
					for _, word := range wordIn.FindAllString(m[1], -1) {
						args = append(args, strings.NewReplacer("'", "", `"`, "").Replace(word))
					}
					known++
					if _, err := parseFlags(args, func(string) string { return "" }); err != nil {
						t.Errorf("%s:%d: srpatch %q: %v", filepath.Base(page), number+1, args, err)
					}
				}
			}
		}
	}
	if known < 100 {
		t.Errorf("%d commands were found", known)
	}
}
