package chatlog

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
)

// aiderSpeaker is who speaks in a line of aider's log that is not blank.
func (l *Log) aiderSpeaker(raw []byte, number int) Speaker {
	switch {
	case l.reportLine(raw):
		return User // aider asks in the user's place
	case isAiderHead(raw), isToolLine(raw):
		l.ended = l.ended || l.endsAnswer(raw, number)
		return Tool
	case l.asks(raw, number):
		return User
	}
	return Model
}

// asks reports whether a line in aider's log is the user's. It notes the line, and whether it may
// be a heading instead.
func (l *Log) asks(raw []byte, number int) bool {
	goesOn := l.asked > 0 && l.asked == number-1
	switch {
	case !isUserLine(raw):
		return false
	case goesOn, l.speaker == Tool:
	case l.speaker == Model && l.blank != number-1, !l.mayAsk(raw):
		return false
	case l.speaker == Model && !isSpaced(raw):
		l.doubts = append(l.doubts, number)
	}
	l.spaced = isSpaced(raw) && (l.spaced || l.asked == 0)
	l.asked = number
	return true
}

// mayAsk reports whether a line that begins as the user's ends as the others do.
func (l *Log) mayAsk(raw []byte) bool {
	return isSpaced(raw) || !l.spaced
}

func isAiderHead(raw []byte) bool { return bytes.HasPrefix(raw, []byte("# aider chat started at")) }

// isToolLine reports whether a line is written as aider writes its own lines.
func isToolLine(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("> ")) || string(text.Chomp(raw)) == ">"
}

// isUserLine reports whether a line begins as aider writes the lines of its user.
func isUserLine(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("#### ")) || bytes.Equal(text.Chomp(raw), []byte("####"))
}

func isSpaced(raw []byte) bool { return bytes.HasSuffix(text.Chomp(raw), []byte("  ")) }
