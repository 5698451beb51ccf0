package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/version"
)

// server answers the calls of one client.
type server struct {
	mcp    *mcp.Server
	config *config
	// dirs are the trees of the command line.
	dirs      []string
	maxResult int
	refused   memory
	// calls are those at work.
	calls sync.WaitGroup
	// ending is done once interrupt has told the calls to end.
	ending    context.Context
	interrupt context.CancelFunc
	// faults gets the stacks of panics.
	faults io.Writer
}

const instructions = `srpatch edits files by SEARCH/REPLACE blocks. The tool prompt says how to write them; apply writes all edits of a reply or none, check
only looks. Where an edit is refused, apply says what the file has there: send corrected blocks for the refused edits only, with retry set to true.`

func newServer(c *config, dirs []string) (*server, error) {
	s := &server{config: c, dirs: dirs, maxResult: c.maxResult, faults: os.Stderr}
	s.ending, s.interrupt = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "srpatch-mcp", Title: "srpatch", Version: version.Current().Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	tools := []func() error{s.addCheck, s.addWhy, s.addPrompt}
	if !c.readOnly {
		tools = append(tools, s.addApply, s.addUndo)
	}
	for _, add := range tools {
		if err := add(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// result is what a tool has to say.
type result struct {
	// report is the same that srpatch --json prints.
	report interface{ JSON(io.Writer) error }
	// words are for the model, and for people.
	words string
	// failed: what was asked for was not done.
	failed  bool
	shorten shortening
}

// call is a call about a tree.
type call struct {
	dir      string
	config   *config
	progress *progress
}

// arguments are those of a tool that is about a tree.
type arguments interface{ tree() string }

// treeTool is a tool whose result is a form of docs/report.schema.json.
type treeTool[In arguments] struct {
	form string
	do   func(context.Context, *call, In) (result, error)
	// failure is the report of a call that came to nothing.
	failure func(*report.Error) result
}

// addTool adds a tool that is about a tree.
func addTool[In arguments](s *server, tool *mcp.Tool, t treeTool[In]) (err error) {
	if tool.OutputSchema, err = schemaOf(t.form); err != nil {
		return err
	}
	mcp.AddTool(s.mcp, tool, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, json.RawMessage, error) {
		s.calls.Add(1)
		defer s.calls.Done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ending, cancel)()
		roots, ask := s.rootsOf(req)
		if ask {
			return askForRoots(), nil, nil
		}
		r, err := t.on(ctx, s, req, roots, in)
		if err != nil {
			r = t.failure(wireError(err))
			r.failed, r.words = true, clean(remedy.Words(err))
		}
		return s.bounded(&r)
	})
	return nil
}

// on does what a call asks for in the tree that it is about. A panic ends the call alone.
func (t *treeTool[In]) on(ctx context.Context, s *server, req *mcp.CallToolRequest, roots []root, in In) (r result, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(s.faults, "srpatch-mcp: panic: %v\n\n%s", p, debug.Stack())
			r, err = result{}, codef(codeInternal, "srpatch failed: %v; please report it with the stack on stderr", p)
		}
	}()
	if err := intact(req.Params.Arguments, in); err != nil {
		return result{}, err
	}
	dir, err := choose(roots, in.tree())
	if err != nil {
		return result{}, err
	}
	return t.do(ctx, &call{dir, s.config, newProgress(ctx, req)}, in)
}

// intact reports text that was no Unicode when it came: U+FFFD stands for it now, and would be written.
func intact(raw json.RawMessage, in arguments) error {
	now, err := json.Marshal(in)
	if err != nil {
		return err
	}
	const replaced = "\uFFFD"
	came := strings.Count(string(raw), replaced) + strings.Count(strings.ToLower(string(raw)), `\ufffd`)
	if strings.Count(string(now), replaced)+strings.Count(string(now), `\ufffd`) > came {
		return &usageError{errors.New("an argument is not Unicode: half of a surrogate pair, or bytes that are not UTF-8")}
	}
	return nil
}

// bounded is a result that is not larger than it may be: a quarter for the words, the rest for the report.
func (s *server) bounded(r *result) (*mcp.CallToolResult, json.RawMessage, error) {
	var text bytes.Buffer
	var lost error
	most := s.maxResult - s.maxWords()
	fits := func() bool {
		text.Reset()
		lost = r.report.JSON(&text)
		return lost != nil || text.Len() <= most
	}
	if !fits() && r.shorten != nil {
		r.shorten(most, fits)
		fits()
	}
	if lost != nil {
		return nil, nil, lost
	}
	words := shortened(r.words, s.maxWords())
	return &mcp.CallToolResult{IsError: r.failed, Content: []mcp.Content{&mcp.TextContent{Text: words}}}, bytes.TrimSpace(text.Bytes()), nil
}

// maxWords is how many bytes the words of a result may have.
func (s *server) maxWords() int { return s.maxResult / 4 }

// wireError is the wire form of an error.
func wireError(err error) *report.Error {
	return &report.Error{Code: codeOf(err), Message: remedy.Words(err)}
}

// Codes of calls that come to no plan; the workspace has more of them.
const (
	codeUsage          = "usage"
	codeIO             = "io"
	codeNoEdits        = "no-edits"
	codeTooLarge       = "too-large"
	codeTimeout        = "timeout"
	codeInterrupted    = "interrupted"
	codeInternal       = "internal"
	codeNothingToRetry = "nothing-to-retry"
)

// coded is an error with a code.
type coded struct {
	code string
	error
}

func (e *coded) Unwrap() error { return e.error }

func codef(code, format string, args ...any) error { return &coded{code, fmt.Errorf(format, args...)} }

func codeOf(err error) string {
	if e, ok := errors.AsType[*coded](err); ok {
		return e.code
	}
	if e, ok := errors.AsType[*apply.ReasonError](err); ok {
		return string(e.Reason)
	}
	if _, ok := errors.AsType[*usageError](err); ok || errors.Is(err, apply.ErrNoBlock) {
		return codeUsage
	}
	if _, ok := errors.AsType[*apply.OptionError](err); ok {
		return codeUsage
	}
	if _, ok := errors.AsType[*workspace.GlobError](err); ok {
		return codeUsage
	}
	if errors.Is(err, apply.ErrNoEdits) {
		return codeNoEdits
	}
	if errors.Is(err, context.Canceled) {
		return codeInterrupted
	}
	return codeIO
}

// clean is a text of several lines that is safe to show.
func clean(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(report.Clean(strings.TrimSuffix(line, "\n")))
		b.WriteByte('\n')
	}
	return b.String()
}
