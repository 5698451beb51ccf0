package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTheCommandFitsInTheHead holds how much there is to know: a new flag takes the place of another one.
func TestTheCommandFitsInTheHead(t *testing.T) {
	accepted := 0
	for range flags(&config{}) {
		accepted++
	}
	if accepted > 58 {
		t.Errorf("%d flags are accepted, at most 58 should be", accepted)
	}
	printed := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), &out, &errs, func(string) string { return "" }); code != exitOK || errs.Len() > 0 {
			t.Errorf("%q: exit status %d: %s", args, code, errs.Bytes())
		}
		return out.String()
	}
	screen := printed("-h")
	if lines := strings.Count(screen, "\n"); lines > 30 {
		t.Errorf("srpatch -h has %d lines, at most 30 fit on a screen", lines)
	}
	for line := range strings.Lines(screen) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("wider than 80 columns: %s", line)
		}
	}
	shown := regexp.MustCompile(`(?m)^ {2,6}(?:-., )*--[a-z]`)
	if n := len(shown.FindAllString(printed("--help"), -1)); n < 20 || n > 40 {
		t.Errorf("srpatch --help has %d flags, at most 40 should be shown", n)
	}
	for _, h := range habits() {
		for _, word := range h.typed {
			named := regexp.MustCompile(`(?m)(^ {2,6}|\s)` + regexp.QuoteMeta(word) + `([ =]|$)`)
			if !strings.HasPrefix(word, "-") {
				named = regexp.MustCompile(`(?m)^  ` + word + ` `)
			}
			if h.how == taken && named.MatchString(screen+printed("--help")) {
				t.Errorf("the help has %s", word)
			}
		}
	}
	man := manual()
	for f := range flags(&config{}) {
		if !strings.Contains(man, roff("--"+f.name)) {
			t.Errorf("the manual page lacks --%s", f.name)
		}
	}
}
