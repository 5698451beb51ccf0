package parser

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/chatlog"
)

// ParseLast reads the last answer in a chat log that contains an edit or an attempt at one. Line
// numbers refer to the log. A log without labels is treated as one answer.
func ParseLast(log []byte, opts ...Option) *Reply {
	if isJSONLog(log) {
		return &Reply{Diagnostics: []Diagnostic{jsonLog()}}
	}
	answers := chatlog.Answers(log)
	if answers == nil {
		return parse(log, 1, opts)
	}
	var last *Reply
	for i := len(answers) - 1; i >= 0; i-- {
		r := parse(answers[i].Text, answers[i].Line, opts)
		if r.firstEdit() == 0 {
			last = cmp.Or(last, r)
			continue
		}
		if line := answers[i].Doubt; line > 0 && continuesEdits(answers[:i], opts) {
			r.Diagnostics = slices.Insert(r.Diagnostics, 0, doubtfulTurn(line))
		}
		return r
	}
	return last
}

// continuesEdits reports whether an answer with a doubtful beginning may be part of an earlier one
// with edits: the line above it may be a heading instead of the user's. before are the answers
// above it, of which the nearest one that contains edits or has a clear beginning decides. If
// before is empty, the result is true, because the answer's own beginning may be missing.
func continuesEdits(before []chatlog.Answer, opts []Option) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if parse(before[i].Text, before[i].Line, opts).firstEdit() > 0 {
			return true
		}
		if before[i].Doubt == 0 {
			return false
		}
	}
	return len(before) == 0
}

// parseLog reads a chat log. It refuses the log if more than one answer contains edits, or may
// contain some: if an answer with edits has a doubtful beginning, or if text with edits that seems
// to be the user's may be part of an answer.
func parseLog(log []byte, opts []Option) *Reply {
	all, edited := &Reply{}, 0
	for _, a := range chatlog.Answers(log) {
		r := parse(a.Text, a.Line, opts)
		all.Append(r)
		if line := r.firstEdit(); line > 0 {
			edited++
			switch {
			case a.Doubt > 0:
				return &Reply{Diagnostics: []Diagnostic{doubtfulTurn(a.Doubt)}}
			case edited > 1:
				return &Reply{Diagnostics: []Diagnostic{severalAnswers(line)}}
			}
		}
		below := a.Line + bytes.Count(a.Text, []byte("\n")) + 1
		if line := parse(a.Below, below, opts).firstEdit(); line > 0 {
			return &Reply{Diagnostics: []Diagnostic{severalAnswers(line)}}
		}
	}
	return all
}

// firstEdit returns the line of the first edit or attempt at one, or 0 if there is none.
func (r *Reply) firstEdit() int {
	line := 0
	if len(r.Blocks) > 0 {
		line = r.Blocks[0].Lines[0]
	}
	if len(r.Diagnostics) > 0 && (line == 0 || r.Diagnostics[0].Line < line) {
		line = r.Diagnostics[0].Line
	}
	return line
}

// severalAnswers returns the diagnostic for a chat log with a second answer with edits in the line.
func severalAnswers(line int) Diagnostic {
	return Diagnostic{Code: diagnosis.ChatLog, Line: line, Found: "the log of a chat with edits in several turns",
		Expected: "the edits of one answer", Remedy: "pass only the answer, or read the log's last answer"}
}

// doubtfulTurn returns the diagnostic for a chat log in which the line may or may not be the
// user's.
func doubtfulTurn(line int) Diagnostic {
	return Diagnostic{Code: diagnosis.ChatLog, Line: line,
		Found: "a line that is the user's or a speaker's label, or a heading in an answer",
		Expected: "labels that distinguish the user from the model; in aider's log, two blanks at the end of " +
			"the user's lines, or a line of the tool above them",
		Remedy: "pass only the answer"}
}

// headSize is the number of bytes of a reply that are searched for signs of a JSON log.
const headSize = 64 << 10

// speakers matches text that only chat logs contain near their beginning: a speaker, an event of a
// session, or a question next to its answer.
const speakers = `"(?:role|sender|author|speaker|source|type)"\s*:\s*"(?i:ROLE_)?(?i:user|human|you)"` +
	`|"from"\s*:\s*"human"|"isCreatedByUser"|"session(?:ID|Id)"\s*:|"say"\s*:\s*"` +
	`|"type"\s*:\s*"(?:event_msg|thread\.started)"|"msg"\s*:\s*\{\s*"type"` +
	`|"requesterUsername"|"(?:prompt|question)"\s*:.*"(?:response|answer)"\s*:`

// isJSONLog reports whether a reply is a chat log in JSON.
func isJSONLog(reply []byte) bool {
	return beginsJSON(reply) && regexp.MustCompile(`(?s)`+speakers).Match(reply[:min(len(reply), headSize)])
}

// beginsJSON reports whether a text begins like a JSON object or array.
func beginsJSON(text []byte) bool {
	head := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("["))
}

// jsonLog returns the diagnostic that refuses a chat log in JSON.
func jsonLog() Diagnostic {
	return Diagnostic{Code: diagnosis.ChatLog, Line: 1, Found: "the log of a chat in JSON", Expected: "one answer",
		Remedy: "pass the last answer as text: llm logs -r, claude -p, codex exec -o FILE, or jq -r on the log"}
}
