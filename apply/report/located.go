package report

import (
	"bytes"

	"github.com/srpatch/srpatch/parser"
)

// maxAttempt is how many bytes of an attempt are kept.
const maxAttempt = 64 << 10

// Locate are the diagnostics of a reply that came from the file of that name, with the files that the edits were for and what the reply has there.
func Locate(name string, reply *parser.Reply, text []byte) []Located {
	type place struct {
		code string
		line int
	}
	attempts := make(map[place]*parser.Attempt, len(reply.Attempts))
	for i := range reply.Attempts {
		a := &reply.Attempts[i]
		attempts[place{a.Code, a.Line}] = a
	}
	var starts []int // of the lines, and the end
	if len(attempts) > 0 {
		starts = append(starts, 0)
		for line := range bytes.Lines(text) {
			starts = append(starts, starts[len(starts)-1]+len(line))
		}
	}
	out := make([]Located, len(reply.Diagnostics))
	for i, d := range reply.Diagnostics {
		out[i] = Located{Reply: name, Diagnostic: d}
		if a := attempts[place{d.Code, d.Line}]; a != nil {
			out[i].Path = a.Path
			if last := min(a.Lines[1], len(starts)-1); a.Lines[0] <= last && a.Lines[0] > 0 {
				from, to := starts[a.Lines[0]-1], starts[last]
				out[i].Text = bytes.Clone(text[from:min(to, from+maxAttempt)])
			}
		}
	}
	return out
}
