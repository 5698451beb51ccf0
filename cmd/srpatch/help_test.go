package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTheCommandFitsInTheHead holds how much there is to know: a new flag takes the place of
// another one.
func TestTheCommandFitsInTheHead(t *testing.T) {
	accepted := 0
	for range flags(&config{}) {
		accepted++
	}
	if accepted > 50 {
		t.Errorf("%d flags are accepted, at most 50 should be", accepted)
	}
	printed := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), &out, &errs,
			func(string) string { return "" }); code != exitOK || errs.Len() > 0 {
			t.Errorf("%q: exit status %d: %s", args, code, errs.Bytes())
		}
		return out.String()
	}
	screen := printed("-h")
	if lines := strings.Count(screen, "\n"); lines > 28 {
		t.Errorf("srpatch -h has %d lines, at most 28 fit on a screen", lines)
	}
	all := screen + printed("--help") + printed("help", "apply")
	for _, v := range verbs()[1:] {
		if v.set != vHelp && !regexp.MustCompile(`(?m)^  (\w+, )?`+v.name+`\b`).MatchString(screen) {
			t.Errorf("srpatch -h lacks %s", v.name)
		}
		all += printed("help", v.name)
	}
	for line := range strings.Lines(all) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("wider than 80 columns: %s", line)
		}
	}
	shown := regexp.MustCompile(`(?m)^ {2,6}(?:-., )*--[a-z]`)
	if n := len(shown.FindAllString(printed("--help"), -1)); n < 20 || n > 35 {
		t.Errorf("srpatch --help has %d flags, at most 35 should be shown", n)
	}
}
