package main

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
	"unicode/utf8"

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
	// ending is done once interrupt has told the calls to end.
	ending    context.Context
	interrupt context.CancelFunc
	faults    io.Writer // gets the stacks of panics

	mu      sync.Mutex
	refused map[string][]byte // by tree: the reply that was refused last, as JSON
}

const instructions = `srpatch edits files by SEARCH/REPLACE blocks. The tool prompt says how to write them; apply writes all
edits of a reply or none, check only looks. Where an edit is refused, apply says what the file has there: send corrected
blocks for the refused edits only, with retry set to true.`

func newServer(c *config, dirs []string) (*server, error) {
	s := &server{config: c, dirs: dirs, faults: os.Stderr, refused: map[string][]byte{}}
	s.ending, s.interrupt = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: "srpatch-mcp", Title: "srpatch", Version: version.Current().Version},
		&mcp.ServerOptions{
			Instructions: instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	return s, s.addTools()
}

// result is what a tool has to say: report is for programs, words are for the model, and for
// people.
type result struct {
	report report.JSONWriter
	words  string
	failed bool // what was asked for was not done
}

// call is a call about a tree.
type call struct {
	*server
	dir string
}

// add adds a tool that is about a tree. failure is the report of a call that came to nothing; its
// type makes the schema of the tool's results.
func add[In interface{ tree() string }](
	s *server, tool *mcp.Tool, failure func(*report.Error) report.JSONWriter,
	do func(context.Context, *call, In) (result, error),
) (err error) {
	form := reflect.TypeOf(failure(nil)).Elem()
	if tool.OutputSchema, err = jsonschema.ForType(form, &jsonschema.ForOptions{}); err != nil {
		return err
	}
	mcp.AddTool(s.mcp, tool, func(
		ctx context.Context, req *mcp.CallToolRequest, in In,
	) (*mcp.CallToolResult, json.RawMessage, error) {
		s.calls.Add(1)
		defer s.calls.Done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ending, cancel)()
		roots, ask := s.rootsOf(req)
		if ask {
			return askForRoots(), nil, nil
		}
		r, err := on(ctx, s, req, roots, in, do)
		if err != nil {
			r = result{report: failure(wireError(err)), words: clean(diagnosis.Words(err)), failed: true}
		}
		return s.bounded(&r)
	})
	return nil
}

// on does what a call asks for in the tree that it is about. A panic ends the call alone.
func on[In interface{ tree() string }](
	ctx context.Context, s *server, req *mcp.CallToolRequest, roots []root, in In,
	do func(context.Context, *call, In) (result, error),
) (r result, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(s.faults, "srpatch-mcp: panic: %v\n\n%s", p, debug.Stack())
			r = result{}
			err = codef(codeInternal, "srpatch failed: %v; please report it with the stack on stderr", p)
		}
	}()
	if err := intact(req.Params.Arguments, in); err != nil {
		return result{}, err
	}
	dir, err := choose(roots, in.tree())
	if err != nil {
		return result{}, err
	}
	return do(ctx, &call{s, dir}, in)
}

// intact refuses arguments that were not Unicode when they came: U+FFFD stands for the bytes now,
// and would be written.
func intact(raw json.RawMessage, in any) error {
	now, err := json.Marshal(in)
	if err != nil {
		return err
	}
	count := func(text []byte) int {
		return bytes.Count(text, []byte("\uFFFD")) + bytes.Count(bytes.ToLower(text), []byte(`\ufffd`))
	}
	if count(now) > count(raw) {
		return codef(codeUsage, "an argument is not Unicode: half of a surrogate pair, or bytes that are not UTF-8")
	}
	return nil
}

// bounded is a result that is not larger than it may be: a quarter for the words, the rest for the
// report.
func (s *server) bounded(r *result) (*mcp.CallToolResult, json.RawMessage, error) {
	most := s.config.maxResult / 4
	text, err := s.fitted(r.report, s.config.maxResult-most)
	if err != nil {
		return nil, nil, err
	}
	words := &mcp.TextContent{Text: shortened(r.words, most)}
	return &mcp.CallToolResult{IsError: r.failed, Content: []mcp.Content{words}}, text, nil
}

