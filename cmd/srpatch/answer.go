package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/parser"
)

// answer is one line of filter's output.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Status apply.Status    `json:"status"`
	// Content is absent, null for a file that is not there, or text.
	Content     any                 `json:"content,omitempty"`
	ContentB64  []byte              `json:"content_b64,omitempty"`
	Files       map[string]any      `json:"files,omitzero"`
	FilesB64    map[string][]byte   `json:"files_b64,omitempty"`
	Blocks      []apply.BlockReport `json:"blocks"`
	Diagnostics []render.Diagnostic `json:"diagnostics"`
	Noticed     []parser.Noticed    `json:"noticed,omitempty"`
	Error       *render.Error       `json:"error,omitempty"`
	MS          float64             `json:"ms"`
}

// filterer answers requests one after the other and keeps its buffers between them. It belongs to one goroutine.
type filterer struct {
	stream *stream
	req    request
	out    bytes.Buffer
}

// answer turns one line of input into one line of output, "\n" included. The result is valid until the next call.
func (f *filterer) answer(ctx context.Context, line []byte) (out []byte) {
	start := time.Now()
	defer func() {
		// The engine promises not to panic; a stream of a million requests must not end on the one where it does.
		if p := recover(); p != nil {
			f.req = request{ID: f.req.ID}
			out = f.encode(f.failure(fmt.Errorf("%v", p)), start)
		}
	}()
	err := f.req.decode(line)
	if err == nil {
		var a *answer
		if a, err = f.plan(ctx); err == nil {
			return f.encode(a, start)
		}
	}
	return f.encode(f.failure(err), start)
}

func (f *filterer) failure(err error) *answer {
	a := &answer{Status: render.StatusError, Error: &render.Error{Code: string(codeInternal), Message: err.Error()}}
	if e, ok := errors.AsType[*requestError](err); ok {
		a.Error.Code = string(e.code)
	}
	return a
}

func (f *filterer) plan(ctx context.Context) (*answer, error) {
	reply := f.req.reply()
	if len(reply.Blocks) == 0 && len(reply.Diagnostics) == 0 {
		return nil, &requestError{codeNoEdits, "the reply holds no edit"}
	}
	tree := f.req.tree()
	if most := f.deadline(); most > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, most, &requestError{codeDeadline, fmt.Sprintf("the request took more than %v; nothing of it is answered", most)})
		defer cancel()
	}
	plan, err := apply.New(tree, f.req.options(f.stream)).Plan(ctx, reply)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	a := &answer{Status: plan.Status, Blocks: plan.Blocks, Diagnostics: render.Diagnostics(plan.Diagnostics), Noticed: reply.Noticed}
	if !f.req.single() {
		a.setFiles(plan)
	} else if plan.Status != apply.Refused {
		a.setContent(plan, f.req.Path, tree)
	}
	return a, nil
}

// deadline is how long the request may take; 0 for any time.
func (f *filterer) deadline() time.Duration {
	if f.req.DeadlineMS > 0 {
		return time.Duration(f.req.DeadlineMS * float64(time.Millisecond))
	}
	return f.stream.timeout
}

// tooLong answers a line that is longer than what is read. Its id is not known.
func (f *filterer) tooLong() []byte {
	f.req.reset()
	return f.encode(f.failure(&requestError{codeTooLarge, fmt.Sprintf("the line is longer than the limit of %d bytes; raise it with --max-request", f.stream.maxRequest)}), time.Now())
}

// jsonText is UTF-8 text that is encoded without a detour over a string.
type jsonText []byte

func (t jsonText) MarshalText() ([]byte, error) { return t, nil }

func (a *answer) setContent(plan *apply.Plan, path string, tree apply.Files) {
	content, present := tree[path]
	for _, c := range plan.Files {
		if c.Path == path || c.From == path {
			content, present = c.After, c.Action != apply.Delete
		}
	}
	switch {
	case !present:
		a.Content = json.RawMessage("null")
	case utf8.Valid(content):
		a.Content = jsonText(content)
	default:
		a.ContentB64 = content
	}
}

func (a *answer) setFiles(plan *apply.Plan) {
	a.Files = map[string]any{}
	if plan.Status == apply.Refused {
		return
	}
	for _, c := range plan.Files {
		if c.From != "" && c.From != c.Path {
			a.Files[c.From] = nil
		}
		switch {
		case c.Action == apply.Delete:
			a.Files[c.Path] = nil
		case utf8.Valid(c.After):
			a.Files[c.Path] = jsonText(c.After)
		default:
			if a.FilesB64 == nil {
				a.FilesB64 = map[string][]byte{}
			}
			a.FilesB64[c.Path] = c.After
		}
	}
}

func (f *filterer) encode(a *answer, start time.Time) []byte {
	a.ID = f.req.ID
	if len(a.ID) == 0 {
		a.ID = json.RawMessage("null")
	}
	a.Blocks = render.Blocks(a.Blocks)
	if a.Diagnostics == nil {
		a.Diagnostics = []render.Diagnostic{}
	}
	a.MS = float64(time.Since(start).Microseconds()) / 1000
	if f.out.Cap() > keep {
		f.out = bytes.Buffer{}
	}
	f.out.Reset()
	enc := json.NewEncoder(&f.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		panic(err) // every field of an answer can be encoded
	}
	return f.out.Bytes()
}
