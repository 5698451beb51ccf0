package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A root is what its URI names, and nothing that is only like it.
func TestPathOf(t *testing.T) {
	type uris map[string]string
	tests := uris{
		"file:///home/me/project":            "/home/me/project",
		"file:///home/me/project/":           "/home/me/project",
		"FILE://localhost/home/me":           "/home/me",
		"file:///home/me/sp%20ace%20%C3%A9":  "/home/me/sp ace é",
		"file:///home/me/not escaped é":      "/home/me/not escaped é",
		"file:///home/me/%23%3F%25":          "/home/me/#?%",
		"file:///home/me/../you":             "/home/you",
		"file:///home/me/%2e%2e/you":         "/home/you",
		"file:///home/me/c#":                 "", // the directory c# of a client that does not escape it, not c
		"file:///home/me/what?":              "",
		"file:///home/me/100%":               "",
		"file:///home/me/%00":                "",
		"file://example.org/home/me":         "",
		"file:home/me":                       "",
		"/home/me":                           "",
		"https://example.org/home/me":        "",
		"":                                   "",
		"file:///C:/Users/me/project":        "/C:/Users/me/project",
		"file:///c%3A/Users/me/sp%20ace":     "/c:/Users/me/sp ace",
		"file://server/share/project":        "",
		"vscode-remote://wsl+Debian/home/me": "",
	}
	if runtime.GOOS == "windows" {
		tests = uris{
			"file:///C:/Users/me/project":    `C:\Users\me\project`,
			"file:///c%3A/Users/me/sp%20ace": `c:\Users\me\sp ace`,
			"file://server/share/project":    "",
			"file:///home/me":                "", // on no drive
			"file:///C:/Users/me/c#":         "",
			`C:\Users\me`:                    "",
		}
	}
	for uri, want := range tests {
		if got := pathOf(uri); got != filepath.FromSlash(want) {
			t.Errorf("%s: %q, expected %q", uri, got, want)
		}
	}
}

// A root is what is at its path when a call comes.
func TestRootsOnDisk(t *testing.T) {
	one, other, outside := treeOf(t, map[string]string{"f.txt": "one\n"}),
		treeOf(t, map[string]string{"f.txt": "other\n"}), treeOf(t, map[string]string{"f.txt": "outside\n"})
	link := filepath.Join(t.TempDir(), "link")
	to := func(dir string) {
		t.Helper()
		os.Remove(link)
		if err := os.Symlink(dir, link); err != nil {
			t.Skipf("the system makes no symbolic links here, and the roots of the test are some: %v", err)
		}
	}
	to(one)
	c := connect(t, home(t), "", []string{link})
	change := func(from, root string) answer {
		t.Helper()
		return c.call("apply", map[string]any{"reply": block("f.txt", from, "changed\n"), "root": root})
	}
	if a := change("one\n", one); a.isError || read(t, one, "f.txt") != "changed\n" {
		t.Errorf("by the path that the link leads to: %+v", a)
	}
	to(other)
	if a := change("one\n", one); a.get("error", "code") != "outside-root" {
		t.Errorf("where the link has led before: %+v", a)
	}
	if a := change("other\n", link); a.isError || read(t, other, "f.txt") != "changed\n" {
		t.Errorf("where the link leads now: %+v", a)
	}
	if err := os.Symlink(filepath.Join(outside, "f.txt"), filepath.Join(other, "out.txt")); err != nil {
		t.Fatal(err)
	}
	if a := c.call("apply", map[string]any{"reply": block("out.txt", "outside\n",
		"changed\n")}); a.get("blocks", 0, "reason") != "outside-root" || read(t, outside, "f.txt") != "outside\n" {
		t.Errorf("by a link out of the root: %+v", a)
	}
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	if a := c.call("check", map[string]any{"reply": block("f.txt", "", "new\n")}); a.get("error",
		"code") != "unreadable" {
		t.Errorf("where nothing is any more: %+v", a)
	}
}
