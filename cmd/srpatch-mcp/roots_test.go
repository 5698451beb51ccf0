package main

import (
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
			"file://server/share/project":    `\\server\share\project`,
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
