package breakage

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
)

// fence is a line that opens or closes a fence.
type fence struct {
	sign byte
	len  int
	info bool // and says what is in it
}

// fenceOf is the fence that a line is; its length is 0 if it is none.
func fenceOf(line []byte) fence {
	line = bytes.TrimSpace(line)
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return fence{}
	}
	rest := bytes.TrimLeft(line, string(line[0]))
	n := len(line) - len(rest)
	if n < 3 || bytes.IndexByte(rest, '`') >= 0 {
		return fence{}
	}
	return fence{line[0], n, len(rest) > 0}
}

// openFence is the offset of the last fence if it is left open; -1 if none is.
func openFence(all []byte) int {
	open, from, at := fence{}, -1, 0
	for line := range bytes.Lines(all) {
		if f := fenceOf(line); f.len > 0 {
			switch {
			case open.len == 0:
				open, from = f, at
			case f.sign == open.sign && f.len >= open.len && !f.info:
				open, from = fence{}, -1
			}
		}
		at += len(line)
	}
	return from
}

// strayFences finds lines of a fence that came into code, and fences that are left open in a file in which all of them were closed.
func strayFences(c *Change) []Finding {
	var came []addedLine
	for line := range c.addedLines() {
		if fenceOf(line.text).len > 0 {
			came = append(came, line)
		}
	}
	if len(came) == 0 {
		return nil
	}
	lang := languageOf(c.Path)
	if lang != nil && !lang.isFenced(c.Before) {
		hidden := lang.hiddenIn(c.After)
		for _, line := range came {
			if !hidden.has(line.offset) {
				return []Finding{strayFence(c, line)}
			}
		}
	}
	shows := lang == nil && !text.IsMarkup(c.Path) && bytes.Contains(c.Before, []byte("```")) // as a file of test cases does
	if shows || openFence(c.After) < 0 || openFence(c.Before) >= 0 {
		return nil
	}
	return []Finding{strayFence(c, came[len(came)-1])}
}

func strayFence(c *Change, line addedLine) Finding {
	return c.at(warning.StrayFence, line.span, line.offset, "is %q, a fence that REPLACE adds and leaves open; remove it if it only encloses the block", bytes.TrimSpace(line.text))
}

// isFenced reports whether a line of code in the text looks like a fence already.
func (l *language) isFenced(all []byte) bool {
	hidden := l.hiddenIn(all)
	at := 0
	for line := range bytes.Lines(all) {
		if fenceOf(line).len > 0 && !hidden.has(at) {
			return true
		}
		at += len(line)
	}
	return false
}
