// Package chatlog finds the model's answers in a chat log. Only answers contain edits: the user's
// questions and a program's output at most quote them.
//
//	# aider chat started at …    aider's history: the user's lines begin with "#### ", aider's with "> "
//	User:, **You said:**, …      a chat with labels: such lines begin a speaker's turn
//
// The package imports fsm, mdline and internal/text, and knows nothing about files.
package chatlog

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// Answer is a model's answer.
type Answer struct {
	Line int    // number of its first line in the log, 1-based
	Text []byte // part of the log
	// Doubt is the number of the line above the answer that is either the user's or a heading. If
	// it is a heading, the answer is part of the previous one. Doubt is 0 if the line is certainly
	// the user's.
	Doubt int
	// Below is the user's text after the answer, if the label above that text may instead be a
	// heading in an answer.
	Below []byte
}

// IsLog reports whether the first line of a text that isn't blank is one with which a chat log
// begins.
func IsLog(log []byte) bool {
	for raw := range bytes.Lines(bytes.TrimPrefix(log, []byte("\ufeff"))) {
		if text.Blank(raw) {
			continue
		}
		if isHead(raw) || isUserLine(raw) && isSpaced(raw) {
			return true
		}
		l, ok := labelOf(raw)
		return ok && l.begins()
	}
	return false
}

// Answers returns the answers in a text that is known to be a log or a part of one. The text need
// not begin like a log. If nothing shows who is speaking, Answers returns nil.
func Answers(log []byte) []Answer {
	t := &turns{log: log}
	for line := range bytes.Lines(log) {
		t.lines, t.starts = append(t.lines, line), append(t.starts, t.size)
		t.size += len(line)
	}
	if isAider(t.lines) {
		t.aider()
	} else if !t.labelled() {
		return nil
	}
	return t.answers
}

// turns collects the answers of a log, line by line.
type turns struct {
	log     []byte
	lines   [][]byte
	starts  []int // offsets of the lines
	size    int
	answers []Answer
	open    bool // the last answer has not ended yet
}

// begin begins an answer in line i, 0-based, unless one is open. doubt is the Answer's Doubt.
func (t *turns) begin(i, doubt int) {
	if !t.open {
		t.answers = append(t.answers, Answer{Line: i + 1, Text: t.between(i, len(t.lines)), Doubt: doubt})
		t.open = true
	}
}

// end ends the open answer, if any, above line i.
func (t *turns) end(i int) {
	if t.open {
		a := &t.answers[len(t.answers)-1]
		a.Text, t.open = t.between(a.Line-1, i), false
	}
}

// between returns the text of lines i to j, excluding j. Both may be beyond the last line.
func (t *turns) between(i, j int) []byte {
	start, end := t.size, t.size
	if i < len(t.lines) {
		start = t.starts[i]
	}
	if j < len(t.lines) {
		end = t.starts[j]
	}
	return t.log[start:end:end]
}

// pastBlock returns the line after the block that line i opens, or the line after i if line i opens
// no block with a closer. Labels inside a block don't count.
func (t *turns) pastBlock(i int) int {
	if fsm.Classify(t.lines[i]).Kind != fsm.Opener {
		return i + 1
	}
	for j := i + 1; j < len(t.lines); j++ {
		switch fsm.Classify(t.lines[j]).Kind {
		case fsm.Closer:
			return j + 1
		case fsm.Opener:
			return i + 1
		}
	}
	return i + 1
}
