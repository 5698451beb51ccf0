package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transportOf reads messages from in and writes them to out, a line each. A line that is no message is answered, and the session goes on:
// the SDK's own transport ends with the first one, and what the server remembers with it.
func transportOf(in io.ReadCloser, out io.Writer, maxReply int64) mcp.Transport {
	max := maxMessage(maxReply)
	w := &writer{w: out}
	return &mcp.IOTransport{Reader: &messages{in: bufio.NewReader(in), Closer: in, out: w, max: max}, Writer: w, MaxLineLength: -1}
}

// maxMessage is how long a message may be: a reply each byte of which is escaped, and some more.
func maxMessage(maxReply int64) int {
	const most = 256 << 20 // so that an int holds it on any machine
	return int(6*min(maxReply, most)) + 1<<20
}

// writer is for several goroutines, each of which writes whole lines.
type writer struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *writer) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(line)
}

func (w *writer) Close() error { return nil }

// messages reads the lines of a client that are messages, and answers the others.
type messages struct {
	in *bufio.Reader
	io.Closer
	out  io.Writer
	max  int
	rest []byte // of the message that is being read
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if err != nil {
			return 0, err
		}
		if e := fault(line, m.max); e != nil {
			if err := m.refuse(e); err != nil {
				return 0, err
			}
			continue
		}
		m.rest = line
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line is the next line that has more than blanks. Of one that is too long it is the beginning, which is too long, too.
func (m *messages) line() (line []byte, err error) {
	for {
		part, err := m.in.ReadSlice('\n')
		if room := m.max + 1 - len(line); room > 0 {
			line = append(line, part[:min(room, len(part))]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case len(bytes.TrimSpace(line)) > 0 && (err == nil || errors.Is(err, io.EOF)):
			return line, nil
		case err != nil:
			return nil, err
		default:
			line = line[:0]
		}
	}
}

// fault is what keeps a line from being a message; nil for nothing.
func fault(line []byte, max int) *jsonrpc.Error {
	if len(line) > max {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("the message has more than %d bytes", max)}
	}
	if !json.Valid(line) {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is not JSON; each message is a line of its own"}
	}
	if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "batches are not read; each message is a line of its own"}
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the line is no JSON-RPC 2.0 message: " + err.Error()}
	}
	return nil
}

// refuse answers a line whose id is not known.
func (m *messages) refuse(fault *jsonrpc.Error) error {
	answer, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      any            `json:"id"`
		Error   *jsonrpc.Error `json:"error"`
	}{"2.0", nil, fault})
	if err != nil {
		return err
	}
	_, err = m.out.Write(append(answer, '\n'))
	return err
}
