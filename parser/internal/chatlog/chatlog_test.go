package chatlog

import (
	"slices"
	"strings"
	"testing"
)

// who is a letter for each line of a log: m, u, t for the model, the user and a tool.
func who(l *Log, text string) string {
	said := ""
	number := 0
	for line := range strings.Lines(text) {
		number++
		l.Line([]byte(line), number, false)
		said += string("mut"[l.Speaker()])
	}
	return said
}

func TestSpeakers(t *testing.T) {
	const head = "# aider chat started at 2026-01-02\n"
	for _, c := range []struct {
		name, text, who string
		turns           []int
	}{
		{"one reply", "Here it is.\n\n#### Step 1\n", "mmm", nil},
		{"aider's head", head + "\n#### do it  \n\nok\n", "ttuum", []int{5}},
		{"the user's line alone begins a log", "#### do it  \n\nok\n", "uum", []int{3}},
		{"a heading of the model's", head + "#### do it  \n\nok\n\n#### Step 1\n", "tuummm", []int{4}},
		{"blanks were stripped", head + "#### do it\n\nok\n\n#### and now\n", "tuummu", []int{4}},
		{"what aider prints", head + "#### do it  \n\nok\n> Applied edit to a.py\n\n#### more  \nyes\n", "tuumttum", []int{4, 8}},
		{"a report is the user's", head + "#### do it  \n\n> # 1 SEARCH/REPLACE block failed to match!\n\nok\n", "tuuuum", []int{6}},
		{"labels", "User:\ndo it\n\nAssistant:\nok\n", "uuumm", []int{4}},
		{"labels in bold, with text", "**User:** do it\n\n**Assistant:** ok\n", "uum", []int{3}},
		{"times next to labels", "**User** 10:02\ndo it\n\n**Assistant** 10:03\nok\n\n**User** 10:05\nmore\n", "uuummmuu", []int{4}},
		{"a word alone is no label", "User\ndo it\n", "mm", nil},
		{"text after a name that is no label", "You: see here\nok\n", "mm", nil},
		{"a label that is none", "Note: all of it\nUser: x\n", "mm", nil},
		{"another name for the user is text", "User:\ndo it\n\nAssistant:\nok\n\nHuman:\nno\n", "uuummmmm", []int{4}},
	} {
		var l Log
		if got := who(&l, c.text); got != c.who || !slices.Equal(l.Turns(), c.turns) {
			t.Errorf("%s: %s, turns %v; want %s, %v", c.name, got, l.Turns(), c.who, c.turns)
		}
	}
}

func TestLogBeginsAnywhere(t *testing.T) {
	text := "and the rest of an answer\n\nUser:\nmore\n\nAssistant:\nok\n"
	l := In([]byte(text))
	if got := who(&l, text); got != "mmuuumm" {
		t.Errorf("speakers %s", got)
	}
	none := None()
	if got := who(&none, text); got != "mmmmmmm" || none.Open() {
		t.Errorf("speakers %s in what is no log", got)
	}
}

func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		name, body string
		offset     int // -1 if there is no interruption
	}{
		{"the user speaks", "a = 1\n\n#### go on  \n", 7},
		{"no blank line above", "a = 1\n#### go on  \n", -1},
		{"a comment", "a = 1\n\n#### section\n", -1},
		{"the tool speaks before", "a = 1\n> Tokens: 1k\n\n#### go on\n", 20},
		{"code alone", "a = 1\n\nb = 2\n", -1},
	} {
		var l Log
		l.Line([]byte("#### do it  \n"), 1, false)
		at, ok := l.Interrupted([]byte(c.body))
		if ok != (c.offset >= 0) || ok && at.Offset != c.offset {
			t.Errorf("%s: %+v, %v", c.name, at, ok)
		}
	}
}
