package parser

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
)

// showsPrinted reports whether the line above a fence says that the fence has what a command
// printed: "Output of `cat notes.txt`:", "`git diff` shows what you have changed:". A check prints
// what is wrong, and the edit that mends it may be below such words, so for these the command has
// to be one that prints the text of files.
func (c *context) showsPrinted(f *fence) bool {
	if f.start < c.outside {
		return false
	}
	start, _ := c.labelAbove(fsm.Pos{Line: f.line, Start: f.start})
	line := bytes.TrimSpace(c.in.buf[start:f.start])
	line, announces := bytes.CutSuffix(line, []byte(":"))
	if !announces || bytes.Count(line, []byte("`")) != 2 {
		return false
	}
	parts := strings.Split(string(line), "`")
	before, command, after := strings.ToLower(strings.TrimSpace(parts[0])), strings.Fields(parts[1]), strings.Fields(parts[2])
	switch {
	case len(command) < 2:
		return false
	case strings.HasSuffix(before, "output of"), strings.HasSuffix(before, "output from"):
		return len(after) == 0
	}
	return before == "" && len(after) > 0 && printsFiles(command[0]) && !strings.ContainsAny(parts[2], ",;") &&
		slices.Contains([]string{"shows", "showed", "prints", "printed", "outputs", "displays", "gives", "returns"}, after[0])
}

// printsFiles reports whether a command prints the text of files, or how they differ.
func printsFiles(command string) bool {
	switch command {
	case "cat", "head", "tail", "bat", "less", "sed", "grep", "type", "diff", "git", "hg", "svn", "jj":
		return true
	}
	return false
}
