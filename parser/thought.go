package parser

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
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

// begin reports whether the line begins a thought, or ends one whose beginning is not in the reply.
func (t *thought) begin(raw []byte, at fsm.Pos, out *output) bool {
	first := bytes.TrimLeft(raw, " \t")
	if out.req.bare || out.ctx.top() != nil || len(first) < len("<think>") || first[0] != '<' && first[0] != "►"[0] {
		return false
	}
	text := string(bytes.TrimSpace(raw[:min(len(raw), maxThoughtTag)]))
	for _, tag := range thoughtTags {
		switch {
		case strings.HasPrefix(text, tag[0]) && !strings.HasPrefix(text, tag[0]+" "): // else a sentence about it
			if !bytes.Contains(raw, []byte(tag[1])) {
				t.line, t.end, t.draft = at.Line, tag[1], 0
			}
		case text == tag[1]:
			out.ctx.outside = at.End
			if out.blocks > t.blocks {
				out.refuse(out.lateThought(text, at.Line), at.Line, at.Line)
				t.blocks = out.blocks
				return true
			}
		default:
			continue
		}
		out.uses.put(prose, at.Line, at.Line)
		return true
	}
	return false
}

// read reads a line of a thought.
func (t *thought) read(raw []byte, at fsm.Pos, out *output) {
	out.uses.put(prose, at.Line, at.Line)
	if bytes.Contains(raw, []byte(t.end)) {
		t.line, t.blocks = 0, out.blocks
		out.ctx.outside = at.End
		return
	}
	if t.draft == 0 && (fsm.Classify(raw).Kind == fsm.Opener || envelope.Start(raw, at.Line, out.req.format, inner{}) != nil) {
		t.draft = at.Line
	}
}

// finish reports edits in a thought that ends with the input.
func (t *thought) finish(out *output) {
	if t.line > 0 && t.draft > 0 {
		out.refuse(&Diagnostic{Code: string(fsm.Truncated), Line: t.draft, Found: fmt.Sprintf("an edit in what begins in line %d and has no %q", t.line, t.end),
			Expected: fmt.Sprintf("%q, and the edits after it", t.end), Remedy: out.remedy("send the edits again, below the thought", fsm.Aider)}, t.draft, t.draft)
	}
	t.line = 0
}

func (out *output) lateThought(tag string, line int) *Diagnostic {
	return &Diagnostic{Code: string(fsm.Malformed), Line: line, Found: fmt.Sprintf("%q below edits, which may be drafts", tag),
		Expected: "edits below it only", Remedy: out.remedy("send what is below the line, without the thought", fsm.Aider)}
}
