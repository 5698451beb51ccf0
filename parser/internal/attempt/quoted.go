package attempt

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// quoted finds a string of JSON with a whole block inside: a reply that was taken from a model's server with its quotes.
type quoted struct{ one }

// Watch looks at one line.
func (quoted) Watch(l *Line) *Finding {
	if _, _, open := l.Scene.Fence(); open || !bytes.HasPrefix(l.Raw, []byte(`"`)) || !envelope.ContainsBlock(l.Raw) {
		return nil
	}
	return &Finding{Fault: envelope.QuotedBlock(l.Raw, l.At.Line), Dialect: fsm.Aider}
}
