package parser

import (
	"bytes"
	"math"
	"slices"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// A chat log has many replies. What the user said and what the tool printed is prose, whatever it quotes. A log is recognised by
// its first line that is not blank, or, if the input is known to be a log (ParseLog), by any line:
//
//	# aider chat started at …    aider's history: user lines begin with "#### ", tool lines with "> ", but see report
//	User:, **You said:**, …      a chat copied from a page: such lines begin a speaker's turn
//
// Answers have headings, too. aider ends the lines of the user with two blanks: if the first such line does, lines without them
// are headings. If the blanks were stripped, a line that aider wrote itself is above the user's; below the text of an answer it
// cannot be known who speaks.
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

// voices is how the speakers of a log are recognised.
type voices struct {
	asked    int    // number of the last line of aider's user; 0 if there is none
	spaced   bool   // all of these lines end in two blanks
	blank    int    // number of the last blank line
	userWord string // how the user is called in a log of labels; "" as long as nobody spoke
	inline   bool   // the user's text begins after the label
	doubts   []int  // lines that begin a turn of the user's or are a heading of the model's
	report   report
}

// detectLog looks at the first line that is not blank.
func (s *Scanner) detectLog(raw []byte) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if text.Blank(raw) {
		return
	}
	s.log = noLog
	if s.bare {
		return
	}
	if isAiderHead(raw) || isUserLine(raw) && isSpaced(raw) {
		s.log = aiderLog
	} else if l, ok := labelOf(raw); ok && (!l.inline || l.word == "user" || l.word == "human") {
		s.log = speakerLog
	}
}

