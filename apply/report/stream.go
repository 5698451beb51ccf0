package report

import (
	"encoding/json"
	"io"

	"github.com/srpatch/srpatch/parser"
)

// Stream writes what a reply is understood as, one object a line, as it is read. Each object has one key, which says what it is.
type Stream struct {
	enc *json.Encoder
	end StreamEnd
}

// NewStream writes to w each line at once.
func NewStream(w io.Writer) *Stream { return &Stream{enc: encoder(w)} }

// streamed is a line of a stream: one of the keys is set.
type streamed struct {
	Block      *block          `json:"block,omitempty"`
	Shell      *shell          `json:"shell,omitempty"`
	Noticed    *parser.Noticed `json:"noticed,omitempty"`
	Diagnostic *Diagnostic     `json:"diagnostic,omitempty"`
	End        *StreamEnd      `json:"end,omitempty"`
}

// StreamStatus says how a stream came to its end.
type StreamStatus string

// The ends of streams.
const (
	StreamComplete StreamStatus = "complete"
	StreamCutOff   StreamStatus = "cut-off"
	StreamError    StreamStatus = "error"
)

// StreamEnd is the last line of a stream: how it ended, and how many lines of each kind there were.
type StreamEnd struct {
	Version     int          `json:"version"`
	Status      StreamStatus `json:"status"`
	Blocks      int          `json:"blocks"`
	Shell       int          `json:"shell"`
	Noticed     int          `json:"noticed"`
	Diagnostics int          `json:"diagnostics"`
	Error       *Error       `json:"error,omitempty"`
}

// Item writes an item.
func (s *Stream) Item(it parser.Item) error {
	var line streamed
	switch {
	case it.Block != nil:
		s.end.Blocks++
		b := blockJSON(it.Block)
		line.Block = &b
	case it.Shell != nil:
		s.end.Shell++
		line.Shell = &shell{Lines: it.Shell.Lines, Text: it.Shell.Text}
	case it.Noticed != nil:
		s.end.Noticed++
		line.Noticed = it.Noticed
	case it.Diagnostic != nil:
		s.end.Diagnostics++
		line.Diagnostic = &Diagnostics([]parser.Diagnostic{*it.Diagnostic})[0]
	}
	return s.enc.Encode(line)
}

// End writes the last line. A failure is what the run came to, nil if it came to none; cutOff says that the reply ended within an edit.
func (s *Stream) End(cutOff bool, failure *Error) error {
	s.end.Version, s.end.Status, s.end.Error = 1, StreamComplete, failure
	switch {
	case failure != nil:
		s.end.Status = StreamError
	case cutOff:
		s.end.Status = StreamCutOff
	}
	return s.enc.Encode(streamed{End: &s.end})
}
