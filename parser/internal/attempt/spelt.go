package attempt

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// spelt watches for calls of edit tools that are spelt as a program or a configuration would be: in Python or JavaScript with arguments by their
// places, Edit("a.py", "x", "y"), in YAML with keys and without quotes. Programs have such lines, too, so they are only noticed.
type spelt struct {
	begun
	call    bool // by the name of a tool and a bracket, else by keys
	file    bool
	strings int    // after that of the file
	long    string // the three quotes of a string that goes on
	seen    jsontext.Role
}

// Notice forgets the call where an edit begins or was read, or another speaker.
func (s *spelt) Notice(Event) { *s = spelt{} }

// maySpell reports quickly whether a line may begin such a call.
func maySpell(raw []byte) bool {
	head := raw[:min(len(raw), maxCallHead)]
	if i := bytes.IndexByte(head, ':'); i > 0 && i+1 < len(raw) {
		return raw[i+1] == ' ' && text.Blank(bytes.TrimLeft(head[:i], " \t-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"))
	}
	return bytes.IndexByte(head, '(') > 0
}

// Watch looks at one line.
func (s *spelt) Watch(l *Line) *Finding {
	line := bytes.TrimSpace(withoutMargin(l.Raw[:min(len(l.Raw), maxCallLine)]))
	if s.line > 0 && l.At.Line-s.line > maxOldSide {
		*s = spelt{}
	}
	if len(line) == 0 {
		return nil
	}
	if args, deletes, ok := toolHead(line); ok {
		*s = spelt{begun: begun{line: l.At.Line}, call: true}
		if _, code, open := l.Scene.Fence(); deletes && !(open && code) {
			s.strings = 2 // it needs no other text
		}
		line = args
	}
	if s.call {
		s.arguments(line)
	} else {
		s.key(l, line)
	}
	const both = jsontext.Old | jsontext.New
	if s.file && (s.strings > 1 || s.seen&both == both) {
		before := s.begun
		*s = spelt{}
		return before.doubt(l.At.Line, "text that looks like a tool call")
	}
	return nil
}

// toolHead finds the name of a tool that changes files with a bracket after it. A method of something else is not meant, unless its name
// says that of files.
func toolHead(line []byte) (args []byte, deletes, ok bool) {
	i := bytes.IndexByte(line[:min(len(line), maxCallHead)], '(')
	if print, inner := []byte("print("), line; i >= 0 && bytes.HasPrefix(line, print) {
		line = inner[len(print):]
		i = bytes.IndexByte(line[:min(len(line), maxCallHead)], '(')
	}
	if i < 2 {
		return nil, false, false
	}
	n := i
	for n > 0 && mdline.IsLetter(line[n-1]) {
		n--
	}
	name := string(line[n:i])
	changes, deletes := envelope.ChangesFiles(name)
	return line[i+1:], deletes, changes && (n == 0 || line[n-1] != '.' || strings.Contains(name, "_"))
}

// arguments counts the strings in a line, without keys. One in three quotes may go on over lines.
func (s *spelt) arguments(line []byte) {
	for len(line) > 0 {
		if s.long != "" {
			i := bytes.Index(line, []byte(s.long))
			if i < 0 {
				return
			}
			line, s.long = line[i+len(s.long):], ""
			continue
		}
		i := bytes.IndexAny(line, "\"'`)")
		if i < 0 {
			return
		}
		quote := line[i]
		line = line[i+1:]
		if quote == ')' {
			if len(line) == 0 && s.strings < 2 { // the end of the call
				*s = spelt{}
			}
			continue
		}
		three := string([]byte{quote, quote, quote})
		if bytes.HasPrefix(line, []byte(three[1:])) {
			line, s.long = line[2:], three
			s.strings++
			continue
		}
		end := bytes.IndexByte(line, quote)
		if end < 0 {
			return
		}
		word := string(line[:end])
		line = line[end+1:]
		switch {
		case len(line) > 0 && line[0] == ':':
		case s.file:
			s.strings++
		default:
			s.file = filename.Likely(word)
		}
	}
}

// key looks at a key with a value that has no quotes.
func (s *spelt) key(l *Line, line []byte) {
	line = bytes.TrimPrefix(line, []byte("- "))
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(value) > 0 && value[0] != ' ' {
		return
	}
	switch role := jsontext.Roles(string(name)); {
	case role&jsontext.Path != 0 && filename.Likely(string(bytes.Trim(value, ` "'`))):
		if s.line == 0 || s.file {
			*s = spelt{begun: begun{line: l.At.Line}}
		}
		s.file = true
	case role&(jsontext.Old|jsontext.New) != 0 && s.file:
		s.seen |= role
	}
}
