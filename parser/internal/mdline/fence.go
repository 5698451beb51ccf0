package mdline

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// Fence describes a fence line.
type Fence struct {
	Char   byte // '`', '~', or '<' for a tag
	Length int
	tag    string
	Closes bool // the line can close a fence: it has no info string
	Opens  bool // the line can open one
	Info   []byte
}

// ParseFence parses a fence line: "```go", "~~~", "<source>". ok is false for any other line.
func ParseFence(line []byte) (f Fence, ok bool) {
	line = line[fsm.PrefixLen(line):]
	if len(line) == 0 {
		return Fence{}, false
	}
	if c := line[0]; c == '`' || c == '~' {
		rest := bytes.TrimLeft(line, string(c))
		n := len(line) - len(rest)
		info := bytes.TrimSpace(rest)
		if n < 3 || c == '`' && bytes.IndexByte(info, '`') >= 0 {
			return Fence{}, false
		}
		return Fence{Char: c, Length: n, Info: info, Opens: true, Closes: len(info) == 0}, true
	}
	if line[0] != '<' {
		return Fence{}, false
	}
	name, info, ok := bytes.Cut(line[1:], []byte(">"))
	if !ok {
		return Fence{}, false
	}
	closing := len(name) > 0 && name[0] == '/'
	tag := tagFence(bytes.TrimPrefix(name, []byte("/")))
	inOneLine := bytes.HasSuffix(bytes.TrimSpace(info), []byte("</"+tag+">")) // <code>x</code>
	if tag == "" || closing && !text.Blank(info) || inOneLine {
		return Fence{}, false
	}
	return Fence{Char: '<', tag: tag, Info: bytes.TrimSpace(info), Opens: !closing, Closes: closing}, true
}

// ClosedBy reports whether the line m closes the fence that f opens. tag is "" unless the fences are
// tags, such as <code>.
func (f Fence) ClosedBy(m Fence) bool {
	return m.Closes && m.Char == f.Char && m.Length >= f.Length && m.tag == f.tag
}

// tagFence returns name if it is the name of a tag that models are told to use instead of
// backticks, which might collide with content; otherwise it returns "".
func tagFence(name []byte) string {
	for _, tag := range [...]string{"source", "code", "pre", "codeblock", "sourcecode"} {
		if string(name) == tag {
			return tag
		}
	}
	return ""
}

// HasFence reports whether a text has a fence line.
func HasFence(text []byte) bool {
	for line := range bytes.Lines(text) {
		if _, ok := ParseFence(line); ok {
			return true
		}
	}
	return false
}

// IsFence reports whether the line begins with a Markdown fence, without indentation.
func IsFence(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("```")) || bytes.HasPrefix(raw, []byte("~~~"))
}

// LeavesFenceOpen reports whether a fence that begins in a text does not end there. A line that
// opens a fence within another one counts as a nested fence.
func LeavesFenceOpen(text []byte) bool {
	var open []Fence
	for line := range bytes.Lines(text) {
		m, ok := ParseFence(line)
		switch n := len(open); {
		case !ok:
		case n > 0 && open[n-1].ClosedBy(m):
			open = open[:n-1]
		case m.Opens && n < MaxFences:
			open = append(open, m)
		}
	}
	return len(open) > 0
}

// MaxFences limits the depth of nested fences. If there are more, the outermost ones are dropped.
const MaxFences = 8
