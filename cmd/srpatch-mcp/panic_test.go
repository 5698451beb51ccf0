package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply/report"
)

// A panic in one call is the answer to that call, and the server goes on.
func TestServerGoesOnAfterAPanic(t *testing.T) {
	dir := treeOf(t, map[string]string{"a.txt": "one\n"})
	c := &config{}
	if err := c.flags().Parse([]string{"--state-dir", t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	dirs, err := c.trees([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t.Context(), c, dirs)
	var errs bytes.Buffer
	s.faults = &errs
	fails := func(context.Context, *call, checkArguments) (result, error) { panic("planted") }
	failure := func(err *report.Error) any { return &report.Run{Status: report.StatusError, Error: err} }
	add(s, &mcp.Tool{Name: "fail"}, failure, fails)
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.mcp.Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, want := range []struct{ tool, status, code string }{{"fail", "error", "internal"},
		{"check", "applied", ""}} {
		answer, err := client.CallTool(t.Context(),
			&mcp.CallToolParams{Name: want.tool, Arguments: map[string]any{"reply": block("a.txt", "one\n", "two\n")}})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(answer.StructuredContent)
		var got struct {
			Status string
			Error  struct{ Code string }
		}
		if err := json.Unmarshal(text, &got); err != nil || got.Status != want.status || got.Error.Code != want.code {
			t.Errorf("%s: %s, want %+v", want.tool, text, want)
		}
	}
	if !strings.Contains(errs.String(), "panic: planted\n\ngoroutine ") {
		t.Errorf("on stderr: %s", errs.String())
	}
}
