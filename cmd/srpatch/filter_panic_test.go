package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// panics panics in the work on requests with a deadline: nothing else asks a context for its own.
type panics struct{ context.Context }

func (panics) Deadline() (time.Time, bool) { panic("planted") }

// A panic in the work on one request is the answer to it, and the stack is on stderr.
func TestFilterGoesOnAfterAPanic(t *testing.T) {
	const n, every = 200, 7
	var in strings.Builder
	for i := range n {
		deadline := ""
		if i%every == 0 {
			deadline = `, "deadline_ms": 1000`
		}
		fmt.Fprintf(&in, `{"id": %d, "path": "a", "content": "x\n", "search": "x\n", "replace": "%[1]d\n"%s}`+"\n", i, deadline)
	}
	var out, errs bytes.Buffer
	if code := run(panics{t.Context()}, []string{"filter", "--no-ms"},
		strings.NewReader(in.String()), &out, &errs, func(string) string { return "" }); code != exitOK {
		t.Errorf("exit status %d", code)
	}
	requests, i := readsRequests(t), 0
	for line := range bytes.Lines(out.Bytes()) {
		var a struct {
			ID              int
			Status, Content string
			Error           struct{ Code, Message string }
		}
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		failed := a.Status == "error" && a.Error.Code == "internal" && strings.Contains(a.Error.Message, "planted")
		applied := a.Status == "applied" && a.Content == fmt.Sprintf("%d\n", i)
		if a.ID != i || failed != (i%every == 0) || applied == failed {
			t.Errorf("answer %d: %s", i, line)
		}
		if err := requests.checkRequests([]byte(strings.Split(in.String(), "\n")[i]), line); err != nil {
			t.Error(err)
		}
		i++
	}
	if i != n {
		t.Errorf("%d answers to %d requests", i, n)
	}
	if stacks := strings.Count(errs.String(),
		"panic: planted\n\ngoroutine "); stacks != (n+every-1)/every ||
		!strings.Contains(errs.String(), "line 8 of the input") {
		t.Errorf("%d stacks on stderr: %.500s", stacks, errs.String())
	}
}
