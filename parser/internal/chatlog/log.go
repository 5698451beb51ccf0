package chatlog

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
)

// Log follows the speakers of a chat log, line by line outside of blocks. A chat log has many
// replies. What the user said and what the tool printed is prose, whatever it quotes. A log is
// recognised by its first line that is not blank, or, if the input is known to be a log ([In]), by
// any line:
//
//	# aider chat started at …    aider's history: User lines begin with "#### ", Tool lines with "> ", but see report
//	User:, **You said:**, …      a chat copied from a page: such lines begin a speaker's turn
//	❯ …, 🧑 …                     signs do so in place of names, see marks
//
// Answers have headings, too. aider ends the lines of the user with two blanks: if the first such
// line does, lines without them are headings. If the blanks were stripped, a line that aider wrote
// itself is above the user's; below the text of an answer it cannot be known who speaks.
//
// The zero Log is that of an input of which nothing is known.
type Log struct {
	kind    kind
	speaker Speaker
	turns   []int // first line of each reply

	asked   int   // number of the last line of aider's user; 0 if there is none
	spaced  bool  // all of these lines end in two blanks
	blank   int   // number of the last blank line
	cast    cast  // of a log of labels
	marks   marks // of a log of signs
	doubts  []int // lines that begin a turn of the user's or are a heading of the model's
	report  report
	heading bool // the first line is a label alone, as a heading or in bold
	ended   bool // the answer is over, so what the model says next is another one
}

type kind uint8

const (
	undecided kind = iota
	noLog
	aiderLog
	speakerLog
	markLog
)

// Speaker is whose turn it is.
type Speaker uint8

// The speakers of a log.
const (
	Model Speaker = iota
	User
	Tool
)

// None is the Log of an input that is none.
func None() Log { return Log{kind: noLog} }

// Speaker is whose turn it is.
func (l *Log) Speaker() Speaker { return l.speaker }

// Turns holds the first line of each reply of the log, 1-based; nil if the input is no log.
func (l *Log) Turns() []int { return l.turns }

// Doubts holds the lines, 1-based, that begin a turn of the user's or are a heading of the model's.
func (l *Log) Doubts() []int { return l.doubts }

// Open reports whether the lines of the input have to be followed: it is a log, or may be one.
func (l *Log) Open() bool { return l.kind != noLog }

// MayBeAnswer reports whether what the user says may as well be the beginning of an answer: the
// label that made the input a log is a heading or a line in bold, and nobody has answered.
func (l *Log) MayBeAnswer() bool { return l.heading && l.speaker == User && len(l.turns) == 0 }

// Undecided reports whether it is not known yet if the input is a log.
func (l *Log) Undecided() bool { return l.kind == undecided }

// Line follows a line outside of blocks. It reports whether the line is not the model's. fenced
// says that a fence is open.
func (l *Log) Line(raw []byte, number int, fenced bool) bool {
	if l.kind == undecided {
		l.detect(raw)
	}
	switch l.kind {
	case aiderLog, speakerLog, markLog:
		return l.follow(raw, number, fenced)
	}
	return false
}

func (l *Log) follow(raw []byte, number int, fenced bool) bool {
	if text.Blank(raw) {
		l.blank = number
		return l.speaker != Model
	}
	if l.kind == aiderLog {
		l.turnTo(l.aiderSpeaker(raw, number), number)
		return l.speaker != Model
	}
	if l.kind == markLog {
		if !fenced {
			l.turnTo(l.markSpeaker(raw, number), number)
		}
		return l.speaker != Model
	}
	who, ok := l.turnOf(raw)
	switch {
	case ok && !fenced:
		if l.turnTo(who, number); who == Tool {
			l.doubts, l.ended = append(l.doubts, number), true
		}
		return true
	case l.speaker == Tool:
		l.turnTo(Model, number)
	}
	return l.speaker != Model
}

// turnTo makes someone the speaker from a line on. A reply begins when the model speaks after the
// one before has ended, which the user ends by speaking.
func (l *Log) turnTo(who Speaker, number int) {
	if who == Model && who != l.speaker && (l.ended || len(l.turns) == 0) {
		l.turns = append(l.turns, number)
		l.ended = false
	}
	l.ended = l.ended || who == User
	l.speaker = who
}

// Interruption is where someone else begins to speak inside of a block.
type Interruption struct {
	Offset int     // of the line, in the text
	after  Speaker // who spoke above it
}

// Ended reports whether the answer is over: what the model says next is another one.
func (l *Log) Ended() bool { return l.ended }

// Interrupted finds where a turn of the user begins, or where aider says that the answer is over,
// in a text that a block without a closer would have inside.
func (l *Log) Interrupted(body []byte) (Interruption, bool) {
	if l.kind == undecided || l.kind == noLog {
		return Interruption{}, false
	}
	blank, above, offset, apart := false, Model, 0, false
	for line := range bytes.Lines(body) {
		if blank && l.begins(line, above) || l.kind == aiderLog && apart && isAnswerEnd(line) && l.mayAsk(line) {
			return Interruption{offset, above}, true
		}
		if blank = text.Blank(line); !blank {
			above = Model
			if l.kind == aiderLog && isToolLine(line) {
				above = Tool
			}
		}
		apart = blank || apart && above == Tool // what aider writes comes below a blank line
		offset += len(line)
	}
	return Interruption{}, false
}

// Resume goes on at an interruption, below the blank line with the given number.
func (l *Log) Resume(at Interruption, blank int) { l.speaker, l.blank = at.after, blank }

// begins reports whether a line begins a turn of the user: it is below a blank line, after text of
// the given speaker.
func (l *Log) begins(line []byte, above Speaker) bool {
	if l.kind == aiderLog {
		return isUserLine(line) && (above == Tool || l.mayAsk(line))
	}
	if l.kind == markLog {
		return markOf(line) == l.marks.user
	}
	who, ok := l.turnOf(line)
	return ok && who != Model
}
