package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/gitconfig"
)

// TestManual holds that the page has every verb, flag and key, and nothing that troff reads as something else.
func TestManual(t *testing.T) {
	page := manual()
	for _, v := range verbs()[1:] {
		if !strings.Contains(page, "\n.TP\n\\fB"+roff(v.name)+"\\fR") {
			t.Errorf("there is no verb %s", v.name)
		}
	}
	for f := range flags(&config{}) {
		if !regexp.MustCompile(`\n\.TP\n\\fB.*` + regexp.QuoteMeta(roff("--"+f.name)) + `\\fR`).MatchString(page) {
			t.Errorf("there is no flag --%s", f.name)
		}
	}
	for _, name := range gitconfig.Names() {
		if !strings.Contains(page, roff(gitconfig.KeyOf(name))) {
			t.Errorf("there is no key %s", gitconfig.KeyOf(name))
		}
	}
	request := regexp.MustCompile(`^(\.TH "SRPATCH" "1" "" "srpatch" "User Commands"|\.S[HS] "[^"\\]+"|\.(TP|PP|RS|RE|nf|fi|br))$`)
	escape := regexp.MustCompile(`^\\(e|-|&|f[BIR]|\((aq|ga|ha|ti|dq))`)
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, ".") && !request.MatchString(line) || strings.HasPrefix(line, "'") || line == "" {
			t.Errorf("no line of a page: %q", line)
		}
		for i := 0; i < len(line); i++ {
			if line[i] == '\\' && !escape.MatchString(line[i:]) {
				t.Errorf("no escape of a page: %q", line[i:])
			} else if line[i] == '\\' {
				i++
			}
			if line[i] >= 0x80 {
				t.Errorf("not ASCII: %q", line)
				break
			}
		}
	}
	if strings.Count(page, ".RS\n") != strings.Count(page, ".RE\n") || strings.Count(page, ".nf\n") != strings.Count(page, ".fi\n") {
		t.Error("what is opened is not closed")
	}
}

// TestManualIsReadWithoutWarnings holds that by the programs that show manual pages.
func TestManualIsReadWithoutWarnings(t *testing.T) {
	ran := false
	for _, viewer := range [][]string{{"mandoc", "-T", "lint", "-W", "warning"}, {"groff", "-man", "-ww", "-z"}, {"man", "--warnings", "-l", "-"}} {
		path, err := exec.LookPath(viewer[0])
		if err != nil {
			continue
		}
		ran = true
		show := exec.Command(path, viewer[1:]...)
		show.Stdin = strings.NewReader(manual())
		var said strings.Builder
		show.Stderr = &said
		out, err := show.Output()
		if viewer[0] == "mandoc" {
			said.Write(out)
		}
		if err != nil || said.Len() > 0 {
			t.Errorf("%s: %v\n%s", viewer[0], err, said.String())
		}
	}
	if !ran {
		t.Skip("there is no program that shows manual pages, so what it makes of ours cannot be seen")
	}
}
