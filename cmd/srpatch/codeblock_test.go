package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// codeBlock is code on a page: indented lines, or what is between fences.
type codeBlock struct {
	line  int    // its first one, 1-based
	info  string // of its fence
	saved bool   // the page says that it is to be saved as a file
	lines []string
}

// codeBlocks are those of a page.
func codeBlocks(page []byte) []codeBlock {
	var blocks []codeBlock
	lines := strings.Split(string(page), "\n")
	saved := false
	for i := 0; i < len(lines); i++ {
		fence, info := fenceOf(lines[i])
		switch {
		case fence != "":
			b := codeBlock{line: i + 2, info: info, saved: saved}
			for i++; i < len(lines) && lines[i] != fence; i++ {
				b.lines = append(b.lines, lines[i])
			}
			blocks, saved = append(blocks, b), false
		case strings.HasPrefix(lines[i], indented) && (i == 0 || lines[i-1] == ""):
			b := codeBlock{line: i + 1}
			for ; i < len(lines) && strings.HasPrefix(lines[i], indented); i++ {
				b.lines = append(b.lines, strings.TrimPrefix(lines[i], indented))
			}
			i--
			blocks = append(blocks, b)
		case lines[i] != "":
			saved = pageFile.MatchString(lines[i])
		}
	}
	return slices.DeleteFunc(blocks, func(b codeBlock) bool { return len(b.lines) == 0 })
}

// followed reports whether TestPages does what the block says.
func (b codeBlock) followed() bool {
	return b.saved || b.info == "console" || b.info == "go" || b.info == "" && strings.HasPrefix(b.lines[0], "$ ")
}

// commands are what a reader types, each without the remark that follows it. A program of several
// lines is one of them, and so is anything between fences that are not for a shell.
func (b codeBlock) commands() []string {
	program := b.info != "" && b.info != "sh" && b.info != "bash" || strings.HasPrefix(b.lines[0], "#")
	for _, line := range b.lines {
		program = program || strings.HasPrefix(line, " ")
	}
	if program {
		return []string{strings.Join(b.lines, "\n")}
	}
	var commands []string
	for _, line := range b.lines {
		command, _, _ := strings.Cut(line, "  ")
		commands = append(commands, command)
	}
	return commands
}

// firstLine is what a command goes by.
func firstLine(command string) string {
	first, _, _ := strings.Cut(command, "\n")
	return first
}

// codeSpans are what a page has between backquotes in its sentences and tables. In a table a bar is
// escaped.
func codeSpans(page []byte) []string {
	var spans []string
	for _, line := range strings.Split(string(page), "\n") {
		if strings.HasPrefix(line, indented) {
			continue
		}
		for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
			spans = append(spans, strings.ReplaceAll(m[1], `\|`, "|"))
		}
	}
	return spans
}

// readPage reads a page, which is named from the top of the sources.
func readPage(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join("../..", filepath.FromSlash(name)))
}

func TestCodeBlocksOfAPageAreFound(t *testing.T) {
	const page = "Run\n\n    go build ./x          a remark\n    go vet\n\nSave this as `a.py`:\n\n~~~\nx\n~~~\n\n- an item\n    that goes on\n\n```sh\nfor i; do\n  x\ndone\n```\n"
	var got []string
	for _, b := range codeBlocks([]byte(page)) {
		got = append(got, b.info+"|"+strings.Join(b.commands(), "|"))
		if b.saved != (b.lines[0] == "x") {
			t.Errorf("%q is saved: %t", b.lines, b.saved)
		}
	}
	want := []string{"|go build ./x|go vet", "|x", "sh|for i; do\n  x\ndone"}
	if strings.Join(got, "\n---\n") != strings.Join(want, "\n---\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
