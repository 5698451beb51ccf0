package chatlog

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// marks are the signs before what is said, in a log that has no names: those of terminals ("❯ fix
// it", "⏺ Sure"), and pictures ("🧑 fix it", "🤖 Sure").
type marks struct {
	user, model string // "" for a model that has none: then it speaks below the user's lines
}

// isUserMark reports whether a sign is for people: the prompts of terminals, and pictures of
// persons.
func isUserMark(mark string) bool {
	switch mark {
	case ">", ">>>", "❯", "›", "»", "➜", "❱", "⟩", "λ", "🧑", "👤", "🙋", "👨", "👩", "🧔", "👦", "👧", "👱", "🧍", "💁", "🙎", "🗣", "🙂", "😀":
		return true
	}
	return false
}

// isPicture reports whether a sign is a picture, which no line has before it by chance.
func isPicture(mark string) bool {
	first, _ := utf8.DecodeRuneInString(mark)
	return first >= 0x1f000
}

// isModelMark reports whether a sign is one that programs have for a model.
func isModelMark(mark string) bool {
	switch mark {
	case "🤖", "⏺", "●", "✦", "🦾", "🧠", "👾", "🦙":
		return true
	}
	return false
}

// markOf is the sign with which a line begins, or which is all that a heading or a line in bold
// has; "" if there is none.
func markOf(raw []byte) string {
	line := bytes.TrimLeft(text.Chomp(raw), "#*_ ")
	if len(line) == 0 || line[0] < utf8.RuneSelf && line[0] != '>' {
		return ""
	}
	word, _, _ := strings.Cut(string(line[:min(len(line), maxMark)]), " ")
	word = strings.TrimRight(word, ":*_")
	if isUserMark(word) {
		return word
	}
	first, n := utf8.DecodeRuneInString(word)
	for _, c := range word[n:] { // a colour of skin, a sex, how it is drawn
		if c != '\u200d' && c != '\ufe0e' && c != '\ufe0f' && !unicode.Is(unicode.So, c) && !unicode.Is(unicode.Sk, c) && c != '♂' && c != '♀' {
			return ""
		}
	}
	if first < utf8.RuneSelf || !unicode.IsSymbol(first) && first != '•' && !isUserMark(string(first)) {
		return ""
	}
	return string(first)
}

// maxMark bounds a sign, in bytes.
const maxMark = 40

// marksIn finds the signs of a log, which begins with one of them. A model's that is not known
// comes after each of the user's, and not below all edits, where it is part of an answer ("✅
// Done").
func marksIn(log []byte) (marks, bool) {
	var m marks
	var after string // the first sign since the user spoke
	blank, alike, turns := true, true, 0
	above, below := false, false // there are edits above and below that sign
	other := ""
	for raw := range bytes.Lines(log) {
		spaced := blank
		if blank = text.Blank(raw); blank {
			continue
		}
		mark := markOf(raw)
		if turns == 0 && m.model == "" && !isUserMark(mark) && !isModelMark(mark) {
			return m, false // the first line has none
		}
		switch {
		case opensBlock(raw):
			if isUserMark(mark) {
				return m, false // a quotation
			}
			above, below = above || after == "", below || after != ""
		case mark == "" || !spaced && mark != m.model && !isPicture(mark):
		case isUserMark(mark) && (m.user == "" || m.user == mark):
			if m.user = mark; turns > 0 && after != other {
				alike = false
			}
			turns++
			after = ""
		case isModelMark(mark) && m.model == "":
			m.model = mark
		case after == "":
			if after = mark; other == "" {
				other = mark
			}
		}
	}
	if m.model == "" && alike && (after == "" || after == other) && !isUserMark(other) && (below || !above) {
		m.model = other
	}
	return m, turns > 0
}

// opensBlock reports whether a line begins a block, behind marks of quotation or not.
func opensBlock(raw []byte) bool {
	k := fsm.Classify(raw)
	return k.Kind == fsm.Opener || k.Kind == fsm.NearOpener
}

// markSpeaker is who speaks in a line that is not blank, of a log with signs. A sign of the user's
// that may be one of quotation leaves it in doubt whether the model goes on.
func (l *Log) markSpeaker(raw []byte, number int) Speaker {
	switch mark := markOf(raw); {
	case mark != "" && mark == l.marks.model:
		return Model
	case mark == l.marks.user && (l.speaker == User || l.blank == number-1 || number == 1 || isPicture(mark)):
		if mark == ">" && l.speaker == Model && l.marks.model == "" {
			l.doubts = append(l.doubts, number)
		}
		return User
	case l.speaker == User && l.marks.model == "" && (l.blank == number-1 || len(text.Margin(raw)) == 0):
		return Model
	}
	return l.speaker
}
