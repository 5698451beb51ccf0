package chatlog

import "bytes"

// isAiderTool reports whether a quoted line is one that aider itself prints around answers.
func isAiderTool(raw []byte) bool {
	for _, begin := range [...]string{"> Aider v", "> Added ", "> Model: ", "> Main model: "} {
		if bytes.HasPrefix(raw, []byte(begin)) {
			return true
		}
	}
	return isAnswerEnd(raw)
}

// isAnswerEnd reports whether a quoted line is one that aider prints when an answer is complete,
// was stopped, is asked for again, or was acted on. What comes then need not be asked for by the
// user: aider asks again if blocks failed or a check did, an editor carries out what an architect
// said, and in watch mode remarks in files are the questions.
func isAnswerEnd(raw []byte) bool {
	for _, begin := range [...]string{"> Tokens: ", "> Applied edit to ", "> Commit ", "> The LLM did not conform to the edit format",
		"> ^C KeyboardInterrupt", "> Only 3 reflections allowed", "> Retrying in "} {
		if bytes.HasPrefix(raw, []byte(begin)) {
			return true
		}
	}
	return false
}

// endsAnswer reports whether the line at hand ends the model's answer: aider leaves a blank line
// after an answer, and its own lines end as those of the user do, but for the one about tokens
// whose costs are on a line of their own. An answer that quotes such a line has it within its text.
func (l *Log) endsAnswer(raw []byte, number int) bool {
	broken := bytes.HasPrefix(raw, []byte("> Tokens: ")) && bytes.HasSuffix(bytes.TrimSpace(raw), []byte(" received."))
	return isAiderHead(raw) ||
		isAnswerEnd(raw) && (l.speaker != Model || l.blank == number-1) && (broken || l.mayAsk(raw))
}