// fitted is the report in at most so many bytes. Blocks that need no look go first, then the ends
// of long texts, then the second half of each list, again and again. A warning says so.
func (s *server) fitted(r report.JSONWriter, most int) (json.RawMessage, error) {
	for step := 0; ; step++ {
		var text bytes.Buffer
		if err := r.JSON(&text); err != nil || text.Len() <= most {
			return bytes.TrimSpace(text.Bytes()), err
		}
		short := func(texts ...*string) {
			for _, t := range texts {
				*t = shortened(*t, most/max(8, 4<<step))
			}
		}
		switch r := r.(type) {
		case *report.Run:
			shortRun(r, step, short)
		case *report.Turn:
			r.Warnings = leftOut(r.Warnings)
			r.Files = half(r.Files)
		case *report.Why:
			if r.Report == nil {
				break
			}
			r.Report.Warnings = leftOut(r.Report.Warnings)
			shortBlock(r.Report, short)
			r.Readings, r.Places = half(r.Readings), half(r.Places)
		}
		if step > 40 {
			return nil, codef(codeTooLarge, "the result has more than %d bytes", most)
		}
	}
}

func shortRun(r *report.Run, step int, short func(...*string)) {
	r.Warnings = leftOut(r.Warnings)
	if step == 0 {
		r.Blocks = slices.DeleteFunc(slices.Clone(r.Blocks), func(b apply.BlockReport) bool {
			return b.Status != apply.BlockFailed && len(b.Warnings) == 0
		})
		return
	}
	short(&r.Feedback)
	for i := range r.Blocks {
		shortBlock(&r.Blocks[i], short)
	}
	for i := range r.Diagnostics {
		short(&r.Diagnostics[i].Found, &r.Diagnostics[i].Expected, &r.Diagnostics[i].Remedy)
	}
	if step > 2 {
		r.Blocks, r.Files, r.Diagnostics, r.Noticed = half(r.Blocks), half(r.Files), half(r.Diagnostics), half(r.Noticed)
	}
}

// shortBlock shortens what is long in a block's report. A block to paste is there as a whole or
// not.
func shortBlock(b *apply.BlockReport, short func(...*string)) {
	b.Edits, b.Corrected = nil, half(b.Corrected)
	short(&b.Message)
	if b.Nearest != nil {
		n := *b.Nearest
		n.Before, n.After = "", ""
		short(&n.Text)
		b.Nearest = &n
	}
}

// leftOut adds a warning that parts of the result are missing, and keeps few of the others.
func leftOut(warnings []string) []string {
	const says = "parts of the result are missing, as it is too large"
	return append(slices.Clip(warnings[:min(len(warnings), 4)]), warning.LeftOut.Say(says))[:min(len(warnings)+1, 5)]
}

func half[T any](list []T) []T { return list[:len(list)/2] }

// shortened is a text of at most so many bytes, which ends in a remark about what is left out.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const room = 60 // for the remark
	kept := text[:max(0, most-room)]
	if i := strings.LastIndexByte(kept, '\n'); i > len(kept)/2 {
		kept = kept[:i+1]
	}
	for len(kept) > 0 && !utf8.RuneStart(text[len(kept)]) {
		kept = kept[:len(kept)-1]
	}
	return fmt.Sprintf("%s[%d more bytes are left out here]\n", kept, len(text)-len(kept))
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

// wireError is the wire form of an error.
func wireError(err error) *report.Error {
	code := codeIO
	_, badOption := errors.AsType[*apply.OptionError](err)
	_, badGlob := errors.AsType[*workspace.GlobError](err)
	if e, ok := errors.AsType[*coded](err); ok {
		code = e.code
	} else if e, ok := errors.AsType[*apply.ReasonError](err); ok {
		code = string(e.Reason)
	} else if badOption || badGlob || errors.Is(err, apply.ErrNoBlock) {
		code = codeUsage
	} else if errors.Is(err, apply.ErrNoEdits) {
		code = codeNoEdits
	} else if errors.Is(err, context.Canceled) {
		code = codeInterrupted
	}
	return &report.Error{Code: cmp.Or(code, codeIO), Message: diagnosis.Words(err)}
}

// clean is a text of several lines that is safe to show.
func clean(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(report.Clean(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}
