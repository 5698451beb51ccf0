package parser

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/parser/internal/chatlog"
	"github.com/srpatch/srpatch/parser/internal/filename"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// markerAttempt is a line outside of blocks that may have been meant as an opener: in a comment, in bold, in colours, escaped,
// or with another word. Text that mentions markers has such lines too, so nothing is said of it until a divider and a
// closer of the same making follow.
type markerAttempt struct {
	line    int // 0 if there is none
	found   string
	file    binding
	dialect fsm.Dialect
	sure    bool // the line says more than a conflict marker of git would, or less
	label   string
	divided bool
}

// watchMarkers follows the lines outside of blocks that are nearly markers. It reports whether the line ends an attempt at
// a block, which is then reported at the line that should have opened it.
func (s *Scanner) watchMarkers(k fsm.Mark, raw []byte, at fsm.Pos) bool {
	if k.Kind == fsm.Text || k.Kind == fsm.NearOpener || k.Kind == fsm.Escaped {
		bare, ok := stripDecoration(raw, s.attempt.marker.line > 0)
		if !ok {
			return false
		}
		switch k = fsm.Classify(bare); k.Kind {
		case fsm.Opener, fsm.NearOpener:
			b := s.ctx.bind(fsm.Mark{}, at)
			if b.direct || bytes.IndexByte(raw, '`') < 0 && !isEscaped(raw) { // text about markers sets them as code
				s.attempt.marker = markerAttempt{line: at.Line, found: mdline.Excerpt(raw), file: b, dialect: k.Dialect, sure: true}
			}
			return false
		case fsm.Closer:
			return s.attempt.marker.sure && s.attempt.marker.divided && s.reportMarker(at)
		}
		raw = bare
	}
	switch k.Kind {
	case fsm.ConflictOpen:
		file, label := s.ctx.bind(fsm.Mark{}, at), conflictLabel(raw)
		s.attempt.marker = markerAttempt{line: at.Line, found: mdline.Excerpt(raw), file: file, dialect: fsm.Aider, label: label,
			sure: isEditWord(raw) || filename.Likely(label) || file.direct && (label == "" || isForeignWord(label))}
	case fsm.ConflictBase:
		s.attempt.marker.sure = s.attempt.marker.sure && isEditWord([]byte(s.attempt.marker.label))
	case fsm.Divider:
		s.attempt.marker.divided = s.attempt.marker.line > 0
	case fsm.ConflictClose:
		if s.attempt.marker.sure && s.attempt.marker.divided && (isEditWord(raw) || s.attempt.marker.label == conflictLabel(raw) || isForeignWord(conflictLabel(raw))) {
			return s.reportMarker(at)
		}
		s.attempt.marker = markerAttempt{}
	}
	return false
}

// reportMarker reports the attempt at a block that ends in the line at hand.
func (s *Scanner) reportMarker(at fsm.Pos) bool {
	if s.isExample(at) {
		s.attempt.marker = markerAttempt{}
		return false
	}
	s.out.uses.put(diagnosed, at.Line, at.Line)
	s.out.refuse(s.malformedMarker(), s.attempt.marker.line, s.attempt.marker.line)
	s.ctx.inherit(s.attempt.marker.file.path, s.attempt.marker.file.names, s.attempt.marker.file.inherited)
	s.attempt.marker = markerAttempt{}
	return true
}

// isExample reports whether the attempt that ends in the line at hand only shows how blocks look: it is in a fence, every line
// is a comment, and no file is named.
func (s *Scanner) isExample(at fsm.Pos) bool {
	file := &s.attempt.marker.file
	if s.ctx.top() == nil || file.direct || slices.ContainsFunc(file.names, func(n Name) bool { return !n.Inherited }) {
		return false
	}
	inner := at.Line - s.attempt.marker.line // with the opener
	lines := s.ctx.linesAbove(at.Start)
	return inner <= len(lines) && !slices.ContainsFunc(lines[:inner], func(line []byte) bool { return !text.Blank(line) && !text.BeginsComment(line) })
}

func (s *Scanner) malformedMarker() *Diagnostic {
	d := s.attempt.marker.dialect
	if d == fsm.NoDialect {
		d = fsm.Aider
	}
	return &Diagnostic{Code: string(fsm.MalformedOpener), Line: s.attempt.marker.line, Found: fmt.Sprintf("%q", s.attempt.marker.found),
		Expected: fmt.Sprintf("%q", d.Opener(7)), Remedy: s.out.remedy("write the block again, with its markers alone on their lines", d)}
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

// maxMarkerLine is how long a line with a marker and decoration may be, in bytes.
const maxMarkerLine = 120

var wide = strings.NewReplacer("＜", "<", "＝", "=", "＞", ">")

// stripDecoration removes decoration around a marker that keeps it from being one: signs of comments or bold text, colours of a
// terminal, and wide forms of its characters. Markers other than openers count only if all is set. The signs are not those of
// text.CommentSigns: any that touch a marker are removed, even if a comment would need a blank, and whether a comment ends does
// not matter.
func stripDecoration(raw []byte, all bool) ([]byte, bool) {
	if len(raw) > maxMarkerLine || len(raw) < 5 || chatlog.IsUserLine(raw) {
		return nil, false // what begins with four signs of a comment is quoted from a user of aider
	}
	if isEscaped(raw) {
		raw = text.Unescape(raw, markerSigns) // Markdown may have escaped each of them
	}
	has := func(text string) bool { return bytes.Contains(raw, []byte(text)) }
	if !(has("<<<<<") || has("＜＜＜＜＜") || has("----- SEARCH") ||
		all && (has("=====") || has(">>>>>") || has("＝＝＝＝＝") || has("＞＞＞＞＞") || has("+++++ REPLACE"))) {
		return nil, false
	}
	text := withoutQuotes(strings.TrimSpace(wide.Replace(withoutColours(string(raw[fsm.PrefixLen(raw):])))))
	bare := strings.TrimSpace(strings.TrimLeft(text, "#/;%\""))
	for _, c := range [...][2]string{{"<!--", "-->"}, {"**", "**"}, {"__", "__"}, {"`", "`"}, {"--", ""}, {"*", "*/"}} {
		inner, ok := strings.CutPrefix(bare, c[0])
		if c[0] == "--" && strings.HasPrefix(inner, "-") || c[0] == "*" && text[0] != '/' {
			continue // Cline's opener, and a list
		}
		if ok {
			bare = strings.TrimSpace(strings.TrimSuffix(inner, c[1]))
			break
		}
	}
	if bare == "" || text == "" {
		return nil, false
	}
	return []byte(bare), true
}

// withoutQuotes removes the marks of mail that was answered more than once: ">> ".
func withoutQuotes(s string) string {
	for {
		head, rest, ok := strings.Cut(s, " ")
		if !ok || head == "" || len(head) > 4 || strings.Trim(head, ">") != "" {
			return s
		}
		s = strings.TrimLeft(rest, " ")
	}
}

// markerSigns are what markers are made of.
const markerSigns = "<=>-+"

// isEscaped reports whether a line begins with a backslash before a sign that markers begin with.
func isEscaped(raw []byte) bool { return text.IsEscaped(raw[fsm.PrefixLen(raw):], markerSigns) }

// withoutColours removes the sequences that set colours in a terminal.
func withoutColours(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	var out strings.Builder
	for {
		head, tail, ok := strings.Cut(s, "\x1b[")
		out.WriteString(head)
		if !ok {
			return out.String()
		}
		s = strings.TrimLeft(tail, "0123456789;")
		if s != "" {
			s = s[1:]
		}
	}
}
