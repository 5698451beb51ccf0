package envelope

import (
	"bytes"
	"path"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// WholeFile returns the content of a whole file as the model sent it. A fence around all of the
// content and a + before each line are removed, except in Markdown files, which may contain them.
// Entities are kept, because they may be part of the file; a warning says so if they look like
// escaped angle brackets.
func WholeFile(name string, content []byte) (file []byte, warnings []string) {
	if !IsMarkdown(name) {
		if inner, ok := insideFence(content); ok {
			content = inner
			warnings = append(warnings, fenceRemoved())
		}
		if inner, ok := withoutPlus(content); ok && text.IsCode(name) {
			content = inner
			warnings = append(warnings, warning.Repaired.Say("diff-signs"))
		}
	}
	if bytes.Contains(content, []byte("&lt;")) && !bytes.Contains(content, []byte("<")) {
		warnings = append(warnings, warning.WrittenEntities.Say(
			"the text contains &lt; but no <; entities are written unchanged"))
	}
	return content, warnings
}

func fenceRemoved() string { return warning.Fence.Say("the fence around the text was removed") }

// WholeElement is like WholeFile, but for the text of an element, which may be a CDATA section.
func WholeElement(name string, content []byte) (file []byte, warnings []string) {
	if inner := unwrapped(content); len(inner) < len(content) {
		content = inner
		if first, rest, ok := bytes.Cut(content, []byte("\n")); ok && text.Blank(first) {
			content = rest
		}
	}
	if !mdline.Ended(content) { // the closing tag is on the last line
		content = append(content[:len(content):len(content)], '\n')
	}
	return WholeFile(name, content)
}

// insideFence returns the text inside a fence that opens on the first line of content and closes on
// the last. ok is false if there is no such fence, or if it closes earlier.
func insideFence(content []byte) (inner []byte, ok bool) {
	start := bytes.TrimLeft(content, " \t\r\n")
	first, rest, ok := bytes.Cut(start, []byte("\n"))
	m, fence := mdline.ParseFence(first)
	if !ok || !fence || !m.Opens || m.Char == '<' {
		return nil, false
	}
	for offset := 0; offset < len(rest); {
		line, _, _ := bytes.Cut(rest[offset:], []byte("\n"))
		if c, ok := mdline.ParseFence(line); ok && m.ClosedBy(c) {
			return rest[:offset], text.Blank(rest[min(len(rest), offset+len(line)):])
		}
		offset += len(line) + 1
	}
	return nil, false
}

// withoutPlus removes the + before each line of code. ok is false unless it has several lines that
// aren't blank, and each of them begins with a + and then a letter, an indentation or a bracket.
func withoutPlus(content []byte) (out []byte, ok bool) {
	n := 0
	for line := range bytes.Lines(content) {
		if text.Blank(line) {
			out = append(out, line...)
			continue
		}
		rest, plus := bytes.CutPrefix(line, []byte("+"))
		list := len(text.Margin(rest)) == 1 && rest[0] == ' ' // "+ x" may be an item
		if !plus || list || bytes.IndexByte([]byte("+0123456789"), rest[0]) >= 0 {
			return nil, false
		}
		n++
		out = append(out, rest...)
	}
	return out, n > 1
}

// IsMarkdown reports whether a file may contain fences, judging by its name.
func IsMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".mdx", ".markdown", ".qmd", ".rmd", ".mdc":
		return true
	}
	return false
}
