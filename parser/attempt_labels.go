package parser

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// labelAttempt is a fence below the label "SEARCH:", below the name of a file. If the next fence is below "REPLACE:", the two
// are an attempt at a block without its markers.
type labelAttempt struct {
	line  int // of the label; 0 if there is none
	found string
	path  string
}

// watchLabels looks at the line above one that opens a fence.
func (s *Scanner) watchLabels(at fsm.Pos) {
	f := s.ctx.top()
	if f == nil || f.line != at.Line || s.req.bare || s.req.format != "" {
		return // the fence is closed
	}
	before := s.attempt.labels
	if before.line > 0 {
		s.attempt.labels = labelAttempt{}
	}
	start, line := s.ctx.labelAbove(at)
	label := s.in.buf[start:at.Start]
	switch editLabel(label) {
	case "search", "find", "search for", "search block":
		s.attempt.words = labelAttempt{}
		if b := s.ctx.bind(fsm.Mark{}, fsm.Pos{Line: line, Start: start}); b.direct {
			s.attempt.labels = labelAttempt{line: line, found: mdline.Excerpt(label), path: b.path}
		}
	case "replace", "replace with", "replace it with", "replacement", "replace block":
		if before.line > 0 {
			s.ctx.inherit(before.path, nil, false)
			s.out.refuse(s.wordsOfEdit(before), before.line, before.line)
		}
	}
}

// labelAbove returns offset and number of the line above a line, a blank one between them or not.
func (c *context) labelAbove(at fsm.Pos) (start, line int) {
	low := max(c.outside, at.Start-lookBack)
	start, line = at.Start, at.Line
	for range 2 {
		end := start
		if end <= low {
			break
		}
		start = low + bytes.LastIndexByte(c.in.buf[low:end-1], '\n') + 1
		if line--; !text.Blank(c.in.buf[start:end]) {
			break
		}
	}
	return start, line
}

func (s *Scanner) wordsOfEdit(l labelAttempt) *Diagnostic {
	return &Diagnostic{Code: string(fsm.MalformedOpener), Line: l.line, Found: fmt.Sprintf("%q", l.found),
		Expected: fmt.Sprintf("%q", fsm.Aider.Opener(7)), Remedy: s.out.remedy("write both texts in one block, between its markers", fsm.Aider)}
}

// editLabel returns the words of a line that is only a label, in lower case: "**Replace with:**", "#### Search".
func editLabel(line []byte) string {
	if line = bytes.TrimSpace(line); len(line) < len("find:") || len(line) > 40 || line[len(line)-1] != ':' && line[len(line)-1] != '*' && line[0] != '#' {
		return ""
	}
	set := line[0] == '#' || bytes.HasPrefix(line, []byte("**"))
	text := strings.Trim(string(line), "#*_ ")
	text, ok := strings.CutSuffix(text, ":")
	if !ok && !set {
		return ""
	}
	return strings.ToLower(strings.TrimRight(text, "*_ "))
}
