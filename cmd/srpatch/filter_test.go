package main

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
func streamOf(workers int, inFlight int64) *stream {
	return &stream{workers: workers, inFlight: inFlight, maxRequest: maxRequest}
}

// answered is the answer to one line.
func (s *stream) answered(ctx context.Context, line []byte) []byte {
	j := &job{number: 1, line: line}
	s.answer(ctx, j)
	return j.out.Bytes()
}

// answers runs lines through filter, and decodes what comes out.
func answers(t testing.TB, in io.Reader, workers int) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := streamOf(workers, 1000).answerAll(context.Background(), in, &out); err != nil {
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

// Lines that are no requests are answered with a code and the request's id, and say what is wrong.
func TestFilterInvalid(t *testing.T) {
	requests := readsRequests(t)
	for name, c := range map[string]struct{ line, id, code, message string }{
		"blank":    {``, `null`, "invalid-json", "unexpected EOF"},
		"cut off":  {`{"id": 1, "path": "a`, `1`, "invalid-json", "unexpected EOF"},
		"an array": {`[1]`, `null`, "invalid-request", "expected an object"},
		"null":     {`null`, `null`, "invalid-request", "no edit"},
		"no edit":  {`{"id": {"a": [1.50]}, "path": "a"}`, `{"a":[1.50]}`, "invalid-request", "no edit"},
		"two edits": {`{"id": 1, "path": "a", "search": "", "replace": "", "reply": ""}`,
			`1`, "invalid-request", `"reply" and "search"`},
		"search alone": {`{"id": 1, "path": "a", "search": "x"}`, `1`, "invalid-request", `go together`},
		"replace is null": {`{"id": 1, "path": "a", "search": "x", "replace": null}`, `1`,
			"invalid-request", `go together`},
		"new alone": {`{"id": 1, "path": "a", "new": "x"}`, `1`, "invalid-request", `go together`},
		"no path": {`{"id": 1, "content": "", "search": "x", "replace": ""}`, `1`,
			"invalid-request", `"path" is missing`},
		"path is a number": {`{"id": 1, "path": 3, "search": "x", "replace": ""}`, `1`,
			"invalid-request", `"path" is a number, expected a string`},
		"file is a number": {`{"id": 1, "files": {"a": 1}, "reply": ""}`, `1`, "invalid-request",
			`expected a string`},
		"files is a list": {`{"id": 1, "files": [], "reply": ""}`, `1`, "invalid-request", `expected an object`},
		"files and search": {`{"id": 1, "files": {}, "search": "x", "replace": ""}`, `1`,
			"invalid-request", `"files" goes with "reply"`},
		"content twice":       {`{"id": 1, "path": "a", "content": "", "content_b64": "", "search": "x", "replace": ""}`, `1`, "invalid-request", `both given`},
		"a file twice":        {`{"id": 1, "files": {"a": ""}, "files_b64": {"a": ""}, "reply": ""}`, `1`, "invalid-request", `in both`},
		"base64":              {`{"id": 1, "path": "a", "content_b64": "?", "search": "x", "replace": ""}`, `1`, "invalid-request", `base64`},
		"policy":              {`{"id": 1, "path": "a", "search": "x", "replace": "", "policy": "lax"}`, `1`, "invalid-request", `strict, safe or loose`},
		"splice":              {`{"id": 1, "path": "a", "search": "x", "replace": "", "splice": "x"}`, `1`, "invalid-request", `three-way or verbatim`},
		"threshold":           {`{"id": 1, "path": "a", "search": "x", "replace": "", "threshold": 1.5}`, `1`, "invalid-request", `0 to 1`},
		"encoding":            {`{"id": 1, "path": "a", "search": "x", "replace": "", "encoding": "lattin"}`, `1`, "invalid-request", `"lattin": no encoding`},
		"start_line in half":  {`{"id": 1, "path": "a", "search": "x", "replace": "", "start_line": 1.5}`, `1`, "invalid-request", `line number`},
		"partial is a string": {`{"id": 1, "path": "a", "search": "x", "replace": "", "partial": "yes"}`, `1`, "invalid-request", `true or false`},
		"lone high surrogate": {`{"id": 1, "path": "a", "content": "\ud83d", "search": "x", "replace": ""}`, `1`, "lone-surrogate", `\ud83d at byte 35`},
		"lone low surrogate":  {`{"id": 1, "path": "a", "content": "\uDE00\ud83d", "search": "x", "replace": ""}`, `1`, "lone-surrogate", `\uDE00`},
		"surrogates reversed": {`{"id": 1, "path": "a", "content": "\ude00\ud83d", "search": "x", "replace": ""}`, `1`, "lone-surrogate", `\ude00`},
		"in an unknown key":   {`{"id": 1, "path": "a", "search": "x", "replace": "", "note": "\ud800"}`, `1`, "lone-surrogate", `\ud800`},
		"not UTF-8":           {"{\"id\": 1, \"path\": \"a\", \"search\": \"caf\xe9\", \"replace\": \"\"}", `1`, "invalid-utf8", `content_b64`},
		"id not UTF-8":        {"{\"id\": \"caf\xe9\"}", `null`, "invalid-utf8", `content_b64`},
		"id at the end": {`{"path": 3, "search": "x", "replace": "", "id": 1}`, `1`,
			"invalid-request", `"path" is a number`},
		"id cut off":          {`{"id": "abc`, `null`, "invalid-json", "unexpected EOF"},
		"id without an end":   {`{"id": 12`, `null`, "invalid-json", "unexpected EOF"},
		"no comma":            {`{"id": 1 "path": "a"}`, `1`, "invalid-json", `after object value`},
		"a key without value": {`{"id": 1, "path"}`, `1`, "invalid-json", `after object name`},
		"a bad value":         {`{"id": 1, "note": 1x, "path": "a"}`, `1`, "invalid-json", `'x' after`},
		"a bad key":           {"{\"id\": 1, \"a\tb\": 1}", `1`, "invalid-json", `in string`},
		"more after it":       {`{"id": 1} {}`, `1`, "invalid-json", "after top-level value"},
		"keys in other case": {`{"ID": 2, "id": 1, "Path": "a", "search": "x", "replace": ""}`,
			`1`, "invalid-request", `"path" is missing`},
		"an escaped key":      {`{"\u0069d": 1, "path": "a"}`, `1`, "invalid-request", "no edit"},
		"want":                {`{"id": 1, "path": "a", "search": "x", "replace": "", "want": "all"}`, `1`, "invalid-request", `"want": "all", expected content, diff, edits, hash, none or feedback`},
		"want is a list":      {`{"id": 1, "path": "a", "search": "x", "replace": "", "want": ["hash", "all"]}`, `1`, "invalid-request", `"want": "all", expected content`},
		"content is an array": {`{"id": 1, "path": "a", "content": ["x"], "search": "x", "replace": ""}`, `1`, "invalid-request", `"content" is an array, expected a string`},
		"a key twice": {`{"id": 1, "path": "a", "path": "b", "search": "x", "replace": ""}`,
			`1`, "invalid-request", `the key "path" is there twice`},
		"expect": {`{"id": 1, "path": "a", "search": "x", "replace": "", "expect": {"a": "1234"}}`,
			`1`, "invalid-request", `expected a SHA-256`},
		"names": {`{"id": 1, "path": "a", "search": "x", "replace": "", "names": "all"}`, `1`,
			"invalid-request", `near or exact`},
		"bytes": {`{"id": 1, "path": "a", "search": "x", "replace": "", "bytes": "all"}`, `1`,
			"invalid-request", `policy or exact`},
		"no edits in a reply": {`{"id": 1, "path": "a", "reply": "There is nothing to change."}`,
			`1`, "no-edits", "no edit"},
	} {
		t.Run(name, func(t *testing.T) {
			var got struct {
				ID                  json.RawMessage
				Status              string
				Error               struct{ Code, Message string }
				Blocks, Diagnostics []any
			}
			out := streamOf(1, inFlight).answered(t.Context(), []byte(c.line))
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			if got.Status != "error" || got.Error.Code != c.code || string(got.ID) != c.id ||
				!strings.Contains(got.Error.Message, c.message) {
				t.Errorf("got %swant id %s, code %s, a message with %s", out, c.id, c.code, c.message)
			}
			if err := requests.checkRequests([]byte(c.line), out); err != nil {
				t.Error(err)
			}
			if got.Blocks == nil || got.Diagnostics == nil {
				t.Errorf("blocks and diagnostics should be lists: %s", out)
			}
		})
	}
}

// Every line has its answer, in the order of the input, however long it is and however the input is cut.
func TestFilterOrder(t *testing.T) {
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
func TestFilterAnswersAtOnce(t *testing.T) {
	reqR, reqW := io.Pipe()
	ansR, ansW := io.Pipe()
	done := make(chan error)
	go func() {
		done <- streamOf(2, inFlight).answerAll(t.Context(), reqR, ansW)
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

func TestFilterTrouble(t *testing.T) {
	broken := errors.New("broken")
	if err := streamOf(2, inFlight).answerAll(t.Context(), iotest.ErrReader(broken),
		io.Discard); !errors.Is(err, broken) {
		t.Errorf("a read error comes out as %v", err)
	}
	lines := strings.Repeat("{}\n", 100_000)
	if err := streamOf(2, inFlight).answerAll(t.Context(), strings.NewReader(lines),
		failingWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("a write error comes out as %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// FuzzFilter: whatever comes in, every line gets one line of JSON in UTF-8 with a status.
func FuzzFilter(f *testing.F) {
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
		if err := streamOf(2, inFlight).answerAll(context.Background(), bytes.NewReader(in), &out); err != nil {
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
