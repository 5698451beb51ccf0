package parser

import (
	"bytes"
	"math"
	"sort"

	"github.com/srpatch/srpatch/fsm"
)

// A chat log holds many replies. What the user said and what the tool printed is prose, whatever it quotes. The first
// line that is not blank tells a log:
//
//	# aider chat started at …    aider's history: user lines begin with "#### ", tool lines with "> "
//	User:, **You said:**, …      a chat copied from a page: such lines begin a speaker's turn
type chatLog uint8

const (
	undecided chatLog = iota
	noLog
	aiderLog
	speakerLog
)

// speaker is whose turn it is.
type speaker uint8

const (
	model speaker = iota
	user
	tool
)

// detectLog looks at the first line that is not blank.
func (s *Scanner) detectLog(raw []byte) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	switch {
	case isBlank(raw):
		return
	case s.bare:
		s.log = noLog
	case bytes.HasPrefix(raw, []byte("# aider chat started at")):
		s.log = aiderLog
	default:
		s.log = noLog
		if _, ok := turnOf(raw); ok {
			s.log = speakerLog
		}
	}
}

// logLine follows the turns of a log outside of blocks. It reports whether the line is someone else's than the model's.
func (s *Scanner) logLine(raw []byte) bool {
	if s.log == aiderLog {
		switch {
		case isUserLine(raw):
			s.setSpeaker(user)
		case bytes.HasPrefix(raw, []byte(">")):
			s.setSpeaker(tool)
		case !isBlank(raw):
			s.setSpeaker(model)
		}
		return s.speaker != model
	}
	if who, ok := turnOf(raw); ok && s.top() == nil {
		s.setSpeaker(who)
		return true
	}
	return s.speaker != model
}

// setSpeaker begins a turn when the user speaks, and a reply when the model does: names do not carry over.
func (s *Scanner) setSpeaker(who speaker) {
	if who == s.speaker {
		return
	}
	if who == user {
		s.sticky, s.heading, s.fences = "", heading{}, s.fences[:0]
	}
	if who == model && (s.speaker == user || s.turn == 0) {
		s.turn++
		s.turns = append(s.turns, s.line-1)
	}
	s.speaker = who
}

func isUserLine(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("#### ")) || bytes.Equal(chomp(raw), []byte("####"))
}

// turnOf reads a line that says nothing but who speaks next.
func turnOf(raw []byte) (speaker, bool) {
	if len(raw) > 40 {
		return model, false
	}
	word := bytes.ToLower(bytes.Trim(raw, "#*_:>[]() \t\r\n"))
	word = bytes.TrimSuffix(word, []byte(" said"))
	if bytes.IndexByte(raw, ':') < 0 && raw[0] != '#' && raw[0] != '*' && raw[0] != '[' {
		return model, false
	}
	switch string(word) {
	case "user", "you", "human", "me", "prompt":
		return user, true
	case "assistant", "chatgpt", "claude", "gemini", "copilot", "ai", "model", "gpt", "deepseek", "response", "bot":
		return model, true
	}
	return model, false
}

// turnEnds returns where, in the text of a block that has no closer, someone else begins to speak.
func (s *Scanner) turnEnds(from, end int) (int, bool) {
	if s.log != aiderLog && s.log != speakerLog {
		return 0, false
	}
	blank := false
	for offset := from; offset < end; {
		next := end
		if i := bytes.IndexByte(s.buf[offset:end], '\n'); i >= 0 {
			next = offset + i + 1
		}
		line := s.buf[offset:next]
		who, ok := turnOf(line)
		if blank && (s.log == aiderLog && isUserLine(line) || s.log == speakerLog && ok && who == user) {
			return offset, true
		}
		blank = isBlank(line)
		offset = next
	}
	return 0, false
}

// otherSpeaker reports whether the line at hand is not the model's, and accounts for it.
func (s *Scanner) otherSpeaker(at fsm.Pos) bool {
	raw := s.buf[at.Start:at.End]
	if s.log == undecided {
		s.detectLog(raw)
	}
	if s.log < aiderLog || !s.logLine(raw) {
		return false
	}
	s.tape.put(prose, at.Line, at.Line)
	s.outside = at.End
	return true
}

// Last returns the last reply of a chat log that holds a block or an attempt at one, with the lines and numbers it has
// in the log. Where the input is one reply, it is r itself.
func (r *Reply) Last() *Reply {
	if len(r.Turns) == 0 {
		return r
	}
	var line int
	for _, b := range r.Blocks {
		line = max(line, b.Lines[0])
	}
	for _, a := range r.Attempts {
		line = max(line, a.Lines[0])
	}
	turn := sort.SearchInts(r.Turns, line+1)
	first, end := 0, math.MaxInt
	if turn > 0 {
		first = r.Turns[turn-1]
	}
	if turn < len(r.Turns) {
		end = r.Turns[turn]
	}
	in := func(line int) bool { return line >= first && line < end }
	last := &Reply{Turns: r.Turns}
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
