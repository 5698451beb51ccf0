package attempt

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// words watches for the words of an edit, below the name of a file: a fence below the label "SEARCH:" and the next one below
// "REPLACE:", or lines "FIND:" and "REPLACE:" without fences. The two are an attempt at a block without its markers.
type words struct {
	label begun // above a fence
	line  begun // without fences
}

// Notice forgets the first word where an edit begins.
func (w *words) Notice(e Event) {
	if e == Begins {
		*w = words{}
	}
}

// Watch looks at the line above one that opens a fence, or at a line of its own.
func (w *words) Watch(l *Line) *Finding {
	if l.Asked == AtFence {
		return w.fence(l)
	}
	return w.word(l)
}

func (w *words) fence(l *Line) *Finding {
	if line, _, open := l.Scene.Fence(); !open || line != l.At.Line {
		return nil // the fence is closed
	}
	before := w.label
	w.label = begun{}
	label, where := l.Scene.LabelAbove(l.At)
	switch editLabel(label) {
	case "search", "find", "search for", "search block":
		w.line = begun{}
		if file := l.Scene.File(where); file.Direct() {
			w.label = begun{where.Line, mdline.Excerpt(label), file}
		}
	case "replace", "replace with", "replace it with", "replacement", "replace block":
		if before.line > 0 {
			return wordsOfEdit(before)
		}
	}
	return nil
}

func (w *words) word(l *Line) *Finding {
	if len(l.Raw) == 0 || len(l.Raw) > len("REPLACE WITH:\r\n") || l.Raw[0] != 'F' && l.Raw[0] != 'S' && l.Raw[0] != 'R' {
		return nil
	}
	switch word := string(bytes.TrimSpace(l.Raw)); word {
	case "FIND:", "SEARCH:":
		w.line = begun{}
		if file := l.File(); file.Direct() {
			w.line = begun{l.At.Line, word, file}
		}
	case "REPLACE:", "REPLACE WITH:":
		before := w.line
		if w.line = (begun{}); before.line > 0 && l.At.Line-before.line <= maxOldSide {
			return wordsOfEdit(before)
		}
	}
	return nil
}

func wordsOfEdit(b begun) *Finding {
	b.found = fmt.Sprintf("%q", b.found)
	return b.finding(diagnosis.Malformed, fmt.Sprintf("%q", fsm.Aider.Opener(7)),
		"put both texts into one block; labels above them are not read")
}

// editLabel returns the words of a line that is only a label, in lower case: "**Replace with:**", "#### Search".
func editLabel(line []byte) string {
	if line = bytes.TrimSpace(line); len(line) < len("to:") || len(line) > 40 || line[len(line)-1] != ':' && line[len(line)-1] != '*' && line[0] != '#' {
		return ""
	}
	set := line[0] == '#' || bytes.HasPrefix(line, []byte("**"))
	text := strings.Trim(string(line), "#*_ ")
	text, ok := strings.CutSuffix(text, ":")
	if !ok && !set {
		return ""
	}
	return strings.ToLower(strings.TrimRight(text, "*_ "))
}
