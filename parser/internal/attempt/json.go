package attempt

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// json watches lines that begin like a JSON value and turn out to be none: they have comments, single quotes or bare keys.
// They are prose unless their keys are those of an edit.
type json struct {
	lines  int // that were watched; 0 if none is
	indent int
	seen   jsontext.Role
	why    envelope.Fault // what is wrong with them as JSON
}

// maxWatched is how many lines are watched: an edit has its keys before or after few lines of text.
const maxWatched = 64

// Notice forgets the value where an edit begins, or another speaker.
func (j *json) Notice(e Event) {
	if e != Gives {
		*j = json{}
	}
}

// Watch follows a value, and begins to with a line on which no JSON value begins.
func (j *json) Watch(l *Line) *Finding {
	if l.Asked == AtText {
		if j.lines > 0 || !beginsLikeJSON(l.Raw) {
			return nil
		}
		if r, rejected := envelope.RejectJSON(l.Raw, l.At.Line); rejected {
			j.begin(&r, l.Scene)
		}
	}
	if j.lines == 0 {
		return nil
	}
	return j.follow(l.Raw)
}

func (j *json) begin(r *envelope.Rejection, scene Scene) {
	if _, code, open := scene.Fence(); !open || !code {
		*j = json{lines: 1, indent: r.Indent, seen: r.Seen, why: r.Why}
	}
}

// beginsLikeJSON reports whether a line may be the first one of an object, or of a list of them.
func beginsLikeJSON(raw []byte) bool {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 || trimmed[0] != '[' {
		return len(trimmed) > 0 && trimmed[0] == '{'
	}
	trimmed = bytes.TrimLeft(trimmed[1:], " \t")
	return len(trimmed) == 0 || trimmed[0] == '{' || trimmed[0] == '/' || trimmed[0] == '#' // else a link, a list of other values
}

// looseKey matches a key before a string, as JSON, Python and JavaScript write them.
var looseKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?:^|[\\s{,\\[])([\"']?)([A-Za-z_]+)[\"']?\\s*:\\s*[rbf]?[\"'`]")
})

// follow looks at a line for keys of an edit. There is a finding once there are enough of them.
func (j *json) follow(raw []byte) *Finding {
	trimmed := bytes.TrimSpace(raw)
	outer := len(trimmed) > 0 && len(text.Margin(raw)) <= j.indent
	if j.lines++; j.lines > maxWatched || mdline.IsFence(trimmed) || mdline.OpensBlock(trimmed) || j.lines > 2 && outer && (trimmed[0] == '{' || trimmed[0] == '[') {
		j.lines = 0
		return nil
	}
	if bytes.IndexByte(trimmed, ':') >= 0 {
		for _, key := range looseKey().FindAllSubmatch(trimmed[:min(len(trimmed), maxLooseLine)], -1) {
			if len(key[1]) == 0 && (string(key[2]) == "before" || string(key[2]) == "after") {
				continue // steps of a configuration, which JavaScript writes so
			}
			j.seen |= jsontext.Roles(string(key[2]))
		}
		const both = jsontext.Old | jsontext.New
		if j.seen&jsontext.Path != 0 && j.seen&jsontext.Strong != 0 || j.seen&both == both && j.seen&(jsontext.Path|jsontext.Strong) != 0 {
			j.lines = 0
			return &Finding{Fault: j.why, Dialect: fsm.Aider}
		}
	}
	// A value ends in a line that begins with its bracket, or on its first line.
	if outer && (trimmed[0] == '}' || trimmed[0] == ']' || j.lines == 2 && bytes.HasSuffix(trimmed, []byte("}"))) {
		j.lines = 0
	}
	return nil
}

// maxLooseLine bounds how much of a line is searched for keys, in bytes.
const maxLooseLine = 4 << 10
