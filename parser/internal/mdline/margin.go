package mdline

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// HaveMargin reports whether all lines of a body begin with a prefix, except for dividers, blank
// lines, and lines that have only the prefix's quote marks (">" instead of "> ").
func HaveMargin(body, prefix []byte) bool {
	quote := bytes.TrimSpace(prefix)
	for line := range bytes.Lines(body) {
		if !bytes.HasPrefix(line, prefix) && !text.Blank(line) &&
			!bytes.Equal(bytes.TrimSpace(line), quote) && fsm.Classify(line).Kind != fsm.Divider {
			return false
		}
	}
	return true
}

// WithoutMargin removes the prefix from lines of a body for which [HaveMargin] returns true. If
// unescape is set, it also removes the backslash before an escaped marker. Lines without the prefix
// become empty, except for dividers. The text is copied unless there is nothing to remove: an empty
// prefix, and no unescape.
func WithoutMargin(body, prefix []byte, unescape bool) []byte {
	if len(body) == 0 || len(prefix) == 0 && !unescape {
		return body[:len(body):len(body)]
	}
	out := make([]byte, 0, len(body))
	for line := range bytes.Lines(body) {
		if bytes.HasPrefix(line, prefix) {
			line = line[len(prefix):]
		} else if len(prefix) > 0 && fsm.Classify(line).Kind != fsm.Divider {
			line = line[len(text.Chomp(line)):]
		}
		if unescape && len(line) > 0 && line[0] == '\\' && fsm.Classify(line).Kind == fsm.Escaped {
			line = line[1:]
		}
		out = append(out, line...)
	}
	return out
}
