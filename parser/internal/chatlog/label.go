package chatlog

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// label is a line that names the speaker of the text below it: "## User", "**Claude:** Sure", "You
// said:".
type label struct {
	name  string // in lower case
	style string // the signs and words around it
	user  bool
	plain bool // text follows on the same line, and the label is not in bold
	cites bool // the label says "wrote", so a quotation may follow
	bare  bool // the line contains only the name
}

var labelLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^([#*_<|\[\s\p{So}-]*)((?:role: |turn \d+: )?)` +
		`(?:(user|you|human|me|prompt|question)|(assistant|ai|model|bot|agent|response|answer` +
		`|(?:chatgpt|gpt|claude|gemini|(?:github )?copilot)` +
		`(?:[ -](?:[\w.]*\d[\w.]*|sonnet|opus|haiku|pro|flash|mini|turbo))*))` +
		`( said| says| wrote)?(?: ?[(\[][^)\]]*[)\]])?([:*_\]|>]*)(\s.*)?$`)
})

// maxLabel is the number of bytes of a line that are searched for a label.
const maxLabel = 200

// labelOf reads a line as a label. ok is false if it is none. A label with text after it on the
// line counts only if it is in bold, or a word like "User" alone before the colon.
func labelOf(raw []byte) (l label, ok bool) {
	line := bytes.TrimSpace(raw)
	m := labelLine().FindSubmatch(line[:min(len(line), maxLabel)])
	if m == nil {
		return label{}, false
	}
	kind := strings.TrimRight(strings.ToLower(string(m[2])), "0123456789: ")
	// The groups: signs before, "role: " or "turn 1: ", user or model, verb, signs after, text.
	l = label{
		name: strings.ToLower(string(m[3]) + string(m[4])), user: len(m[3]) > 0,
		cites: len(m[5]) == len(" wrote"),
	}
	before, verb, after := strings.TrimSpace(string(m[1])), len(m[5]) > 0, string(m[6])
	l.style = before + kind + "…" + after // "##…", "**…:**"
	if len(bytes.TrimSpace(m[7])) == 0 {
		l.bare = before == "" && kind == "" && !verb && !strings.Contains(after, ":")
		return l, true
	}
	if strings.ContainsAny(before, "*_") && strings.ContainsAny(after, "*_") {
		return l, true
	}
	l.plain = true // "User: fix it"; other names before a colon are common in prose
	switch l.name {
	case "user", "human", "assistant", "chatgpt", "claude", "copilot", "github copilot":
		return l, before == "" && after == ":"
	}
	return l, false
}

// begins reports whether a text that begins with the label is a log. A name without any sign, a
// quotation ("Claude wrote:") and "Claude: text" may also begin a single answer.
func (l *label) begins() bool {
	return !l.cites && !l.bare && (!l.plain || l.name == "user" || l.name == "human")
}

// labelled finds the answers by labels. It reports whether there are any. A log uses one name for
// the user throughout, and the labels of all its speakers look alike.
func (t *turns) labelled() bool {
	found := t.labels()
	user, models := t.userLabel(found)
	if !models { // no known model answers
		if line := t.userAlone(found); line > 0 {
			t.begin(0, line)
		}
		return t.open
	}
	t.begin(0, 0)
	asked := 0 // the line where the user's text begins
	for i := range t.lines {
		l, ok := found[i]
		if !ok || l.style != user.style || l.user && l.name != user.name {
			continue
		}
		doubt := 0
		if t.open && !l.user && i > 0 { // no question comes before this model's label
			doubt = i + 1
		}
		if !t.open {
			t.keepBelow(user, asked, i) // what seems to be the user's may belong to the answer
		}
		if t.end(i); l.user {
			asked = i + 1
		} else {
			t.begin(i+1, doubt)
		}
	}
	if !t.open {
		t.keepBelow(user, asked, len(t.lines))
	}
	return true
}

// userAlone returns the number of the line with the first user label. If an unknown name in the
// first line is repeated later, like a speaker's label ("**Alice**", "octocat: fix it"), userAlone
// may return the number of the repetition. It returns 0 if there is neither.
func (t *turns) userAlone(found map[int]label) int {
	first := ""
	for i, raw := range t.lines {
		if l, ok := found[i]; ok && l.user && !l.bare {
			return i + 1
		}
		name := caption(raw)
		if first == "" && !text.Blank(raw) {
			if first = name; first == "" {
				first = "-" // no caption equals it
			}
		} else if name == first {
			return i + 1
		}
	}
	return 0
}

var captionLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[#*_ ]*[#*_][\pL\d ]+[:*_]*|[\pL\d]+(?: [\pL\d]+)?:(?: [^./]*)?)$`)
})

// caption returns the part of a line that may be a speaker's label: "octocat" of "octocat: fix it",
// or the whole of a line that is set off, such as "**Alice**". Otherwise, and if the line names a
// file, it returns "".
func caption(raw []byte) string {
	if !captionLine().Match(bytes.TrimSpace(raw[:min(len(raw), maxLabel)])) {
		return ""
	}
	name, _, _ := strings.Cut(string(bytes.TrimSpace(raw)), ": ")
	return strings.TrimRight(name, ":")
}

// keepBelow stores the user's text in lines i to j, excluding j, as the last answer's Below, if the
// label user above the text may be a heading.
func (t *turns) keepBelow(user label, i, j int) {
	if strings.ContainsAny(user.style, "#*") {
		t.answers[len(t.answers)-1].Below = t.between(i, j)
	}
}

// labels finds the labels outside blocks and fences. The keys are the indices of their lines.
func (t *turns) labels() map[int]label {
	found := map[int]label{}
	var open mdline.Fence
	fenced := false
	for i := 0; i < len(t.lines); i = t.pastBlock(i) {
		raw := t.lines[i]
		m, fence := mdline.ParseFence(raw)
		switch {
		case fence && fenced && open.ClosedBy(m):
			fenced = false
		case fence && !fenced && m.Opens:
			open, fenced = m, true
		case !fenced && !text.Blank(raw): // a name without any sign counts only below a blank line
			if l, ok := labelOf(raw); ok && (!l.bare || i == 0 || text.Blank(t.lines[i-1])) {
				found[i] = l
			}
		}
	}
	return found
}

// userLabel returns the first user label that looks like one of the model labels. If there are only
// model labels, it returns a label with the style of the first one. models is false if there is no
// model label, or if none of them looks like a user label although there are user labels.
func (t *turns) userLabel(found map[int]label) (user label, models bool) {
	styles := map[string]bool{}
	first := ""
	for i := range t.lines {
		if l, ok := found[i]; ok && !l.user {
			if styles[l.style] = true; first == "" {
				first = l.style
			}
		}
	}
	users := false
	for i := range t.lines {
		l, ok := found[i]
		if users = users || ok && l.user; ok && l.user && styles[l.style] {
			return l, true
		}
	}
	return label{style: first}, first != "" && !users
}
