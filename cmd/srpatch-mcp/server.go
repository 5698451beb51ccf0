package main

//lint:file-ignore SA1019 Clients name their trees as roots, see roots.go.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/version"
	"github.com/srpatch/srpatch/internal/warning"
)

// server answers the calls of one client.
type server struct {
	mcp    *mcp.Server
	config *config
	dirs   []string // the trees of the command line
	calls  sync.WaitGroup
	ending context.Context // is done when calls must end
	faults io.Writer       // gets the stacks of panics

	refused sync.Map // the last refused reply of each tree, as JSON
}

const instructions = `srpatch edits files with SEARCH/REPLACE blocks. The tool prompt says how to
write them. apply writes all edits of a reply or none; check writes nothing. If an edit is refused,
apply shows the text of the file there: send corrected blocks for the refused edits only, with retry
set to true.`

// newServer returns a server whose calls end once ctx is done.
func newServer(ctx context.Context, c *config, dirs []string) *server {
	s := &server{config: c, dirs: dirs, ending: ctx, faults: os.Stderr}
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: "srpatch-mcp", Title: "srpatch", Version: version.Current().Version},
		&mcp.ServerOptions{
			Instructions: instructions,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	s.addTools()
	return s
}

// result is the result of a tool: a report for programs, and words for the model and for people.
type result struct {
	report any
	words  string
	failed bool // the request was not carried out
}

// call is a call about a tree.
type call struct {
	*server
	dir string
}

// add adds a tool that works on a tree. do carries out a call. failure returns the report of a call
// for which do, or what comes before it, has failed. The schema of the tool's results is made from
// the type of that report.
func add[In interface{ tree() string }](
	s *server, tool *mcp.Tool, failure func(*report.Error) any,
	do func(context.Context, *call, In) (result, error),
) {
	schema, err := jsonschema.ForType(reflect.TypeOf(failure(nil)).Elem(), &jsonschema.ForOptions{})
	if err != nil {
		panic(err) // every start would show it
	}
	tool.OutputSchema = schema
	mcp.AddTool(s.mcp, tool, func(
		ctx context.Context, req *mcp.CallToolRequest, in In,
	) (*mcp.CallToolResult, json.RawMessage, error) {
		s.calls.Add(1)
		defer s.calls.Done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ending, cancel)()
		roots, mustAsk := s.rootsOf(req)
		if mustAsk {
			roots := mcp.InputRequestMap{rootsRequest: &mcp.ListRootsParams{}}
			return &mcp.CallToolResult{InputRequests: roots}, nil, nil // the client repeats the call with them
		}
		r, err := s.answer(req, roots, in.tree(), func(c *call) (result, error) { return do(ctx, c, in) })
		if err != nil {
			e := wireError(err)
			says := report.Clean(strings.ReplaceAll(e.Message, "\n", "; ")) + "\n"
			r = result{report: failure(e), words: says, failed: true}
		}
		return s.bounded(&r)
	})
}

// answer carries out a call, with do, in the tree of roots that it names. A panic ends only this
// call: answer writes the stack to s.faults, and returns an error.
func (s *server) answer(
	req *mcp.CallToolRequest, roots []root, tree string, do func(*call) (result, error),
) (r result, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(s.faults, "srpatch-mcp: panic: %v\n\n%s", p, debug.Stack())
			err = codef("internal", "srpatch failed: %v; please report it with the stack on stderr", p)
		}
	}()
	// Decoding would put U+FFFD into the edits, and into files.
	if raw := jsontext.Value(req.Params.Arguments); len(raw) > 0 && !raw.IsValid() {
		return r, codef("usage", "an argument is not Unicode: half of a surrogate pair, or invalid UTF-8")
	}
	dir, err := choose(roots, tree)
	if err != nil {
		return r, err
	}
	return do(&call{s, dir})
}

