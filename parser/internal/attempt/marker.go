package attempt

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// marker is a line outside of blocks that may have been meant as an opener: in a comment, in bold, in colours, escaped,
// or with another word. Text that mentions markers has such lines too, so nothing is said of it until a divider and a
// closer of the same making follow.
type marker struct {
	begun
	dialect fsm.Dialect
	sure    bool // the line says more than a conflict marker of git would, or less
	label   string
	old     bool // label is one for the text that an edit removes, and the name of a file is next to the line
	divided bool
}

// Notice forgets the opener where a block begins, or another speaker.
func (m *marker) Notice(e Event) {
	if e != Gives {
		*m = marker{}
	}
}

// Watch follows the lines outside of blocks that are nearly markers. A closer ends an attempt at a block, which is then reported at
// the line that should have opened it.
func (m *marker) Watch(l *Line) *Finding {
	kind, raw := l.Mark.Kind, l.Raw
	if kind == fsm.Text || kind == fsm.NearOpener || kind == fsm.Escaped {
		bare, ok := stripDecoration(raw, m.line > 0)
		if !ok {
			return nil
		}
		k := fsm.Classify(bare)
		switch kind = k.Kind; kind {
		case fsm.Opener, fsm.NearOpener:
			file := l.File()
			if mayPad(raw) && !file.Direct() {
				return nil
			}
			if file.Direct() || namesFile(k.Rest) || bytes.IndexByte(raw, '`') < 0 && !isEscaped(raw) { // text about markers sets them as code
				*m = marker{begun: begun{l.At.Line, mdline.Excerpt(raw), file}, dialect: k.Dialect, sure: true}
			}
			return nil
		case fsm.Closer:
			if m.sure && m.divided {
				return m.report(l)
			}
			return nil
		}
		raw = bare
	}
	switch kind {
	case fsm.ConflictOpen:
		file, label := l.File(), conflictLabel(raw)
		*m = marker{begun: begun{l.At.Line, mdline.Excerpt(raw), file}, dialect: fsm.Aider, label: label,
			old:  file.Direct() && saysOld(label),
			sure: isEditWord(raw) || filename.Likely(label) || file.Direct() && isForeignWord(label) || label == "" && (file.Direct() || file.Inherited())}
	case fsm.ConflictBase:
		m.sure = m.sure && isEditWord([]byte(m.label))
	case fsm.Divider:
		m.divided = m.line > 0
	case fsm.ConflictClose:
		if m.sure && m.divided && (isEditWord(raw) || m.label == conflictLabel(raw) || isForeignWord(conflictLabel(raw))) {
			return m.report(l)
		}
		if m.old && m.divided && saysNew(conflictLabel(raw)) {
			return m.report(l)
		}
		*m = marker{}
	}
	return nil
}

// report reports the attempt at a block that ends in the line at hand, unless it is an example.
func (m *marker) report(l *Line) *Finding {
	a := *m
	*m = marker{}
	if a.isExample(l) {
		if a.file.Path() == "" {
			return nil
		}
		return a.doubt(l.At.Line, "text that looks like a block, in comments")
	}
	if a.dialect == fsm.NoDialect {
		a.dialect = fsm.Aider
	}
	remedy := WriteAgain([]byte(a.found))
	a.found = fmt.Sprintf("%q", a.found)
	f := a.finding(diagnosis.Malformed, fmt.Sprintf("%q", a.dialect.Opener(7)),
		cmp.Or(remedy, "write the block again, with its markers alone on their lines"))
	f.Dialect = a.dialect
	return f
}

// isExample reports whether the attempt that ends in the line at hand only shows how blocks look: it is in a fence, every line
// is a comment, and no file is named.
func (m *marker) isExample(l *Line) bool {
	if _, _, open := l.Scene.Fence(); !open || m.file.Direct() || m.file.Offered() {
		return false
	}
	inner := l.At.Line - m.line // with the opener
	lines := l.Scene.Above(l.At.Start)
	return inner <= len(lines) && !slices.ContainsFunc(lines[:inner], func(line []byte) bool { return !text.Blank(line) && !text.BeginsComment(line) })
}

// conflictLabel is the text after the sign of a conflict marker. Git writes the names of the two sides there, which differ.
func conflictLabel(raw []byte) string {
	return strings.Trim(strings.TrimSpace(string(raw)), "<> ")
}

// isForeignWord reports whether a label is one word in capitals, or in a script without them, and no name that git or its users
// give to a side: "SUCHEN", "搜索".
func isForeignWord(label string) bool {
	switch label {
	case "", "HEAD", "BASE", "LOCAL", "REMOTE", "OURS", "THEIRS", "MINE", "YOURS", "MERGED", "CURRENT", "INCOMING", "MASTER", "MAIN":
		return false
	}
	return strings.IndexFunc(label, func(r rune) bool { return !unicode.IsLetter(r) || unicode.IsLower(r) }) < 0 && utf8.RuneCountInString(label) > 1
}

// isEditWord reports whether the label of a conflict marker is a word for a side of an edit, in capitals, and not the name of a
// branch.
func isEditWord(raw []byte) bool {
	label := strings.Fields(strings.TrimLeft(strings.TrimSpace(string(raw)), "<>"))
	if len(label) == 0 {
		return false
	}
	switch label[0] {
	case "FIND", "OLD", "BEFORE", "NEW", "AFTER", "REPLACEMENT":
		return true
	}
	for d := range fsm.Dialects() {
		if opener, closer := d.Labels(); closer == label[0] || opener == label[0] && !d.Tentative() {
			return true
		}
	}
	return false
}
