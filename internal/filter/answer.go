package filter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/parser"
)

// Answer is one line of filter's output.
type Answer struct {
	Version int            `json:"version"`
	ID      jsontext.Value `json:"id"`
	Status  apply.Status   `json:"status"`
	// Outcome and Changed are for programs that score replies.
	Outcome apply.Outcome `json:"outcome"`
	Changed bool          `json:"changed"`
	// Form is the form of the request, or "" if it is unknown.
	Form Form `json:"form,omitempty"`
	// Content is absent, null if there is no such file, or text.
	Content    any               `json:"content,omitempty"`
	ContentB64 []byte            `json:"content_b64,omitempty"`
	Files      map[string]any    `json:"files,omitzero"`
	FilesB64   map[string][]byte `json:"files_b64,omitempty"`
	Diff       any               `json:"diff,omitempty"`
	DiffB64    []byte            `json:"diff_b64,omitempty"`
	Changes    []FileEdits       `json:"changes,omitzero"`
	// Feedback is the message for the model, if something was refused.
	Feedback    string              `json:"feedback,omitempty"`
	Blocks      []apply.BlockReport `json:"blocks"`
	Diagnostics []parser.Diagnostic `json:"diagnostics"`
	// MoreDiagnostics is the number of diagnostics that were left out.
	MoreDiagnostics int              `json:"more_diagnostics,omitempty"`
	Noticed         []parser.Noticed `json:"noticed,omitempty"`
	Error           *report.Error    `json:"error,omitempty"`
	// Line is the number of a line that isn't a request, 1-based.
	Line int `json:"line,omitempty"`
	// MS is absent with --no-ms, so that answers are the same each time.
	MS *float64 `json:"ms,omitempty"`
}

// FileEdits is a file that changes, and its changes.
type FileEdits struct {
	report.File
	Edits []TextEdit `json:"edits,omitempty"`
}

// TextEdit replaces some bytes of a file.
type TextEdit struct {
	// Start and End are byte offsets in the original file, End exclusive. Edits are in order and
	// don't touch.
	Start   int    `json:"start"`
	End     int    `json:"end"`
	Text    any    `json:"text,omitempty"`
	TextB64 []byte `json:"text_b64,omitempty"`
	// Range is the same place in the positions of the Language Server Protocol.
	Range apply.TextRange `json:"range"`
}

// The outcome that no plan has.
const (
	// outcomeError: the line isn't a request, or the request failed.
	outcomeError apply.Outcome = "error"
)

// maxDiagnostics is the greatest number of diagnostics in an answer. Without it, the answer to a
// reply of openers would be many times as long as the reply.
const maxDiagnostics = 100

// answer writes the answer to a line into the job's out. The engine promises not to panic, but if
// it does, a stream of a million requests must not end.
func (s *Stream) answer(ctx context.Context, j *job) {
	start := time.Now()
	r := new(Request)
	a := func() (a *Answer) {
		defer func() {
			if p := recover(); p != nil {
				j.stack = fmt.Appendf(nil, "panic: %v\n\n%s", p, debug.Stack())
				a = failed(fmt.Errorf(
					"srpatch failed: %v; please report it with the stack on stderr", p))
			}
		}()
		var err error
		if j.tooLong {
			r, err = sketch(j.line), &requestError{failure.TooLarge, fmt.Sprintf(
				"the line is longer than the limit of %d bytes; send less in a request", s.longest())}
		} else {
			r, err = s.decode(j.line)
		}
		if err != nil {
			a = failed(err)
			a.Line = j.number // requests have the same answer wherever they are
			return a
		}
		return s.plan(ctx, r)
	}()
	s.encode(a, r, j, start)
}

// failed returns the answer for a failed request. The code is that of a [requestError], or else the
// code of internal errors.
func failed(err error) *Answer {
	a := &Answer{Status: report.StatusError, Outcome: outcomeError}
	a.Error = &report.Error{Code: string(failure.Internal), Message: err.Error()}
	if e, ok := errors.AsType[*requestError](err); ok {
		a.Error.Code = string(e.code)
	}
	return a
}

// plan returns the answer to a valid request, without the fields that encode sets.
func (s *Stream) plan(ctx context.Context, r *Request) *Answer {
	reply := r.reply()
	if len(reply.Blocks)+len(reply.Diagnostics) == 0 {
		a := failed(&requestError{failure.NoEdits, "the reply has no edits"})
		a.Outcome, a.Noticed = apply.OutcomeFormat, reply.Noticed
		a.tellModel(r, reply, &apply.Plan{Status: apply.Refused})
		return a
	}
	if most := r.deadline(s); most > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, most,
			&requestError{failure.Deadline, fmt.Sprintf("the request took more than %v and was dropped", most)})
		defer cancel()
	}
	files := r.files()
	var tree apply.Tree = files
	if len(r.Expect) > 0 {
		tree = expecting{files, r.Expect}
	}
	plan, err := apply.New(tree, r.options(s)).Plan(ctx, reply)
	if errors.Is(err, context.DeadlineExceeded) {
		err = context.Cause(ctx)
	}
	if err != nil {
		return failed(err)
	}
	told := plan.Diagnostics[:min(len(plan.Diagnostics), maxDiagnostics)]
	a := &Answer{
		Status: plan.Status, Outcome: plan.Outcome(), Changed: plan.Changed(), Blocks: plan.Blocks,
		Diagnostics: told, MoreDiagnostics: len(plan.Diagnostics) - len(told), Noticed: reply.Noticed,
	}
	a.tellModel(r, reply, plan)
	a.tellFiles(r, plan, files)
	return a
}

