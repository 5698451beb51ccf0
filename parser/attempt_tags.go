package parser

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
)

// tagAttempt is a tag that begins the old side of an edit, below the name of a file. Where the tag of the new side follows, they are
// an edit in a format that is not understood.
type tagAttempt struct {
	line  int // of the tag; 0 if there is none
	found string
	next  string // the tags of the new side, with blanks around each
	file  binding
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

// watchTags looks at a line for tags of an edit. It reports whether the line begins the new side of one, which is reported.
func (s *Scanner) watchTags(raw []byte, at fsm.Pos) bool {
	text := bytes.TrimLeft(raw, " \t")
	name := mdline.TagWord(text)
	if name == "" || s.req.bare || s.req.format != "" {
		return false
	}
	t := &s.attempt.tags
	if next := newSides(name); next != "" {
		*t = tagAttempt{}
		alone := text[len(text)-1] == '\n' && bytes.IndexByte(bytes.TrimSpace(text), '>') == len(bytes.TrimSpace(text))-1
		file := s.ctx.bind(fsm.Mark{}, at)
		common := name == "old" || name == "before" || name == "original"
		if file.path == "" || file.inherited || common && !(alone && file.direct) {
			return false
		}
		*t = tagAttempt{line: at.Line, found: string(text[:len(name)+1]) + ">", next: next, file: file}
		_, text, _ = bytes.Cut(text, []byte("</"+string(text[1:len(name)+1])+">"))
		if name = mdline.TagWord(bytes.TrimSpace(text)); name == "" {
			return false
		}
	}
	if t.line == 0 || !strings.Contains(t.next, " "+name+" ") || at.Line-t.line > maxOldSide {
		return false
	}
	line, file := t.line, t.file
	d := s.out.foreignCall(t.found, line)
	*t = tagAttempt{}
	s.out.uses.put(diagnosed, at.Line, at.Line)
	s.out.refuse(d, line, line)
	s.ctx.inherit(file.path, file.names, file.inherited)
	return true
}