// detectIn looks for speakers in the whole text of what is known to be a log or a part of one.
func detectIn(text []byte) chatLog {
	var tools, users, asked, answered, fenced bool
	for raw := range bytes.Lines(text) {
		if mdline.IsFence(raw) {
			fenced = !fenced
		}
		switch {
		case isAiderHead(raw):
			return aiderLog
		case isUserLine(raw):
			users = true
			if isSpaced(raw) {
				return aiderLog
			}
		case raw[0] == '>':
			tools = tools || isAiderTool(raw)
		case !fenced:
			if l, ok := labelOf(raw); ok {
				asked = asked || l.who == user
				answered = answered || asked && l.who == model
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

func isAiderHead(raw []byte) bool { return bytes.HasPrefix(raw, []byte("# aider chat started at")) }

// isToolLine reports whether a line is written as aider writes its own lines.
func isToolLine(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("> ")) || string(text.Chomp(raw)) == ">"
}

// isAiderTool reports whether a quoted line is one that aider itself prints around answers.
func isAiderTool(raw []byte) bool {
	for _, begin := range [...]string{"> Tokens: ", "> Applied edit to ", "> Commit ", "> Aider v", "> Added ", "> Model: ", "> Main model: "} {
		if bytes.HasPrefix(raw, []byte(begin)) {
			return true
		}
	}
	return false
}

// logLine follows the turns of a log outside of blocks. It reports whether the line is not the model's.
func (s *Scanner) logLine(raw []byte, at fsm.Pos) bool {
	if text.Blank(raw) {
		s.voices.blank = at.Line
		return s.speaker != model
	}
	if s.log == aiderLog {
		switch {
		case s.voices.reportLine(raw):
			s.setSpeaker(user) // aider asks in the user's place
		case isAiderHead(raw), isToolLine(raw):
			s.setSpeaker(tool)
		case s.asks(raw, at):
			s.setSpeaker(user)
		default:
			s.setSpeaker(model)
		}
		return s.speaker != model
	}
	if who, ok := s.turnOf(raw); ok && s.top() == nil {
		s.setSpeaker(who)
		return true
	}
	return s.speaker != model
}

// asks reports whether a line in aider's log is the user's. It notes the line, and whether it may be a heading instead.
func (s *Scanner) asks(raw []byte, at fsm.Pos) bool {
	v := &s.voices
	goesOn := v.asked > 0 && v.asked == at.Line-1
	switch {
	case !isUserLine(raw):
		return false
	case goesOn, s.speaker == tool:
	case s.speaker == model && v.blank != at.Line-1, !s.mayAsk(raw):
		return false
	case s.speaker == model && !isSpaced(raw):
		v.doubts = append(v.doubts, at.Line)
	}
	v.spaced = isSpaced(raw) && (v.spaced || v.asked == 0)
	v.asked = at.Line
	return true
}

// mayAsk reports whether a line that begins as the user's ends as the others do.
func (s *Scanner) mayAsk(raw []byte) bool {
	return isSpaced(raw) || !s.voices.spaced
}

// setSpeaker begins a turn when the user speaks, and a reply when the model does: names do not carry over.
func (s *Scanner) setSpeaker(who speaker) {
	if who == s.speaker {
		return
	}
	if who == user {
		s.inherited, s.inheritedNames, s.inheritedLabels, s.heading, s.fences = "", nil, nil, heading{}, s.fences[:0]
		s.attempt.marker, s.attempt.json, s.attempt.tags = markerAttempt{}, jsonAttempt{}, tagAttempt{}
	}
	s.thought = thought{blocks: s.blocks}
	if who == model && (s.speaker == user || s.turn == 0) {
		s.turn++
		s.turns = append(s.turns, s.line-1)
	}
	s.speaker = who
}

func isUserLine(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("#### ")) || bytes.Equal(text.Chomp(raw), []byte("####"))
}

func isSpaced(raw []byte) bool { return bytes.HasSuffix(text.Chomp(raw), []byte("  ")) }

// label is a line that says who speaks next.
type label struct {
	who    speaker
	word   string
	inline bool // what is said begins on the same line, and the label is not set in bold
}

// labelOf reads a label: one alone on its line, in many spellings, or one of few words with a colon and text after it. In
// bold it is the same label with and without text.
func labelOf(raw []byte) (label, bool) {
	if raw[0] > 'z' || len(raw) < 2 {
		return label{}, false
	}
	if head, text, ok := bytes.Cut(raw[:min(len(raw), maxLabel)], []byte(":")); ok && len(bytes.Trim(text, "#*_:>[]() \t\r\n")) > 0 {
		bold := bytes.HasPrefix(raw, []byte("**")) && (bytes.HasSuffix(head, []byte("**")) || bytes.HasPrefix(text, []byte("**")))
		switch word := string(bytes.ToLower(bytes.Trim(head, "#*_ "))); word {
		case "user", "human":
			return label{user, word, !bold}, true
		case "assistant", "chatgpt", "claude":
			return label{model, word, !bold}, true
		case "you", "me":
			return label{user, word, false}, bold
		case "gemini", "copilot", "ai", "gpt", "deepseek":
			return label{model, word, false}, bold
		}
		return label{}, false
	}
	if len(raw) > maxLabel {
		return label{}, false
	}
	word := bytes.ToLower(bytes.Trim(raw, "#*_:>[]() \t\r\n"))
	word = bytes.TrimSuffix(word, []byte(" said"))
	if bytes.IndexByte(raw, ':') < 0 && raw[0] != '#' && raw[0] != '*' && raw[0] != '[' {
		return label{}, false
	}
	switch string(word) {
	case "user", "you", "human", "me", "prompt":
		return label{user, string(word), false}, true
	case "assistant", "chatgpt", "claude", "gemini", "copilot", "ai", "model", "gpt", "deepseek", "response", "bot":
		return label{model, string(word), false}, true
	}
	return label{}, false
}

const maxLabel = 40

// turnOf says who speaks from the line on, if it is a label. A log calls the user by one name throughout, so another label is
// part of the model's text.
func (s *Scanner) turnOf(raw []byte) (speaker, bool) {
	l, ok := labelOf(raw)
	if !ok || l.who == model {
		return l.who, ok
	}
	if s.voices.userWord == "" {
		s.voices.userWord, s.voices.inline = l.word, l.inline
	}
	return user, l.word == s.voices.userWord && l.inline == s.voices.inline
}

// endTurn gives up the block at hand, which has no closer up to offset end, if someone else begins to speak inside of it.
func (s *Scanner) endTurn(end int) bool {
	if s.log != aiderLog && s.log != speakerLog {
		return false
	}
	blank, above := false, model
	for offset := s.m.Body(); offset < end; {
		next := end
		if i := bytes.IndexByte(s.buf[offset:end], '\n'); i >= 0 {
			next = offset + i + 1
		}
		line := s.buf[offset:next]
		if blank && s.begins(line, above) {
			s.reject(truncated, offset, offset)
			s.speaker, s.voices.blank = above, s.line-1
			return true
		}
		if blank = text.Blank(line); !blank {
			above = model
			if s.log == aiderLog && isToolLine(line) {
				above = tool
			}
		}
		offset = next
	}
	return false
}

// begins reports whether a line begins a turn of the user: it is below a blank line, after text of the given speaker.
func (s *Scanner) begins(line []byte, above speaker) bool {
	if s.log == aiderLog {
		return isUserLine(line) && (above == tool || s.mayAsk(line))
	}
	who, ok := s.turnOf(line)
	return ok && who == user
}

// otherSpeaker reports whether the line at hand is not the model's, and accounts for it.
func (s *Scanner) otherSpeaker(at fsm.Pos) bool {
	raw := s.buf[at.Start:at.End]
	if s.log == undecided {
		s.detectLog(raw)
	}
	if s.log < aiderLog || !s.logLine(raw, at) {
		return false
	}
	s.uses.put(prose, at.Line, at.Line)
	s.outside = at.End
	return true
}

// AmbiguousTurn is the code of the diagnostic of [Reply.Last] where it cannot be known whether an answer goes on or the user
// speaks.
const AmbiguousTurn = "ambiguous-turn"

// Last returns the last reply of a chat log that has a block or an attempt at one, with the lines and numbers it has in the log.
// If it cannot be known which of the blocks belong to that reply, a diagnostic says so. If the input is one reply, it is r itself.
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

// doubt says why it cannot be known where the given turn begins, which is counted from 1; nil if it can: the line above it
// that was taken for the user's may be a heading, and then an edit in the turn before is a part of the same answer.
func (r *Reply) doubt(turn int) *Diagnostic {
	if turn == 0 {
		return nil
	}
	first, before := r.Turns[turn-1], 0
	if turn > 1 {
		before = r.Turns[turn-2]
	}
	i, _ := slices.BinarySearch(r.doubts, before)
	if i == len(r.doubts) || r.doubts[i] >= first {
		return nil
	}
	in := func(line int) bool { return line >= before && line < first }
	if !slices.ContainsFunc(r.Blocks, func(b Block) bool { return in(b.Lines[0]) }) &&
		!slices.ContainsFunc(r.Diagnostics, func(d Diagnostic) bool { return in(d.Line) }) {
		return nil
	}
	return &Diagnostic{Code: AmbiguousTurn, Line: r.doubts[i],
		Found:    "a line that the user wrote, or a heading in an answer that holds edits above and below it",
		Expected: "two blanks at the end of the user's lines, or a line of the tool above them, as aider writes them",
		Remedy:   "hand in the answer alone, or choose the blocks to apply by their numbers in all of the log"}
}
