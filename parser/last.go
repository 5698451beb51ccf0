package parser

import (
	"bytes"
	"math"
	"regexp"
	"slices"

	"github.com/srpatch/srpatch/internal/diagnosis"
)

// ParseLast understands the last answer of a chat log that has an edit or an attempt at one. The
// log is text, as for [ParseLog].
func ParseLast(log []byte, opts ...Option) *Reply { return ParseLog(log, opts...).Last() }

// headSize is how much of a reply may show that it is a log in JSON, in bytes.
const headSize = 64 << 10

// speakers is what only the logs of chats have near their beginning: who speaks, events of a
// session, or a question next to its answer.
const speakers = `"(?:role|sender|author|speaker|source|type)"\s*:\s*"(?i:ROLE_)?(?i:user|human|you)"` +
	`|"from"\s*:\s*"human"|"isCreatedByUser"|"session(?:ID|Id)"\s*:|"say"\s*:\s*"` +
	`|"type"\s*:\s*"(?:event_msg|thread\.started)"|"msg"\s*:\s*\{\s*"type"` +
	`|"requesterUsername"|"(?:prompt|question)"\s*:.*"(?:response|answer)"\s*:`

// isJSONLog reports whether a reply is the log of a chat in JSON.
func isJSONLog(reply []byte) bool {
	return beginsJSON(reply) && regexp.MustCompile(`(?s)`+speakers).Match(reply[:min(len(reply), headSize)])
}

// beginsJSON reports whether a text begins as an object or a list does.
func beginsJSON(text []byte) bool {
	head := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("["))
}

// jsonLog refuses the log of a chat in JSON.
func jsonLog() Diagnostic {
	return Diagnostic{Code: diagnosis.ChatLog, Line: 1, Found: "the log of a chat in JSON", Expected: "one answer",
		Remedy: "hand in the last answer as text: llm logs -r, claude -p, codex exec -o FILE, or jq -r on the log"}
}

// Last returns the last reply of a chat log that has a block or an attempt at one, with the lines
// and numbers it has in the log. If it cannot be known which of the blocks belong to that reply, a
// diagnostic says so. If the input is one reply, it is r itself.
func (r *Reply) Last() *Reply {
	if len(r.Turns) == 0 {
		return r
	}
	var line int
	for _, b := range r.Blocks {
		line = max(line, b.Lines[0])
	}
	for _, d := range r.Diagnostics {
		line = max(line, d.Line)
	}
	turn, _ := slices.BinarySearch(r.Turns, line+1)
	first, end := 0, math.MaxInt
	if turn > 0 {
		first = r.Turns[turn-1]
	}
	if turn < len(r.Turns) {
		end = r.Turns[turn]
	}
	in := func(line int) bool { return line >= first && line < end }
	last := &Reply{Turns: r.Turns, doubts: r.doubts}
	if d := r.doubt(turn); d != nil {
		last.Diagnostics = append(last.Diagnostics, *d)
	}
	for _, b := range r.Blocks {
		if in(b.Lines[0]) {
			last.Blocks = append(last.Blocks, b)
		}
	}
	for _, s := range r.Shell {
		if in(s.Lines[0]) {
			last.Shell = append(last.Shell, s)
		}
	}
	for _, n := range r.Noticed {
		if in(n.Lines[0]) {
			last.Noticed = append(last.Noticed, n)
		}
	}
	for _, d := range r.Diagnostics {
		if in(d.Line) {
			last.Diagnostics = append(last.Diagnostics, d)
		}
	}
	for _, a := range r.Attempts {
		if in(a.Lines[0]) {
			last.Attempts = append(last.Attempts, a)
		}
	}
	return last
}

// doubt says why it cannot be known where the given turn begins, which is counted from 1; nil if it
// can: the line above it that was taken for the user's may be a heading, and then an edit in the
// turns before is a part of the same answer.
func (r *Reply) doubt(turn int) *Diagnostic {
	line := 0
	for ; turn > 0; turn-- {
		first, before := r.Turns[turn-1], 0
		if turn > 1 {
			before = r.Turns[turn-2]
		}
		i, _ := slices.BinarySearch(r.doubts, before)
		if i == len(r.doubts) || r.doubts[i] >= first {
			return nil
		}
		if line == 0 {
			line = r.doubts[i]
		}
		if r.editsIn(before, first) {
			return &Diagnostic{Code: diagnosis.AmbiguousTurn, Line: line,
				Found: "a line that is the user's or a speaker's label, or a heading in an answer that holds edits above and below it",
				Expected: "labels that say who is the user and who the model; in aider's log two blanks at the end of the user's lines, " +
					"or a line of the tool above them",
				Remedy: "hand in the answer alone, or choose the blocks to apply by their numbers in all of the log"}
		}
	}
	return nil
}

// editsIn reports whether there is an edit or an attempt at one between two lines.
func (r *Reply) editsIn(first, end int) bool {
	in := func(line int) bool { return line >= first && line < end }
	return slices.ContainsFunc(r.Blocks, func(b Block) bool { return in(b.Lines[0]) }) ||
		slices.ContainsFunc(r.Diagnostics, func(d Diagnostic) bool { return in(d.Line) })
}
