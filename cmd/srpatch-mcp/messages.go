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
// the SDK's own transport ends with the first one, and what the server remembers with it. gone is called when in has ended.
func transportOf(in io.ReadCloser, out *writer, maxReply int64, gone func()) mcp.Transport {
	max := maxMessage(maxReply)
	return &mcp.IOTransport{Reader: &messages{in: bufio.NewReader(in), Closer: in, out: out, max: max, gone: gone}, Writer: out, MaxLineLength: -1}
}

// maxMessage is how long a message may be: a reply each byte of which is escaped, and some more.
func maxMessage(maxReply int64) int {
	const most = 256 << 20 // so that an int holds it on any machine
	return int(6*min(maxReply, most)) + 1<<20
}

// maxUnsent is how many bytes may wait for a client that does not read.
const maxUnsent = 64 << 20

// writer sends whole lines in their order, for several goroutines. It never waits for the client: a server that did would not notice
// that the client is gone.
type writer struct {
	w io.Writer
	// sending are the goroutines that send, one at most.
	sending sync.WaitGroup

	mu     sync.Mutex
	busy   bool
	unsent []byte
	err    error
}

func (w *writer) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil && len(w.unsent) > maxUnsent {
		w.err = errors.New("the client does not read its answers")
	}
	if w.err != nil {
		return 0, w.err
	}
	w.unsent = append(w.unsent, line...)
	if !w.busy {
		w.busy = true
		w.sending.Go(w.send)
	}
	return len(line), nil
}

// send writes what is unsent, until nothing is.
func (w *writer) send() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.unsent) > 0 && w.err == nil {
		lines := w.unsent
		w.unsent = nil
		w.mu.Unlock()
		_, err := w.w.Write(lines)
		w.mu.Lock()
		w.err = err
	}
	w.busy = false
}

func (w *writer) Close() error { return nil }

// messages reads the lines of a client that are messages, and answers the others.
type messages struct {
	in *bufio.Reader
	io.Closer
	out  io.Writer
	max  int
	gone func()
	rest []byte // of the message that is being read
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if err != nil {
			m.gone()
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
