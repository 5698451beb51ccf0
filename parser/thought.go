package parser

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/attempt"
	"github.com/srpatch/srpatch/parser/internal/envelope"

	"github.com/srpatch/srpatch/fsm"
)

// thought is the reasoning before an answer, which reasoning models put into the reply between tags. Edits in it are drafts, which
// the answer repeats or drops, so it is prose. A thought that is not closed may contain the answer, too.
type thought struct {
	line   int    // of the tag that begins it; 0 outside
	end    string // the tag that ends it
	draft  int    // the first line of it that begins an edit
	blocks int    // how many there were where the answer began
}

// thoughtTags are the lines that begin and end a thought: tags of models, and the titles that aider puts in their place.
var thoughtTags = [...][2]string{{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"}, {"► **THINKING**", "► **ANSWER**"}}

// maxThoughtTag is how much of a line is looked at for a tag, in bytes.
const maxThoughtTag = 120

// beginThought reports whether the line begins a thought, or ends one whose beginning is not in the reply.
func (s *Scanner) beginThought(raw []byte, at fsm.Pos) bool {
	first := bytes.TrimLeft(raw, " \t")
	if s.req.bare || s.ctx.top() != nil || len(first) < len("<think>") || first[0] != '<' && first[0] != "►"[0] {
		return false
	}
	text := string(bytes.TrimSpace(raw[:min(len(raw), maxThoughtTag)]))
	for _, tag := range thoughtTags {
		switch {
		case strings.HasPrefix(text, tag[0]) && !strings.HasPrefix(text, tag[0]+" "): // else a sentence about it
			if !bytes.Contains(raw, []byte(tag[1])) {
				s.thought.line, s.thought.end, s.thought.draft = at.Line, tag[1], 0
				s.watch.Notice(attempt.Begins)
			}
		case text == tag[1]:
			s.ctx.outside = at.End
			if s.out.blocks > s.thought.blocks {
				s.out.refuse(s.out.lateThought(text, at.Line), at.Line, at.Line)
				s.thought.blocks = s.out.blocks
				return true
			}
		default:
			continue
		}
		s.out.uses.put(prose, at.Line, at.Line)
		return true
	}
	return false
}

// inThought reads a line of a thought.
func (s *Scanner) inThought(raw []byte, at fsm.Pos) {
	t := &s.thought
	s.out.uses.put(prose, at.Line, at.Line)
	if bytes.Contains(raw, []byte(t.end)) {
		t.line, t.blocks = 0, s.out.blocks
		s.ctx.outside = at.End
		return
	}
	if t.draft == 0 && (fsm.Classify(raw).Kind == fsm.Opener || envelope.Start(raw, at.Line, s.req.format, inner{}) != nil) {
		t.draft = at.Line
	}
}

// endThought reports edits in a thought that ends with the input.
func (s *Scanner) endThought() {
	t := &s.thought
	if t.line > 0 && t.draft > 0 {
		s.out.refuse(&Diagnostic{Code: string(fsm.Truncated), Line: t.draft, Found: fmt.Sprintf("an edit in what begins in line %d and has no %q", t.line, t.end),
			Expected: fmt.Sprintf("%q, and the edits after it", t.end), Remedy: s.out.remedy("send the edits again, below the thought", fsm.Aider)}, t.draft, t.draft)
	}
	t.line = 0
}

func (out *output) lateThought(tag string, line int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.Malformed), Line: line, Found: fmt.Sprintf("%q below edits, which may be drafts", tag),
		Expected: "edits below it only", Remedy: out.remedy("send what is below the line, without the thought", fsm.Aider)}
}
