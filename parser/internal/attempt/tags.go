package attempt

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// tags watches for a tag that begins the old side of an edit, below the name of a file. Where the tag of the new side follows, they
// are an edit in a format that is not understood.
type tags struct {
	begun
	next string // the tags of the new side, with blanks around each
}

// Notice forgets the tag where an edit begins, or another speaker.
func (t *tags) Notice(e Event) {
	if e != Gives {
		*t = tags{}
	}
}

// newSides are the tags that may begin the new side of an edit whose old side begins with the tag old, with blanks around each;
// "" if old begins none.
func newSides(old string) string {
	switch old {
	case "search":
		return " replace replacement content "
	case "find":
		return " replace replacement "
	case "search_block":
		return " replace_block "
	case "old_string", "old_str", "old_code", "old_content", "oldstring", "oldtext", "old":
		return " " + strings.Replace(old, "old", "new", 1) + " "
	case "before":
		return " after "
	case "original":
		return " updated modified new "
	}
	return ""
}

// maxOldSide is how many lines the old side of such an edit may have.
const maxOldSide = 400

// Watch looks at a line for tags of an edit. There is a finding where the line begins the new side of one.
func (t *tags) Watch(l *Line) *Finding {
	text := bytes.TrimLeft(l.Raw, " \t")
	name := mdline.TagWord(text)
	if name == "" {
		return nil
	}
	if next := newSides(name); next != "" {
		*t = tags{}
		alone := text[len(text)-1] == '\n' && bytes.IndexByte(bytes.TrimSpace(text), '>') == len(bytes.TrimSpace(text))-1
		file := l.File()
		common := name == "old" || name == "before" || name == "original"
		if file.Path() == "" || file.Inherited() || common && !(alone && file.Direct()) {
			return nil
		}
		*t = tags{begun{l.At.Line, string(text[:len(name)+1]) + ">", file}, next}
		_, text, _ = bytes.Cut(text, []byte("</"+string(text[1:len(name)+1])+">"))
		if name = mdline.TagWord(bytes.TrimSpace(text)); name == "" {
			return nil
		}
	}
	if t.line == 0 || !strings.Contains(t.next, " "+name+" ") || l.At.Line-t.line > maxOldSide {
		return nil
	}
	a := t.begun
	*t = tags{}
	return foreignCall(a)
}
