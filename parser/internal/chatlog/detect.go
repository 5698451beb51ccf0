package chatlog

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
)

// detect looks at the first line that is not blank.
func (l *Log) detect(raw []byte) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if text.Blank(raw) {
		return
	}
	l.kind = noLog
	if isAiderHead(raw) || isUserLine(raw) && isSpaced(raw) {
		l.kind = aiderLog
	} else if c, ok := captionOf(raw); ok && c.begins() {
		l.kind = speakerLog
		l.heading = !c.inline && (c.set[0] == '#' || c.bold() && strings.HasSuffix(c.set, "*"))
	}
}

// In looks for speakers in the whole text of what is known to be a log or a part of one.
func In(text []byte) Log {
	if isAider(text) {
		return Log{kind: aiderLog}
	}
	if c, ok := castOf(text); ok {
		return Log{kind: speakerLog, cast: c}
	}
	if m, ok := marksIn(text); ok {
		return Log{kind: markLog, marks: m}
	}
	return Log{}
}

// isAider reports whether aider has written a log, of which the head may be missing.
func isAider(log []byte) bool {
	var tools, users bool
	for raw := range bytes.Lines(log) {
		switch {
		case isAiderHead(raw), isUserLine(raw) && isSpaced(raw):
			return true
		case isUserLine(raw):
			users = true
		case raw[0] == '>':
			tools = tools || isAiderTool(raw)
		}
	}
	return tools && users
}
