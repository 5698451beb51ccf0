// Package chatlog divides the log of a chat into the model's answers. Only they have edits: what
// the user asked and what a program printed quote some.
//
//	# aider chat started at …    aider's history: the user's lines begin with "#### ", aider's with "> "
//	User:, **You said:**, …      a chat with labels: such lines begin a speaker's turn
//
// It imports the rooms fsm and mdline and internal/text, and knows nothing of files.
package chatlog

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// Answer is what a model said at one time.
type Answer struct {
	Line int    // number of its first line in the log, 1-based
	Text []byte // part of the log
	// Doubt is the line above the answer that is the user's, or a heading, so that the answer is a
	// part of the one before it; 0 where the user certainly spoke.
	Doubt int
	// Below is what the user says after it, if the label above that may be a heading in an answer
	// instead.
	Below []byte
}

// IsLog reports whether a text begins as the log of a chat does.
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

// Answers lists the answers in what is known to be a log or a part of one, which need not begin as
// logs do. There are none if nothing shows who speaks.
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
	open    bool // the last answer goes on
}

// begin begins an answer in line i, counted from 0.
func (t *turns) begin(i, doubt int) {
	if !t.open {
		t.answers = append(t.answers, Answer{Line: i + 1, Text: t.between(i, len(t.lines)), Doubt: doubt})
		t.open = true
	}
}

// end ends the answer that goes on above line i.
func (t *turns) end(i int) {
	if t.open {
		a := &t.answers[len(t.answers)-1]
		a.Text, t.open = t.between(a.Line-1, i), false
	}
}

// between is the text of the lines i to j, without j.
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

// pastBlock is the line after the block that line i opens, or else the one after i: nobody speaks
// inside of a block that has a closer.
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
