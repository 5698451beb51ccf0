package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// pipe is a server that a test writes bytes to.
type pipe struct {
	t       *testing.T
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	errs    bytes.Buffer
}

// started is a server that has been greeted.
func started(t *testing.T, args ...string) *pipe {
	t.Helper()
	p := &pipe{t: t, process: exec.Command(os.Args[0], args...)}
	p.process.Env, p.process.Stderr = home(t), &p.errs
	var err error
	if p.in, err = p.process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, 1<<20)
	if err := p.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.in.Close(); p.process.Wait() })
	p.write(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")
	if m := p.read(); m.ID != "hello" || m.Error.Code != 0 {
		t.Fatalf("the greeting is answered by %+v", m)
	}
	p.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	return p
}

func (p *pipe) write(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Fatalf("the server takes no more: %v\n%s", err, p.errs.Bytes())
	}
}

// message is what a server writes; anything else ends the test.
type message struct {
	Version string `json:"jsonrpc"`
	ID      any
	Error   struct {
		Code    int
		Message string
	}
}

func (p *pipe) read() (m message) {
	p.t.Helper()
	if !p.out.Scan() {
		p.t.Fatalf("the server has ended: %v\n%s", p.out.Err(), p.errs.Bytes())
	}
	if err := json.Unmarshal(p.out.Bytes(), &m); err != nil || m.Version != "2.0" {
		p.t.Fatalf("the server writes what is no message: %v\n%.300s", err, p.out.Bytes())
	}
	return m
}

const ping = `{"jsonrpc":"2.0","id":"ping","method":"ping"}` + "\n"

// A line that is no message is answered, and the server goes on.
func TestLinesThatAreNoMessages(t *testing.T) {
	const maxReply = 1000
	p := started(t, "--max-reply=1000", t.TempDir())
	check := func(reply string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"check","arguments":{"reply":"` + reply + `"}}}`
	}
	for name, test := range map[string]struct {
		line string
		code int // 0 where the line is a message
	}{
		"words":                         {"hello?", -32700},
		"bytes that are no text":        {"\xff\xfe", -32700},
		"half a message":                {`{"jsonrpc":"2.0","id":1,"meth`, -32700},
		"two in one line":               {strings.TrimSpace(ping) + strings.TrimSpace(ping), -32700},
		"too deep":                      {strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), -32700},
		"a batch":                       {"[" + strings.TrimSpace(ping) + "]", -32600},
		"nothing":                       {"null", -32600},
		"a text":                        {`"ping"`, -32600},
		"another version":               {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
		"no version":                    {`{"id":1,"method":"ping"}`, -32600},
		"an object as its name":         {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
		"too long":                      {check(strings.Repeat("x", maxMessage(maxReply))), -32600},
		"much too long":                 {strings.Repeat("x", 3*maxMessage(maxReply)), -32600},
		"an unknown method":             {`{"jsonrpc":"2.0","id":1,"method":"edit"}`, -32601},
		"a list of parameters":          {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, -32602},
		"an unknown tool":               {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"edit"}}`, -32602},
		"the longest reply, escaped":    {check(strings.Repeat(`\u0041`, maxReply)), 0},
		"a line end of another machine": {strings.TrimSpace(ping) + "\r", 0},
		"blank lines before":            {"\n \n\r\n" + strings.TrimSpace(ping), 0},
	} {
		t.Run(name, func(t *testing.T) {
			p.t = t
			p.write(test.line + "\n")
			if m := p.read(); m.Error.Code != test.code || test.code == -32700 && m.ID != nil {
				t.Errorf("answered by %+v", m)
			}
			p.write(ping)
			if m := p.read(); m.ID != "ping" || m.Error.Code != 0 {
				t.Errorf("the next line is answered by %+v", m)
			}
		})
	}
}

// The server ends with its input, wherever that ends, and when it is told to, without a word besides the protocol's.
func TestEnd(t *testing.T) {
	for name, end := range map[string]func(*pipe){
		"at the end of the input":  func(p *pipe) { p.in.Close() },
		"in the middle of a line":  func(p *pipe) { p.write(ping[:20]); p.in.Close() },
		"when it is terminated":    func(p *pipe) { p.process.Process.Signal(syscall.SIGTERM) },
		"when it is interrupted":   func(p *pipe) { p.process.Process.Signal(os.Interrupt) },
		"with an answer not taken": func(p *pipe) { p.write(strings.Repeat(ping, 3)); p.in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "when") && os.PathSeparator == '\\' {
				t.Skip("Windows has no signals to end the server by")
			}
			p := started(t, t.TempDir())
			end(p)
			for p.out.Scan() {
				if !json.Valid(p.out.Bytes()) {
					t.Errorf("it writes %q", p.out.Bytes())
				}
			}
			if err := p.process.Wait(); err != nil || p.errs.Len() > 0 {
				t.Errorf("%v\n%s", err, p.errs.Bytes())
			}
		})
	}
}
