package envelope

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// shape says where the tags around the sides of an edit are.
type shape struct {
	alone bool // on lines of their own, so that what is between them is lines
	lines bool // and are part of the text: the edit is one of lines
	mixed bool // those around the old text are, and others are not, where line ends count
	exact bool // line ends next to a tag count, as nothing is around what Anthropic's models write
}

func (e *toolXML) shape() shape {
	old, new, sides := false, true, 0
	all := e.kind&replacesAll != 0
	for _, a := range e.args {
		role := jsontext.Roles(a.name)
		switch {
		case role&jsontext.All != 0 && bytes.EqualFold(bytes.TrimSpace(a.value), []byte("true")), role&jsontext.ExpectedCount != 0:
			all = true
		case role&jsontext.Old != 0:
			sides++
			old = alone(a.value)
		case role&jsontext.New != 0:
			sides++
			new = alone(a.value) || text.Blank(a.value)
		}
	}
	s := shape{alone: sides == 2 && old && new, exact: strings.HasSuffix(e.tags.open, " ")}
	s.lines, s.mixed = s.exact && s.alone && !all, s.exact && old && !new
	return s
}

// alone reports whether a value begins and ends with a line end, so that its tags are alone on
// their lines.
func alone(value []byte) bool {
	first, rest, ok := bytes.Cut(value, []byte("\n"))
	return ok && text.Blank(first) && text.Blank(rest[bytes.LastIndexByte(rest, '\n')+1:]) && bytes.IndexByte(rest, '\n') >= 0
}

// trim takes the line ends off an argument that only belong to its tags.
func (s shape) trim(a *argument) []byte {
	value := a.value
	role := jsontext.Roles(a.name)
	side := role&(jsontext.Old|jsontext.New) != 0
	switch {
	case !side && role&jsontext.FileText == 0 && a.name != "content" && a.name != "diff":
		return bytes.TrimSpace(value)
	case side && s.exact && !s.alone:
		return value
	case !alone(value) && side && s.alone:
		return nil // a blank one
	case !alone(value):
		return value
	}
	value = value[bytes.IndexByte(value, '\n')+1:]
	value = value[:bytes.LastIndexByte(value, '\n')+1]
	bare := text.Chomp(value)
	if side && !s.lines || !side && !s.exact && mdline.Ended(bare) { // else a file would lose the end of its last line
		return bare
	}
	return value
}

// unwrapped takes the CDATA section off that a value is in as a whole.
func unwrapped(value []byte) []byte {
	if !wrapped(value) {
		return value
	}
	inner := bytes.TrimSpace(value)
	return bytes.ReplaceAll(inner[len(cdataOpen):len(inner)-len(cdataClose)], cdataSplit, cdataClose)
}

// wrapped reports whether a value is all in a CDATA section.
func wrapped(value []byte) bool {
	inner := bytes.TrimSpace(value)
	return len(inner) >= len(cdataOpen)+len(cdataClose) && bytes.HasPrefix(inner, cdataOpen) && bytes.HasSuffix(inner, cdataClose)
}

// cdataSplit is how the end of a section is written inside of one.
var cdataSplit = []byte("]]]]><![CDATA[>")
