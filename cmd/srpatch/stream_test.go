package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// converse runs the command, writes each text to its standard input, and reads the lines that are to come before the next text.
func converse(t *testing.T, args []string, steps []step, wantCode int) {
	t.Helper()
	in, input := io.Pipe()
	output, out := io.Pipe()
	code := make(chan int)
	go func() {
		c := run(context.Background(), args, in, out, io.Discard, func(string) string { return "" })
		out.Close()
		code <- c
	}()
	lines := bufio.NewReader(output)
	for i, s := range steps {
		io.WriteString(input, s.text)
		if i == len(steps)-1 {
			input.Close()
		}
		for _, want := range s.lines {
			got, err := lines.ReadString('\n')
			if err != nil || strings.TrimSuffix(got, "\n") != want {
				t.Fatalf("after %q: got %s\nwant %s (%v)", s.text, got, want, err)
			}
		}
	}
	if rest, _ := io.ReadAll(lines); len(rest) > 0 {
		t.Errorf("there is more: %s", rest)
	}
	if got := <-code; got != wantCode {
		t.Errorf("exit status %d, want %d", got, wantCode)
	}
}

type step struct {
	text  string
	lines []string
}

const streamedBlock = `{"block":{"id":1,"op":"edit","path":"a.py","dialect":"aider","lines":[3,7],"search":"old\n","replace":"néw\n","start_line":0,` +
	`"end_line":0,"replace_all":false,"readings":1,"warnings":[]}}`

func TestStreamWritesEachItemWhileTheReplyComesIn(t *testing.T) {
	converse(t, []string{"parse", "--json", "--stream"}, []step{
		{"a.py\n```\n<<<<<<< SEARCH\nold\n=======\nn\xc3", nil},
		{"\xa9w\n>>>>>>> REPLACE\n", []string{streamedBlock}},
		{"```\n\n```sh\nmake\n```\n", []string{`{"shell":{"lines":[10,12],"text":"make\n"}}`}},
		{"", []string{`{"end":{"version":1,"status":"complete","blocks":1,"shell":1,"noticed":0,"diagnostics":0}}`}},
	}, exitOK)
}

// endless is a reply that repeats itself.
type endless struct{ text string }

func (e endless) Read(p []byte) (n int, err error) {
	for n+len(e.text) <= len(p) {
		n += copy(p[n:], e.text)
	}
	return n, nil
}

// enough takes lines until there are as many as wanted; then stdout is closed, as head closes it.
type enough struct{ left int }

func (e *enough) Write(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.ErrClosedPipe
	}
	e.left--
	return len(p), nil
}

func TestStreamOfAReplyThatNeverEnds(t *testing.T) {
	block := "a.py\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"
	var errs bytes.Buffer
	out := &enough{20000}
	code := run(context.Background(), []string{"parse", "--json", "--stream"}, endless{block}, out, &errs, func(string) string { return "" })
	if code != exitTrouble || out.left > 0 {
		t.Errorf("exit status %d with %d lines to go: %s", code, out.left, errs.Bytes())
	}
}
