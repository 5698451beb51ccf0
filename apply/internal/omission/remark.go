package omission

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// remark is the part of a line that addresses the reader, not the computer.
type remark struct {
	kind remarkKind
	// sign is the comment sign.
	sign string
	// text is the remark without comment signs, and without brackets and dots around it.
	text []byte
	// code is the code in front of the comment, if any.
	code []byte
	// begins and ends are set if there are dots at that end of the text. bracketed is set if there
	// are brackets around it.
	begins, ends, bracketed bool
}

type remarkKind uint8

const (
	noRemark    remarkKind = iota
	commentLine            // a comment alone on its line
	afterCode              // a comment after code
	bareText               // words or dots without a comment sign
)

func (m remark) dots() bool { return m.begins || m.ends }

// File holds the information needed to recognize remarks in a file.
type File struct {
	name  string
	signs []text.CommentSign
	code  bool // the file is code, not prose
}

// NewFile returns a File for the file with the given name.
func NewFile(name string) *File {
	return &File{name, text.CommentSigns(name), text.IsCode(name)}
}

// remarkOf returns the remark on a line: a comment alone on the line, a comment after code, or
// words or dots that can't be code. Its kind is noRemark if there is none.
func (f *File) remarkOf(line []byte) remark {
	t := bytes.TrimSpace(line)
	for _, s := range f.signs {
		rest, ok := s.Cut(t)
		if !ok {
			continue
		}
		comment, after, _ := s.Inside(rest) // after: what follows a closing */
		if text.HasWord(after) {
			return remark{} // code follows the comment
		}
		m := undecorated(commentLine, comment)
		m.sign = s.Open
		return m
	}
	for _, s := range f.signs {
		at := bytes.Index(t, []byte(" "+s.Open))
		if at < 0 || s.Inner || s.IsLiteral() || text.InString(t, at+1) {
			continue // the sign begins no comment there
		}
		rest, ok := s.Cut(t[at+1:])
		if !ok {
			continue
		}
		comment, after, _ := s.Inside(rest)
		m := undecorated(afterCode, comment)
		m.code = bytes.TrimSpace(slices.Concat(t[:at], after))
		return m
	}
	if m := undecorated(bareText, t); isBare(t, m) {
		return m
	}
	return remark{}
}

// undecorated returns a remark of the given kind whose text is the words on line, without dots,
// brackets and other decoration around them: "(... rest ...)" becomes "rest", with begins, ends and
// bracketed set.
func undecorated(kind remarkKind, line []byte) remark {
	const around = " \t()[]{}<>-=*~_#:,;!|/\\\"'`"
	m := remark{kind: kind, text: bytes.TrimSpace(line)}
	for n := -1; n != len(m.text); {
		n = len(m.text)
		m.bracketed = m.bracketed || n > 0 && bytes.IndexByte([]byte("([{<"), m.text[0]) >= 0
		m.text = bytes.Trim(bytes.TrimPrefix(m.text, []byte("8<")), around) // scissors
		if text.BeginsWithDots(m.text) {
			m.begins = true
			m.text = bytes.TrimLeft(m.text, ".…⋯")
		}
		for _, dots := range []string{"...", "…", "⋯"} {
			m.ends = m.ends || bytes.HasSuffix(m.text, []byte(dots))
		}
		m.text = bytes.TrimRight(m.text, ".…⋯")
	}
	return m
}

// isBare reports whether line t, parsed as m, consists of dots or words that can't be code in any
// language.
func isBare(t []byte, m remark) bool {
	if text.BeginsWithDots(t) && text.BeginsWithWord(bytes.TrimLeft(t, ".…⋯")) {
		return false // code may use dots like this for the rest of a list
	}
	if len(m.text) == 0 {
		return m.dots() && len(bytes.Trim(t, "()[]{}<> .…⋯")) == 0 // dots, maybe in brackets
	}
	_, said, todo := bytes.Cut(m.text, []byte(": ")) // what follows "TODO: " or "FIXME: "
	if !todo || !bytes.HasPrefix(m.text, []byte("TODO")) && !bytes.HasPrefix(m.text, []byte("FIXME")) {
		said = m.text
	}
	if !m.dots() && !m.bracketed && bytes.IndexByte(said, ' ') < 0 {
		return false // a name
	}
	// Words have no signs of code between them, and the line doesn't continue below.
	return !bytes.ContainsFunc(said, func(r rune) bool {
		return !text.IsWordRune(r) && !strings.ContainsRune(" ,;.'’-", r)
	}) && bytes.IndexByte([]byte(":,{"), t[len(t)-1]) < 0
}

// isStub reports whether code does nothing, as in the body of a function that isn't written yet.
func isStub(code []byte) bool {
	switch stub := strings.ToLower(strings.Trim(string(code), "; \t")); stub {
	case "pass", "...", "return", "return none", "return null", "return nil", "return undefined", "true",
		":", "{}", "none", "null", "nil", "todo!()", "unimplemented!()", "{", "}":
		return true
	default:
		fails := strings.HasPrefix(stub, "raise ") || strings.HasPrefix(stub, "throw new ") ||
			strings.HasPrefix(stub, "panic(")
		return fails && strings.Contains(strings.ReplaceAll(stub, " ", ""), "notimplemented")
	}
}

// isEmptied reports whether code ends in empty braces: "while (next()) { }".
func isEmptied(code []byte) bool {
	rest, ok := bytes.CutSuffix(code, []byte{'}'})
	return ok && bytes.HasSuffix(bytes.TrimRight(rest, " \t"), []byte{'{'})
}

// HasDots quickly reports whether text may contain an elision.
func HasDots(text []byte) bool {
	return bytes.Contains(text, []byte("...")) || bytes.ContainsAny(text, "…⋯")
}

// Elides reports whether a line stands for omitted lines: only dots, in a comment or not, or a
// comment with dots and a cue.
func (f *File) Elides(line []byte) bool {
	if !HasDots(line) {
		return false
	}
	m := f.remarkOf(line)
	if !m.dots() || m.kind != commentLine && (m.kind != bareText || len(m.text) > 0) {
		return false
	}
	return len(m.text) == 0 || read(m, nil).strong > 0
}

// Paired reports whether SEARCH and REPLACE have the same elisions in the same order.
func (f *File) Paired(v *reading.Reading) bool {
	elisions := func(lines int, line func(int) []byte) (out []string) {
		for i := range lines {
			if f.Elides(line(i)) {
				out = append(out, string(bytes.TrimSpace(line(i))))
			}
		}
		return out
	}
	return slices.Equal(elisions(v.Search.Len(), v.Search.Line), elisions(v.Replace.Len(), v.Replace.Line))
}