// tellModel adds the message for the model, if the request wants it.
func (a *Answer) tellModel(r *Request, reply *parser.Reply, plan *apply.Plan) {
	if !r.Want.has(wantFeedback) {
		return
	}
	run := report.Run{
		Status: plan.Status, Blocks: plan.Blocks, Noticed: reply.Noticed,
		Located: report.Locate("", reply, r.Reply), Written: plan.Status == apply.Partial,
	}
	run.SetDiagnostics(plan.Diagnostics)
	a.Feedback = run.Message()
}

// tellFiles adds what the request wants to know about the files: contents, a diff, edits or hashes.
// files are the files before the change. If neither contents nor edits are wanted, tellFiles
// removes the places after the change from the blocks. If the plan is refused, it adds nothing.
func (a *Answer) tellFiles(r *Request, plan *apply.Plan, files apply.Files) {
	content, edits := r.Want.has(wantContent), r.Want.has(wantEdits)
	if !content && !edits {
		for i := range a.Blocks {
			a.Blocks[i].LinesAfter, a.Blocks[i].Edits = nil, nil
		}
	}
	if plan.Status == apply.Refused {
		return
	}
	switch {
	case content && r.single():
		a.setContent(plan, r.Path, files)
	case content:
		a.setFiles(plan)
	}
	if r.Want.has(wantDiff) {
		a.Diff, a.DiffB64 = asText(plan.Diff())
	}
	if !edits && !r.Want.has(wantHash) {
		return
	}
	changed := report.Files(plan.Files, func(_ string, text []byte) string { return hashOf(text) })
	a.Changes = []FileEdits{}
	for i := range plan.Files {
		c := &plan.Files[i]
		all := FileEdits{File: changed[i]}
		if edits && c.Action != apply.Delete {
			for _, e := range c.TextEdits() {
				edit := TextEdit{Start: e.Start, End: e.End, Range: e.Range}
				edit.Text, edit.TextB64 = asText(e.Text)
				all.Edits = append(all.Edits, edit)
			}
		}
		a.Changes = append(a.Changes, all)
	}
}

// setContent adds the content of the file at path after the change, which may have left it alone.
func (a *Answer) setContent(plan *apply.Plan, path string, files apply.Files) {
	content, there := files[path]
	for _, c := range plan.Files {
		if c.Path == path {
			content, there = c.After, c.Action != apply.Delete
		}
	}
	if !there {
		a.Content = jsontext.Value("null")
		return
	}
	a.Content, a.ContentB64 = asText(content)
}

// setFiles adds the files that change: their new contents, or null for deleted files and for the
// old names of moved ones.
func (a *Answer) setFiles(plan *apply.Plan) {
	a.Files = map[string]any{}
	for _, c := range plan.Files {
		if c.From != "" || c.Action == apply.Delete {
			a.Files[cmp.Or(c.From, c.Path)] = nil
		}
	}
	for _, c := range plan.Files { // after the loop above: a file may be put where another one was
		if c.Action == apply.Delete {
			continue
		}
		text, b64 := asText(c.After)
		if b64 == nil {
			a.Files[c.Path] = text
			continue
		}
		if a.FilesB64 == nil {
			a.FilesB64 = map[string][]byte{}
		}
		delete(a.Files, c.Path)
		a.FilesB64[c.Path] = b64
	}
}

// jsonText is UTF-8 text that is encoded without a copy as a Go string.
type jsonText []byte

func (t jsonText) MarshalText() ([]byte, error) { return t, nil }

// asText returns text as a JSON string, or as bytes if it isn't UTF-8.
func asText(b []byte) (text any, b64 []byte) {
	if utf8.Valid(b) {
		return jsonText(b), nil
	}
	return nil, b
}

// encode writes an answer into the job's out, as one line. It first sets the fields that are the
// same for all answers to the request, and the time since start.
func (s *Stream) encode(a *Answer, r *Request, j *job, start time.Time) {
	a.Version, a.ID, a.Form = 1, r.ID, r.form()
	if len(a.ID) == 0 {
		a.ID = jsontext.Value("null")
	}
	if a.Files == nil && !r.single() {
		a.Files = map[string]any{}
	}
	if !s.NoMS {
		ms := float64(time.Since(start).Microseconds()) / 1000
		a.MS = &ms
	}
	if err := json.MarshalWrite(&j.out, a, report.Options); err != nil {
		panic(err) // every field of an answer can be encoded
	}
	j.out.WriteByte('\n')
}
