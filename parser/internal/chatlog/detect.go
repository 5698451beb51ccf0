package chatlog

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// detect looks at the first line that is not blank.
func (l *Log) detect(raw []byte) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if text.Blank(raw) {
		return
	}
	l.kind = noLog
	if isAiderHead(raw) || IsUserLine(raw) && isSpaced(raw) {
		l.kind = aiderLog
	} else if said, ok := labelOf(raw); ok && (!said.inline || said.word == "user" || said.word == "human") {
		l.kind = speakerLog
		l.heading = !said.inline && (raw[0] == '#' || raw[0] == '*' && bytes.HasSuffix(bytes.TrimSpace(raw), []byte("*")))
	}
}

// In looks for speakers in the whole text of what is known to be a log or a part of one.
func In(text []byte) Log { return Log{kind: kindOf(text)} }

func kindOf(text []byte) kind {
	var tools, users, asked, answered, fenced bool
	for raw := range bytes.Lines(text) {
		if mdline.IsFence(raw) {
			fenced = !fenced
		}
		switch {
		case isAiderHead(raw):
			return aiderLog
		case IsUserLine(raw):
			users = true
			if isSpaced(raw) {
				return aiderLog
			}
		case raw[0] == '>':
			tools = tools || isAiderTool(raw)
		case !fenced:
			if l, ok := labelOf(raw); ok {
				asked = asked || l.who == User
				answered = answered || asked && l.who == Model
			}
		}
	}
	switch {
	case tools && users:
		return aiderLog
	case answered:
		return speakerLog
	}
	return undecided
}
