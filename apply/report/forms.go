package report

import "github.com/srpatch/srpatch/parser"

// Forms are what this package prints as JSON, by the names that docs/report.schema.json has for them.
func Forms() map[string]any {
	return map[string]any{"run": Run{}, "turn": Turn{}, "log": Log{}, "parse": parsed{}, "stream": streamed{}, "why": judged{}}
}

// parsed is what [ParseJSON] writes, piece by piece.
type parsed struct {
	Version     int              `json:"version"`
	Blocks      []block          `json:"blocks"`
	Shell       []shell          `json:"shell"`
	Diagnostics []Diagnostic     `json:"diagnostics"`
	Noticed     []parser.Noticed `json:"noticed,omitempty"`
}