// bounded returns a result of at most --max-result bytes: a quarter for the words, the rest for the
// report.
func (s *server) bounded(r *result) (*mcp.CallToolResult, json.RawMessage, error) {
	mostWords := s.config.maxResult / 4
	text, err := fitted(r.report, s.config.maxResult-mostWords)
	if err != nil {
		return nil, nil, err
	}
	content := []mcp.Content{&mcp.TextContent{Text: shortened(r.words, mostWords)}}
	return &mcp.CallToolResult{IsError: r.failed, Content: content}, text, nil
}

// fitted returns a report as JSON of at most most bytes. If that is too few, it adds a warning, and
// leaves out the blocks without problems first, and then, repeatedly, the ends of long texts and
// the second half of each list.
func fitted(r any, most int) (json.RawMessage, error) {
	says := warning.LeftOut.Say("parts of the result are missing, as it is too large")
	for step := range 40 { // enough to halve any list to two items
		var text bytes.Buffer
		if err := report.JSON(&text, r); err != nil || text.Len() <= most {
			return bytes.TrimSpace(text.Bytes()), err
		}
		if run, ok := r.(*report.Run); ok && step == 0 {
			run.Warnings = slices.Insert(run.Warnings, 0, says)
			run.Blocks = slices.DeleteFunc(run.Blocks, func(b apply.BlockReport) bool {
				return b.Status != apply.BlockFailed && len(b.Warnings) == 0
			})
			continue
		}
		var all map[string]any
		if err := json.Unmarshal(text.Bytes(), &all); err != nil {
			return nil, err
		}
		warned := all
		if explained, ok := all["report"].(map[string]any); ok { // of the tool why
			warned = explained
		}
		if list, ok := warned["warnings"].([]any); ok && step == 0 { // an error of why has none
			warned["warnings"] = slices.Insert(list, 0, any(says))
		}
		r = cut(all, most>>step)
	}
	return nil, codef("too-large", "the result has more than %d bytes", most)
}

// cut returns a JSON value with shorter texts, of at most longest bytes or 500, because shorter
// ones may be names. It halves lists of more than two items. It removes edits and corrected blocks,
// which would be useless in part. It changes the value in place.
func cut(value any, longest int) any {
	switch value := value.(type) {
	case string:
		return shortened(value, max(longest, 500))
	case []any:
		value = value[:max(min(len(value), 2), len(value)/2)]
		for i := range value {
			value[i] = cut(value[i], longest)
		}
		return value
	case map[string]any:
		for _, exact := range []string{"edits", "text_edits", "corrected"} {
			delete(value, exact)
		}
		for key := range value {
			value[key] = cut(value[key], longest)
		}
	}
	return value
}

// shortened returns at most most bytes of a text, and says at the end how many are left out.
func shortened(text string, most int) string {
	const room = 60 // for the remark
	if len(text) <= most {
		return text
	}
	kept := strings.ToValidUTF8(text[:max(0, most-room)], "")
	return fmt.Sprintf("%s\n[%d more bytes are left out here]\n", kept, len(text)-len(kept))
}

// codef returns an error with a code for programs, such as "usage".
func codef(code apply.Reason, format string, args ...any) error {
	return &apply.ReasonError{Reason: code, Err: fmt.Errorf(format, args...)}
}

// wireError returns the wire form of an error. Its code is "io" if the error has none.
func wireError(err error) *report.Error {
	e := &report.Error{Code: "io", Message: diagnosis.Words(err)}
	_, badOption := errors.AsType[*apply.OptionError](err)
	_, badGlob := errors.AsType[*workspace.GlobError](err)
	coded, hasCode := errors.AsType[*apply.ReasonError](err)
	switch {
	case hasCode:
		e.Code = cmp.Or(string(coded.Reason), e.Code)
	case badOption || badGlob || errors.Is(err, apply.ErrNoBlock):
		e.Code = "usage"
	case errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Message = "timeout", "finding the places took more than --timeout; nothing was written"
	case errors.Is(err, context.Canceled):
		e.Code = "interrupted"
	}
	return e
}
