package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"runtime/debug"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/parser"
)

// answer is one line of filter's output.
type answer struct {
	Version int             `json:"version"`
	ID      json.RawMessage `json:"id"`
	Status  apply.Status    `json:"status"`
	// Outcome and Changed are for whoever scores replies.
	Outcome apply.Outcome `json:"outcome"`
	Changed bool          `json:"changed"`
	// Form is which of the forms the request has; "" where that is not known.
	Form requestForm `json:"form,omitempty"`
	// Content is absent, null for a file that is not there, or text.
	Content     any                 `json:"content,omitempty"`
	ContentB64  []byte              `json:"content_b64,omitempty"`
	Files       map[string]any      `json:"files,omitzero"`
	FilesB64    map[string][]byte   `json:"files_b64,omitempty"`
	Diff        any                 `json:"diff,omitempty"`
	DiffB64     []byte              `json:"diff_b64,omitempty"`
	Changes     []fileEdits         `json:"changes,omitzero"`
	Blocks      []apply.BlockReport `json:"blocks"`
	Diagnostics []parser.Diagnostic `json:"diagnostics"`
	// MoreDiagnostics counts those that are left out.
	MoreDiagnostics int              `json:"more_diagnostics,omitempty"`
	Noticed         []parser.Noticed `json:"noticed,omitempty"`
	Error           *report.Error    `json:"error,omitempty"`
	// Line is the number of the line in the input, from 1, for lines that are no request.
	Line int `json:"line,omitempty"`
	// MS is absent where answers are to be the same each time.
	MS *float64 `json:"ms,omitempty"`
}

// An outcome besides those of plans.
const (
	// outcomeError: the line is no request, or the request came to no plan; of a reply without any edit the outcome is `format`.
	outcomeError apply.Outcome = "error"
)

var jsonNull = json.RawMessage("null")

// filterer answers requests one after the other and keeps its buffers between them. It belongs to one goroutine.
type filterer struct {
	stream  *stream
	decoder decoder
	req     request
	out     bytes.Buffer
	number  int    // of the line, from 1
	stack   []byte // of the panic that the last answer is about
}

func newFilterer(s *stream) *filterer {
	const buffers = 7 // of a request, and the answer's
	return &filterer{stream: s, decoder: decoder{newRequestKeys(), s.defaults, keepWork / buffers / s.workers}}
}

// answer turns one line of input into one line of output, "\n" included. The result is valid until the next call.
func (f *filterer) answer(ctx context.Context, line []byte) (out []byte) {
	start := time.Now()
	defer f.survive(start, &out)
	if err := f.decoder.decode(&f.req, line); err != nil {
		return f.encode(f.noRequest(err), start)
	}
	a, err := f.plan(ctx)
	if err != nil {
		a = f.failure(err)
	}
	return f.encode(a, start)
}

// survive makes a panic the answer to the request. The engine promises not to panic, but a stream of a million requests must not end if it does.
func (f *filterer) survive(start time.Time, out *[]byte) {
	p := recover()
	if p == nil {
		return
	}
	stack, number, id := debug.Stack(), f.number, f.req.ID
	*f = *newFilterer(f.stream) // the buffers may be half written
	f.number, f.req.ID, f.stack = number, id, fmt.Appendf(nil, "panic: %v\n\n%s", p, stack)
	*out = f.encode(f.failure(fmt.Errorf("srpatch failed: %v; please report it with the stack on stderr", p)), start)
}

// rest gives memory back that is not to be held until the next request.
func (f *filterer) rest() {
	f.req.reset(f.decoder.keep)
	if f.out.Cap() > f.decoder.keep {
		f.out = bytes.Buffer{}
	}
}

// noRequest answers a line that is no request. It is known by its number; requests have the same answer wherever they stand.
func (f *filterer) noRequest(err error) *answer {
	a := f.failure(err)
	a.Line = f.number
	return a
}

func (f *filterer) failure(err error) *answer {
	a := &answer{Status: report.StatusError, Outcome: outcomeError, Error: &report.Error{Code: string(codeInternal), Message: remedy.Words(err)}}
	if e, ok := errors.AsType[*requestError](err); ok {
		a.Error.Code = string(e.code)
		if e.code == codeNoEdits {
			a.Outcome = apply.OutcomeFormat
		}
	}
	return a
}

func (f *filterer) plan(ctx context.Context) (*answer, error) {
	reply := f.req.reply()
	if len(reply.Blocks) == 0 && len(reply.Diagnostics) == 0 {
		return nil, &requestError{codeNoEdits, "the reply has no edit"}
	}
	tree := f.req.tree()
	if most := f.deadline(); most > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, most, &requestError{codeDeadline, fmt.Sprintf("the request took more than %v and was dropped", most)})
		defer cancel()
	}
	plan, err := apply.New(tree, f.req.options(f.stream)).Plan(ctx, reply)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	told := plan.Diagnostics[:min(len(plan.Diagnostics), maxDiagnostics)]
	a := &answer{
		Status: plan.Status, Outcome: plan.Outcome(), Changed: plan.Changed(),
		Blocks: plan.Blocks, Diagnostics: told, MoreDiagnostics: len(plan.Diagnostics) - len(told), Noticed: reply.Noticed,
	}
	a.tellFiles(&f.req, plan, tree)
	return a, nil
}

// maxDiagnostics is how many diagnostics an answer has: of a reply of openers alone it would be many times as long.
const maxDiagnostics = 100

// deadline is how long the request may take; 0 for any time.
func (f *filterer) deadline() time.Duration {
	if f.req.DeadlineMS > 0 {
		return time.Duration(f.req.DeadlineMS * float64(time.Millisecond))
	}
	return f.stream.timeout
}

// tooLong answers a line that is longer than what is read, by its beginning.
func (f *filterer) tooLong(beginning []byte) (out []byte) {
	defer f.survive(time.Now(), &out)
	f.decoder.decode(&f.req, beginning)
	f.req = request{ID: f.req.ID}
	return f.encode(f.noRequest(&requestError{codeTooLarge, fmt.Sprintf("the line is longer than the limit of %d bytes; send less in a request", f.stream.maxRequest)}), time.Now())
}

func (f *filterer) encode(a *answer, start time.Time) []byte {
	a.Version, a.Form = 1, f.req.form()
	if a.ID = f.req.ID; len(a.ID) == 0 {
		a.ID = jsonNull
	}
	a.Blocks = report.Blocks(a.Blocks)
	if a.Diagnostics == nil {
		a.Diagnostics = []parser.Diagnostic{}
	}
	if !f.stream.noMS {
		ms := float64(time.Since(start).Microseconds()) / 1000
		a.MS = &ms
	}
	f.out.Reset()
	enc := json.NewEncoder(&f.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		panic(err) // every field of an answer can be encoded
	}
	return f.out.Bytes()
}
