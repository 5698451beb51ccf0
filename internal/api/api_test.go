package api

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/golden"
)

// What api.txt lists is there, and nothing else: programs depend on it.
func TestAPI(t *testing.T) {
	root := filepath.Join("..", "..")
	var now []string
	for _, pkg := range []string{"apply", "apply/retry", "apply/workspace", "parser"} {
		lines, err := List(filepath.Join(root, pkg), pkg)
		if err != nil {
			t.Fatal(err)
		}
		now = append(now, lines...)
	}
	for _, pkg := range []string{"envelope", "filename"} { // what the parser has by another name
		aliased, err := List(filepath.Join(root, "parser", "internal", pkg), "parser")
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range aliased {
			if regexp.MustCompile(`: (const Op|type (Block|Diagnostic|Name|Op|Reading)\b[^=]*$|method \(\*Block\))`).MatchString(line) {
				now = append(now, line)
			}
		}
	}
	if golden.Update() {
		golden.Write(t, "api.txt", strings.Join(now, "\n")+"\n")
	}
	text, err := os.ReadFile("api.txt")
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")), "\n")
	for _, line := range was {
		if !slices.Contains(now, line) {
			t.Errorf("gone, or another one now: %s", line)
		}
	}
	for _, line := range now {
		if !slices.Contains(was, line) {
			t.Errorf("new: %s", line)
		}
	}
	if t.Failed() {
		t.Log("programs that use the library see this. If it is meant: go test ./internal/api -update, and a line in CHANGELOG.md")
	}
}

// Each kind of declaration is listed as those who use it see it.
func TestList(t *testing.T) {
	dir := t.TempDir()
	const source = `package p

type A struct {
	B, C int ` + "`json:\"b\"`" + `
	d    int
	*E
	F func(x int) error
	G struct{ H int }
}
type E interface {
	I(x, y int) (z string, err error)
	j()
}
type K string
type L = K

const (
	M K = "m"
	N K = "n"
	o K = "o"
)
const (
	P int = iota
	Q
)

var R, s int

func (a *A) T(in ...string) {}
func (u u) V()              {}
func W[X any](x X) []X      { return nil }

type u struct{}
`
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := List(dir, "p")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"p: const M K = \"m\"", "p: const N K = \"n\"", "p: const P int = iota", "p: const Q int",
		"p: func W(X) []X", "p: method (*A) T(...string)",
		"p: type A struct", "p: type A struct, B int `json:\"b\"`",
		"p: type A struct, C int `json:\"b\"`", "p: type A struct, F func(int) error",
		"p: type A struct, G struct{ H int }", "p: type A struct, embedded *E",
		"p: type E interface", "p: type E interface, I(int, int) (string, error)",
		"p: type K string", "p: type L = K", "p: var R int",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
