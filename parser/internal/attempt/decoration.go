package attempt

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/chatlog"
)

// maxMarkerLine is how long a line with a marker and decoration may be, in bytes.
const maxMarkerLine = 120

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">")

var wide = strings.NewReplacer("＜", "<", "＝", "=", "＞", ">", "－", "-", "＋", "+")

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
	if mayPad(raw) {
		if text := padded(strings.TrimSpace(string(raw)), all); len(text) > len(bytes.TrimSpace(raw)) {
			return []byte(text), true
		}
	}
	if bytes.IndexByte(raw, '&') >= 0 && (bytes.Contains(raw, []byte("&lt;&lt;&lt;")) || all && bytes.Contains(raw, []byte("&gt;&gt;&gt;"))) {
		raw = []byte(entities.Replace(string(raw)))
	}
	has := func(text string) bool { return bytes.Contains(raw, []byte(text)) }
	if !(has("<<<<<") || has("<<< SEARCH") || has("＜＜＜＜＜") || has("----- SEARCH") || has("－－－－－ SEARCH") ||
		all && (has("=====") || has(">>>>>") || has("＝＝＝＝＝") || has("＞＞＞＞＞") || has("+++++ REPLACE") || has("＋＋＋＋＋ REPLACE"))) {
		return nil, false
	}
	text := withoutNumber(withoutQuotes(strings.TrimSpace(wide.Replace(withoutColours(string(raw[fsm.PrefixLen(raw):]))))))
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

// WriteAgain is the remedy for a marker that is escaped; "" for any other.
func WriteAgain(raw []byte) string {
	switch {
	case isEscaped(raw):
		return "the markers are escaped with backslashes; write the block again without them"
	case bytes.Contains(raw, []byte("&lt;")):
		return "the markers are escaped as HTML; write the block again, with < and > themselves"
	}
	return ""
}

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
