package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
)

// watchWords looks at a line for the words of an edit that has neither markers nor fences: "FIND:" below the name of a file, and
// "REPLACE:". It reports whether the line is the second of them, which is reported.
func (s *Scanner) watchWords(raw []byte, at fsm.Pos) bool {
	if len(raw) == 0 || s.req.bare || s.req.format != "" || len(raw) > len("REPLACE WITH:\r\n") || raw[0] != 'F' && raw[0] != 'S' && raw[0] != 'R' {
		return false
	}
	switch word := string(bytes.TrimSpace(raw)); word {
	case "FIND:", "SEARCH:":
		s.attempt.words = labelAttempt{}
		if b := s.ctx.bind(fsm.Mark{}, at); b.direct {
			s.attempt.words = labelAttempt{line: at.Line, found: word, path: b.path}
		}
	case "REPLACE:", "REPLACE WITH:":
		before := s.attempt.words
		if s.attempt.words = (labelAttempt{}); before.line == 0 || at.Line-before.line > maxOldSide {
			return false
		}
		s.ctx.inherit(before.path, nil, false)
		s.out.uses.put(diagnosed, at.Line, at.Line)
		s.out.refuse(s.wordsOfEdit(before), before.line, before.line)
		return true
	}
	return false
}
