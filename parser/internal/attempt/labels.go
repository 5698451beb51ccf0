package attempt

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
)

// labels watches for a label of an old text and one of a new text that have no good fence below them: it is missing, has too few signs,
// or is behind the signs of comments. Below good fences the parser knows what they are for.
type labels struct {
	begun
	fences int  // lines below the first label that open or close a fence
	text   bool // there is something else below it
	below  int  // the line of the second label, if both texts have fences so far: what follows decides
}

// Notice forgets the label where an edit begins or was read, or another speaker.
func (s *labels) Notice(Event) { *s = labels{} }

// mayLabelSide reports quickly, by the end of a line, whether the line may be a label.
func mayLabelSide(raw []byte) bool {
	n := len(raw) - 1
	for n > 0 && (raw[n] == '\n' || raw[n] == '\r') {
		n--
	}
	return n > 0 && n < maxLabelLine && (raw[n] == ':' || raw[n] == '*' || raw[n] == '`')
}

// cutLabel divides a line into a label and the text in backticks after it. Where there is none, the label is all of the line.
func cutLabel(line []byte) (label []byte, text bool) {
	head, rest, ok := bytes.Cut(line, []byte(": "))
	if rest = bytes.TrimSpace(rest); !ok || len(rest) < 2 || rest[0] != '`' || rest[len(rest)-1] != '`' {
		return line, false
	}
	return append(bytes.TrimLeft(bytes.Clone(head), "-+* "), ':'), true // an item of a list, too
}

// maxLabelLine is how long the line of a label may be, in bytes.
const maxLabelLine = 200

// Watch looks at one line.
func (s *labels) Watch(l *Line) *Finding {
	if l.Asked == AtFence {
		s.fences++
		if s.below > 0 {
			*s = labels{}
		}
		return nil
	}
	if s.line > 0 && l.At.Line-s.line > maxOldSide {
		*s = labels{}
	}
	if s.below > 0 {
		if text.Blank(l.Raw) {
			return nil
		}
		before := s.begun
		*s = labels{}
		return before.doubt(l.At.Line, "an old and a new text below labels")
	}
	if len(l.Raw) > maxLabelLine {
		s.text = s.line > 0
		return nil
	}
	label, inline := cutLabel(bytes.TrimSpace(withoutMargin(l.Raw)))
	if len(label) > 0 && label[0] == '#' && s.fences%2 == 0 {
		label = nil // a heading of the text
	}
	veiled := false
	if line := bytes.TrimSpace(l.Raw); s.line > 0 && s.fences > 0 && len(line) > 0 && !LabelsNew(label) && !LabelsOld(label) {
		label = append(bytes.Clone(line[veilLen(line):]), ':')
		veiled = true // behind some sign, and the parser knows the labels that are not
	} else if _, _, open := l.Scene.Fence(); !open && len(label) > 2 && label[0] == '[' && label[len(label)-1] == ']' {
		label = append(bytes.Clone(label[1:len(label)-1]), ':')
	}
	switch {
	case s.line > 0 && s.text && LabelsNew(label):
		before := s.begun
		if s.fences > 0 && s.fences%2 == 0 && !veiled {
			if s.below = l.At.Line; s.fences > 2 {
				*s = labels{}
			}
			return nil
		}
		*s = labels{}
		return before.doubt(l.At.Line, "an old and a new text below labels")
	case LabelsOld(label):
		*s = labels{begun: begun{line: l.At.Line}, text: inline}
	case s.line > 0 && !text.Blank(label):
		s.text = true
	}
	return nil
}

// following says that the next line decides.
func (s *labels) following() bool { return s.below > 0 }
