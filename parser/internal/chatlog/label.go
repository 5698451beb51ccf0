package chatlog

import (
	"bytes"
)

// label is a line that says who speaks next.
type label struct {
	who    Speaker
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
			return label{User, word, !bold}, true
		case "assistant", "chatgpt", "claude":
			return label{Model, word, !bold}, true
		case "you", "me":
			return label{User, word, false}, bold
		case "gemini", "copilot", "ai", "gpt", "deepseek":
			return label{Model, word, false}, bold
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
		return label{User, string(word), false}, true
	case "assistant", "chatgpt", "claude", "gemini", "copilot", "ai", "model", "gpt", "deepseek", "response", "bot":
		return label{Model, string(word), false}, true
	}
	return label{}, false
}

const maxLabel = 40

// turnOf says who speaks from the line on, if it is a label. A log calls the user by one name throughout, so another label is
// part of the model's text.
func (l *Log) turnOf(raw []byte) (Speaker, bool) {
	said, ok := labelOf(raw)
	if !ok || said.who == Model {
		return said.who, ok
	}
	if l.userWord == "" {
		l.userWord, l.inline = said.word, said.inline
	}
	return User, said.word == l.userWord && said.inline == l.inline
}
