package filter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// streamOf is a stream with the default limits.
func streamOf(workers int, inFlight int64) *Stream {
	return &Stream{Workers: workers, InFlight: inFlight}
}

// answers runs lines through filter, and decodes what comes out.
func answers(t testing.TB, in io.Reader, workers int) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := streamOf(workers, 1000).AnswerAll(context.Background(), in, &out); err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for line := range bytes.Lines(out.Bytes()) {
		var a map[string]any
		if err := json.Unmarshal(line, &a); err != nil || !bytes.HasSuffix(line, []byte("\n")) {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, a)
	}
	return all
}

// Every line has its answer, in the order of the input, however long it is and however the input is cut.
func TestOrder(t *testing.T) {
	var in strings.Builder
	const n = 200
	for i := range n {
		size := 10
		if i%100 < 3 {
			size = 3000 // more than may be in flight
		}
		fmt.Fprintf(&in, `{"id": %d, "path": "a", "content": "%s", "search": "nowhere\n", "replace": ""}`+"\n", i, strings.Repeat("x", size))
	}
	for name, r := range map[string]io.Reader{
		"whole":       strings.NewReader(in.String()),
		"in halves":   iotest.HalfReader(strings.NewReader(in.String())),
		"without EOL": strings.NewReader(strings.TrimSuffix(in.String(), "\n")),
	} {
		t.Run(name, func(t *testing.T) {
			got := answers(t, r, 3)
			if len(got) != n {
				t.Fatalf("%d answers, want %d", len(got), n)
			}
			for i, a := range got {
				if a["id"] != float64(i) {
					t.Fatalf("answer %d is for request %v", i, a["id"])
				}
			}
		})
	}
}

// An answer does not wait for the next request: a program at the other end of two pipes may wait
// for it before it sends one.
func TestAnswersAtOnce(t *testing.T) {
	reqR, reqW := io.Pipe()
	ansR, ansW := io.Pipe()
	done := make(chan error)
	go func() {
		done <- streamOf(2, defaultInFlight).AnswerAll(t.Context(), reqR, ansW)
		ansW.Close()
	}()
	dec := json.NewDecoder(ansR)
	for i := range 20 {
		fmt.Fprintf(reqW, `{"id": %d}`+"\n", i)
		var a struct{ ID int }
		if err := dec.Decode(&a); err != nil || a.ID != i {
			t.Fatalf("answer %d: %v, %v", i, a.ID, err)
		}
	}
	reqW.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestTrouble(t *testing.T) {
	broken := errors.New("broken")
	if err := streamOf(2, defaultInFlight).AnswerAll(t.Context(), iotest.ErrReader(broken),
		io.Discard); !errors.Is(err, broken) {
		t.Errorf("a read error comes out as %v", err)
	}
	lines := strings.Repeat("{}\n", 100_000)
	if err := streamOf(2, defaultInFlight).AnswerAll(t.Context(), strings.NewReader(lines),
		failingWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("a write error comes out as %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// FuzzRequests: whatever comes in, every line gets one line of JSON in UTF-8 with a status.
func FuzzRequests(f *testing.F) {
	f.Add([]byte(`{"id": 1, "path": "a.go", "content": "a\nb\n", "search": "a\n", "replace": "c\n"}`))
	f.Add([]byte(`{"id": "x", "path": "a.go", "content": "a b a", "old": "a", "new": "", "replace_all": true, "start_line": -1}`))
	f.Add([]byte("{\"path\": \"a.go\", \"content\": null, \"reply\": \"a.go\\n<<<<<<< SEARCH\\n=======\\nx\\n>>>>>>> REPLACE\\n\"}\n{}"))
	f.Add([]byte(`{"files": {"a": "x\n", "b": null}, "files_b64": {"c": "/w=="}, "reply": "a\n<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n", "partial": true}`))
	f.Add([]byte(`{"id": "\ud800", "policy": "loose", "splice": "verbatim", "threshold": 0.5}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		lines := bytes.Count(in, []byte("\n"))
		if len(in) > 0 && !bytes.HasSuffix(in, []byte("\n")) {
			lines++
		}
		var out bytes.Buffer
		if err := streamOf(2, defaultInFlight).AnswerAll(context.Background(), bytes.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(out.Bytes()) || bytes.Count(out.Bytes(), []byte("\n")) != lines {
			t.Fatalf("%d lines in, out came %q", lines, out.Bytes())
		}
		for line := range bytes.Lines(out.Bytes()) {
			var a struct {
				Status string
				Error  *struct{ Code string }
			}
			if err := json.Unmarshal(line, &a); err != nil || a.Status == "" {
				t.Fatalf("%v in %q", err, line)
			}
			if a.Error != nil && a.Error.Code == "internal" {
				t.Fatalf("the engine panicked: %q", line)
			}
		}
	})
}
