package parser

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/srpatch/srpatch/parser/internal/envelope"

	"github.com/srpatch/srpatch/parser/internal/jsontext"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// jsonAttempt watches lines that begin like a JSON value and turn out to be none: they have comments, single quotes or bare keys.
// They are prose unless their keys are those of an edit.
type jsonAttempt struct {
	lines  int // that were watched; 0 if none is
	indent int
	seen   jsontext.Role
	diag   Diagnostic // what is wrong with them as JSON
}

// maxWatched is how many lines are watched: an edit has its keys before or after few lines of text.
const maxWatched = 64

// beginJSON begins to watch with a line on which no JSON value begins.
func (s *Scanner) beginJSON(raw []byte, line int) {
	trimmed := bytes.TrimSpace(raw)
	if s.req.bare || len(trimmed) == 0 || s.req.format != "" && s.req.format != envelope.JSON {
		return
	}
	if trimmed[0] == '[' {
		if trimmed = bytes.TrimLeft(trimmed[1:], " \t"); len(trimmed) > 0 && trimmed[0] != '{' && trimmed[0] != '/' && trimmed[0] != '#' {
			return // a link, a list of other values
		}
	} else if trimmed[0] != '{' {
		return
	}
	if r := envelope.RejectJSON(raw, line); r != nil {
		s.watchJSON(r)
	}
}

func (s *Scanner) watchJSON(r *envelope.Rejection) {
	if f := s.ctx.top(); f == nil || !f.code {
		s.attempt.json = jsonAttempt{lines: 1, indent: r.Indent, seen: r.Seen, diag: Diagnostic(r.Why)}
	}
}

// looseKey matches a key before a string, as JSON, Python and JavaScript write them.
var looseKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?:^|[\\s{,\\[])([\"']?)([A-Za-z_]+)[\"']?\\s*:\\s*[rbf]?[\"'`]")
})

// followJSON looks at a line for keys of an edit. It reports whether there are enough of them by now, which is reported.
func (s *Scanner) followJSON(raw []byte, at fsm.Pos) bool {
	a := &s.attempt.json
	trimmed := bytes.TrimSpace(raw)
	outer := len(trimmed) > 0 && len(text.Margin(raw)) <= a.indent
	if a.lines++; a.lines > maxWatched || mdline.IsFence(trimmed) || mdline.OpensBlock(trimmed) || a.lines > 2 && outer && (trimmed[0] == '{' || trimmed[0] == '[') {
		a.lines = 0
		return false
	}
	if bytes.IndexByte(trimmed, ':') >= 0 {
		for _, key := range looseKey().FindAllSubmatch(trimmed[:min(len(trimmed), maxLooseLine)], -1) {
			if len(key[1]) == 0 && (string(key[2]) == "before" || string(key[2]) == "after") {
				continue // steps of a configuration, which JavaScript writes so
			}
			a.seen |= jsontext.Roles(string(key[2]))
		}
		const both = jsontext.Old | jsontext.New
		if a.seen&jsontext.Path != 0 && a.seen&jsontext.Strong != 0 || a.seen&both == both && a.seen&(jsontext.Path|jsontext.Strong) != 0 {
			a.lines = 0
			d := a.diag
			d.Remedy = s.out.remedy(d.Remedy, fsm.Aider)
			s.out.uses.put(diagnosed, at.Line, at.Line)
			s.out.refuse(&d, d.Line, d.Line)
			return true
		}
	}
	// A value ends in a line that begins with its bracket, or on its first line.
	if outer && (trimmed[0] == '}' || trimmed[0] == ']' || a.lines == 2 && bytes.HasSuffix(trimmed, []byte("}"))) {
		a.lines = 0
	}
	return false
}

// maxLooseLine bounds how much of a line is searched for keys, in bytes.
const maxLooseLine = 4 << 10
