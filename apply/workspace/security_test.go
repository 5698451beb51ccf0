package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// TestPromisesHaveTests: every test that docs/security.md names is there.
func TestPromisesHaveTests(t *testing.T) {
	doc, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := os.ReadFile(name)
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			there[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(doc), -1)
	if len(named) < 30 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, m := range named {
		if !there[m[1]] {
			t.Errorf("there is no %s", m[1])
		}
	}
}

// TestNewFileIsNotExecutable: what a reply makes is text, whatever mode it says the file has.
func TestNewFileIsNotExecutable(t *testing.T) {
	if !modesKept {
		t.Skip("the system has no mode bits")
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"old": "old\n"})
	w := openTest(t, dir, testOptions(t))
	for _, plan := range []*apply.Plan{
		planOf(change("new.sh", nil, []byte("#!/bin/sh\n"))),
		planOf(change("old", []byte("old\n"), []byte("#!/bin/sh\n"))),
		planOf(apply.FileChange{Path: "moved.sh", From: "old", Action: apply.Move,
			Before: []byte("#!/bin/sh\n"), After: []byte("#!/bin/sh\n")}),
	} {
		if _, err := w.Commit(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, plan.Files[0].Path))
		if err != nil || info.Mode()&0o111 != 0 {
			t.Errorf("%s: %v, %v", plan.Files[0].Path, info.Mode(), err)
		}
	}
}

// TestDeniedTextIsNotQuoted: neither the text nor the name of a denied file gets into a report, be
// SEARCH as near as it may.
func TestDeniedTextIsNotQuoted(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"conf/secret.ini": "[db]\npassword = hunter2\nuser = me\n",
		"main.ini": "[db]\nuser = you\n"})
	opt := testOptions(t)
	opt.Deny = []string{"conf"}
	w := openTest(t, dir, opt)
	const search = "[db]\npassword = \nuser = me\n"
	plan, err := apply.New(w, apply.Options{Policy: apply.Loose}).Plan(t.Context(),
		reply("conf/secret.ini", search, "x\n", "CONF/SECRET.INI", search, "x\n", "secret.ini",
			search, "x\n", "etc/secret.ini", search, "x\n", "ini", "password = hunter2\n", "x\n"))
	if err != nil || plan.Status != apply.Refused {
		t.Fatalf("%v, %+v", err, plan)
	}
	for _, b := range plan.Blocks {
		b.Block = nil
		said := strings.Join(append(append(b.Warnings, b.Corrected...), b.Message), "\n")
		if b.Nearest != nil {
			said += b.Nearest.Text
		}
		if strings.Contains(said, "hunter") || b.ID > 2 &&
			strings.Contains(strings.ReplaceAll(said, "file "+b.Path, ""), "secret.ini") {
			t.Errorf("block %d, of %s: %s", b.ID, b.Path, said)
		}
	}
}
