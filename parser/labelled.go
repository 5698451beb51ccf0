package parser

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
)

// labelled is a fence below the label "SEARCH:", below the name of a file. Where a fence below "REPLACE:" is the next one,
// they are an attempt at a block without its markers.
type labelled struct {
	line  int // of the label; 0 if there is none
	found string
	path  string
}

// watchLabels looks at what stands above a line that opens a fence.
func (s *Scanner) watchLabels(at fsm.Pos) {
	f := s.top()
	if f == nil || f.line != at.Line || s.bare || s.format != "" {
		return // the fence is closed
	}
	before := s.labelled
	s.labelled = labelled{}
	line, label := at.Line, []byte(nil)
	for _, above := range s.linesAbove(at.Start) {
		line--
		at.Start -= len(above)
		if label = above; !isBlank(above) {
			break
		}
	}
	switch editLabel(label) {
	case "search":
		if b := s.bind(fsm.Mark{}, fsm.Pos{Line: line, Start: at.Start}); b.direct {
			s.labelled = labelled{line: line, found: excerpt(label), path: b.path}
		}
	case "replace", "replace with":
		if before.line > 0 {
			s.sticky = before.path
			s.refuse(&Diagnostic{Code: string(fsm.MalformedOpener), Line: before.line, Found: fmt.Sprintf("%q", before.found),
				Expected: fmt.Sprintf("%q", fsm.Aider.Opener(7)), Remedy: s.remedy("write both texts in one block, between its markers", fsm.Aider)},
				before.line, before.line)
		}
	}
}

// editLabel returns the words of a line that is nothing but a label, in lower case: "**Replace with:**".
func editLabel(line []byte) string {
	if len(line) > 40 || bytes.IndexByte(line, ':') < 0 {
		return ""
	}
	text := strings.Trim(string(bytes.TrimSpace(line)), "#*_ ")
	text, ok := strings.CutSuffix(text, ":")
	if !ok {
		return ""
	}
	return strings.ToLower(strings.TrimRight(text, "*_ "))
}
