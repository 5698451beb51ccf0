package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/retry"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/lesson"
	"github.com/srpatch/srpatch/parser"
)

const (
	maxReply   = 8 << 20 // bytes, with the answers to it
	maxBlocks  = 10_000
	maxAnswers = 20
	maxListed  = 20 // more blocks than that get no line each, unless they are refused
)

// rooted is the argument that says which tree a call is about.
type rooted struct {
	Root string `json:"root,omitempty" jsonschema:"path, file URI or name of one of the client's roots; optional if there is only one"`
}

func (r rooted) tree() string { return r.Root }

type checkArguments struct {
	Reply string `json:"reply" jsonschema:"SEARCH/REPLACE blocks, each below the path of its file; prose between them is ignored"`
	rooted
}

type applyArguments struct {
	checkArguments
	Retry bool `json:"retry,omitempty" jsonschema:"the reply corrects the last refused one: its blocks replace the refused ones, and all are applied together"`
}

type undoArguments struct {
	Run   string   `json:"run,omitempty" jsonschema:"the run to undo, as apply named it; the latest if omitted"`
	Paths []string `json:"paths,omitempty" jsonschema:"undo the run in these files only"`
	Merge bool     `json:"merge,omitempty" jsonschema:"in files that have changed since, remove the run's changes and keep the later ones"`
	rooted
}

type whyArguments struct {
	Block int    `json:"block" jsonschema:"the number of the block, as in reports"`
	Reply string `json:"reply,omitempty" jsonschema:"the reply with the block; if omitted, the last one that apply refused, with its corrections"`
	rooted
}

type promptArguments struct {
	Format string `json:"format,omitempty" jsonschema:"the format to teach instead of SEARCH/REPLACE blocks"`
}

// addTools adds the tools, without those that write if the server is read-only.
func (s *server) addTools() error {
	looks := func(title string) *mcp.ToolAnnotations {
		return &mcp.ToolAnnotations{
			Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false),
		}
	}
	failedRun := func(err *report.Error) report.JSONWriter { return &report.Run{Status: report.StatusError, Error: err} }
	errs := []error{
		add(s, &mcp.Tool{
			Name: "check", Title: "Check edits", Annotations: looks("Check edits"),
			Description: "Show where each edit would go and which would be refused, with the text of the file there. " +
				"Writes nothing.",
		}, failedRun, check),
		add(s, &mcp.Tool{
			Name: "why", Title: "Explain an edit", Annotations: looks("Explain an edit"),
			Description: "Explain how one block was placed or refused: compare it line by line with similar places, and " +
				"say what speaks against each. Writes nothing.",
		}, func(err *report.Error) report.JSONWriter { return &report.Why{Error: err} }, why),
		s.addPrompt(looks("How to write edits")),
	}
	if !s.config.readOnly {
		errs = append(errs, add(s, &mcp.Tool{
			Name: "apply", Title: "Apply edits",
			Description: "Apply all edits of a reply, or none. If one is refused, the result says why and shows the text of " +
				"the file; send corrected blocks for the refused edits only, with retry. Applying an edit twice changes nothing.",
			// Undo brings back what a run removes or overwrites, but a host should ask as for any
			// edit.
			Annotations: &mcp.ToolAnnotations{
				Title: "Apply edits", IdempotentHint: true, DestructiveHint: new(true), OpenWorldHint: new(false),
			},
		}, failedRun, applyReply), add(s, &mcp.Tool{
			Name: "undo", Title: "Take a run back",
			Description: "Undo a run of apply or of the srpatch command. If a file has changed since, nothing is undone, and " +
				"the file is named.",
			// Without the name of a run, each call takes another one back.
			Annotations: &mcp.ToolAnnotations{Title: "Take a run back", DestructiveHint: new(true), OpenWorldHint: new(false)},
		}, func(err *report.Error) report.JSONWriter {
			return &report.Turn{Kind: string(workspace.KindUndo), Status: report.StatusError, Error: err}
		}, undo))
	}
	return errors.Join(errs...)
}

func (s *server) addPrompt(annotations *mcp.ToolAnnotations) error {
	schema, err := jsonschema.For[promptArguments](nil)
	if err != nil {
		return err
	}
	for _, format := range lesson.Formats() {
		schema.Properties["format"].Enum = append(schema.Properties["format"].Enum, format)
	}
	mcp.AddTool(s.mcp, &mcp.Tool{
		Name: "prompt", Title: "How to write edits", Annotations: annotations, InputSchema: schema,
		Description: "Explain how to write edits for check and apply.",
	}, func(_ context.Context, _ *mcp.CallToolRequest, in promptArguments) (*mcp.CallToolResult, any, error) {
		text, err := lesson.In(in.Format)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
	return nil
}

func check(ctx context.Context, c *call, in checkArguments) (result, error) {
	text := []byte(in.Reply)
	reply, err := c.parse(text, true)
	if err != nil {
		return result{}, err
	}
	w, err := workspace.Open(c.dir, c.optionsFor(sumOf(text)))
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	plan, err := c.planned(ctx, w, func(ctx context.Context, e *apply.Engine) (*apply.Plan, error) {
		return e.Plan(ctx, reply)
	})
	if err != nil {
		return result{}, err
	}
	report.NotWritten(plan.Blocks)
	r := runOf(plan, reply.Noticed, w)
	r.Looking, r.Located = "check", report.Locate("", reply, text)
	r.SetDiagnostics(plan.Diagnostics)
	r.Feedback = r.Message()
	return result{report: r, words: reported(r)}, nil
}

// applyReply is the tool apply.
func applyReply(ctx context.Context, c *call, in applyArguments) (result, error) {
	reply, err := c.parse([]byte(in.Reply), !in.Retry)
	if err != nil {
		return result{}, err
	}
	all, err := c.answered(reply, in)
	if err != nil {
		return result{}, err
	}
	w, warnings, err := c.begin(ctx, c.optionsFor(all.Sums...))
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	plan, err := c.planned(ctx, w, all.Reply.Plan)
	if err != nil {
		return result{}, err
	}
	r := runOf(plan, reply.Noticed, w)
	r.Warnings = warnings
	if plan.Status == apply.Refused {
		return refused(r, all.Reply.Feedback()), c.remember(all)
	}
	if r.Run, err = w.Commit(ctx, plan); err != nil {
		report.NotWritten(r.Blocks)
		r.Run, r.Files, r.Status, r.Error = "", nil, report.StatusError, wireError(err)
		return result{report: r, words: told(warnings) + clean(diagnosis.Words(err)), failed: true}, nil
	}
	if c.remembered() != nil && !in.Retry {
		r.Warnings = append(r.Warnings,
			"the refused reply before this one was not retried: nothing of it is written, and it is forgotten")
	}
	c.forget()
	r.Written = true
	words := told(r.Warnings) + reported(r)
	if r.Run != "" {
		words += fmt.Sprintf("This is run %s; the tool undo takes it back.\n", report.Clean(r.Run))
	}
	return result{report: r, words: words}, nil
}

// refused is the result of a run that wrote nothing. feedback is for the model; "" if there is
// nothing that it can do.
func refused(r *report.Run, feedback string) result {
	report.NotWritten(r.Blocks)
	words := feedback
	if words == "" {
		words = reported(r)
	} else {
		words += "\nSend them with the tool apply, with retry set to true.\n"
		r.Feedback = words
	}
	return result{report: r, words: told(r.Warnings) + words, failed: true}
}

func undo(ctx context.Context, c *call, in undoArguments) (result, error) {
	w, warnings, err := c.begin(ctx, c.config.undoOptions())
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	t := &report.Turn{Kind: string(workspace.KindUndo), Status: apply.Applied, Warnings: warnings}
	if t.Run, err = w.Undo(ctx, in.Run, workspace.UndoOptions{Paths: in.Paths, Merge: in.Merge}); err != nil {
		return result{}, err
	}
	if t.Run == "" {
		return result{report: t, words: told(warnings) + "The merge changes nothing; nothing was written.\n"}, nil
	}
	var words strings.Builder
	words.WriteString(told(warnings))
	// What cannot be read of the log now is missing in the report, and nowhere else.
	if runs, err := w.Log(); err == nil && len(runs) > 0 && runs[0].ID == t.Run {
		t.Of = runs[0].Of
		for _, f := range runs[0].Files {
			t.Files = append(t.Files, report.FileOf(f.Path, f.From, f.Action, f.Before, f.After))
			fmt.Fprintf(&words, "%s  %s\n", report.Clean(f.Path), report.Became(f.Action))
		}
	}
	fmt.Fprintf(&words, "Run %s takes back run %s.\n", report.Clean(t.Run), report.Clean(t.Of))
	return result{report: t, words: words.String()}, nil
}

func why(ctx context.Context, c *call, in whyArguments) (result, error) {
	reply, err := c.recalled()
	if in.Reply != "" {
		var parsed *parser.Reply
		if parsed, err = c.parse([]byte(in.Reply), true); err != nil {
			return result{}, err
		}
		reply = begun(parsed, []byte(in.Reply))
	}
	switch {
	case err != nil:
		return result{}, err
	case reply == nil:
		return result{}, codef(codeNothingToRetry, "no refused reply is remembered for this tree: give the reply with the block")
	}
	w, err := workspace.Open(c.dir, c.optionsFor(reply.Sums...))
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	var judged *apply.Why
	if _, err = c.planned(ctx, w, func(ctx context.Context, e *apply.Engine) (*apply.Plan, error) {
		judged, err = reply.Reply.Why(ctx, e, in.Block)
		return nil, err
	}); err != nil {
		return result{}, err
	}
	var words bytes.Buffer
	report.Printer{W: &words}.Why(judged, report.Normal)
	return result{report: report.WhyOf(judged), words: words.String()}, nil
}

// parse parses a reply. Where edits are needed, a reply without any is refused.
func (c *call) parse(text []byte, needed bool) (*parser.Reply, error) {
	if len(text) > maxReply {
		return nil, codef(codeTooLarge, "the reply has more than %d bytes", maxReply)
	}
	reply := parser.Parse(text, parser.WithMaxBlocks(maxBlocks))
	if needed && len(reply.Blocks)+len(reply.Diagnostics) == 0 {
		return nil, noEdits(reply)
	}
	return reply, nil
}

func noEdits(reply *parser.Reply) error {
	says := "the reply has no edit"
	if len(reply.Noticed) > 0 {
		says += "; ignored: " + report.Ignored(reply.Noticed)
	}
	return codef(codeNoEdits, "%s; the tool prompt says how to write edits", says)
}

// refusedReply is a reply on its way, with what it was read from.
type refusedReply struct {
	Reply *retry.Reply
	Sums  []string // hashes of the reply and the answers to it
	Size  int      // of all of them
}

// begun is a reply without an answer.
func begun(reply *parser.Reply, text []byte) *refusedReply {
	return &refusedReply{retry.From(reply, report.Locate("", reply, text)), []string{sumOf(text)}, len(text)}
}

// remembered is the reply that was refused last in the tree, as JSON. It lasts as long as the
// server.
func (c *call) remembered() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused[c.dir]
}

// recalled decodes the remembered reply; nil if there is none.
func (c *call) recalled() (r *refusedReply, err error) {
	if text := c.remembered(); text != nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

// remember keeps a refused reply.
func (c *call) remember(r *refusedReply) error {
	text, err := json.Marshal(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused[c.dir] = text
	return err
}

func (c *call) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.refused, c.dir)
}

// answered is the reply of a call, joined with what it answers.
func (c *call) answered(reply *parser.Reply, in applyArguments) (*refusedReply, error) {
	text := []byte(in.Reply)
	if !in.Retry {
		return begun(reply, text), nil
	}
	r, err := c.recalled()
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, codef(codeNothingToRetry,
			"no refused reply is remembered for this tree: send all of its blocks, without retry")
	}
	if r.Size += len(text); len(r.Sums) >= maxAnswers || r.Size > maxReply {
		return nil, codef(codeTooLarge,
			"the refused reply has too many answers: send all of its blocks, corrected, without retry")
	}
	r.Sums = append(r.Sums, sumOf(text))
	if _, err = r.Reply.Join("", reply, text); err != nil {
		return nil, noEdits(reply)
	}
	return r, nil
}

// sumOf is the hash of a reply.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// optionsFor are the workspace's options for a reply and its answers, given their hashes: a second
// run of them is recognised by these.
func (c *call) optionsFor(sums ...string) workspace.Options {
	opt := c.config.workspaceOptions()
	opt.Replies = sums
	return opt
}

// planned makes a plan on a workspace, in the time that a run may take.
func (c *call) planned(
	ctx context.Context, w *workspace.Workspace, plan func(context.Context, *apply.Engine) (*apply.Plan, error),
) (*apply.Plan, error) {
	if limit := c.config.timeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit,
			codef(codeTimeout, "finding the places took more than %v; nothing was written", limit))
		defer cancel()
	}
	p, err := plan(ctx, apply.New(w, c.config.engineOptions(w)))
	if errors.Is(err, context.DeadlineExceeded) {
		err = context.Cause(ctx)
	}
	return p, err
}

// begin opens a workspace to write in, and says which interrupted runs were finished for that.
func (c *call) begin(
	ctx context.Context, opt workspace.Options,
) (w *workspace.Workspace, warnings []string, err error) {
	if w, err = workspace.Open(c.dir, opt); err != nil {
		return nil, nil, err
	}
	done, err := w.Begin(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	for _, r := range done {
		says := "its files are as before it"
		switch {
		case r.Err != nil:
			says = fmt.Sprintf("it is left as it is: %v", r.Err)
		case len(r.Completed) > 0:
			says = "it is complete now"
		}
		warnings = append(warnings, fmt.Sprintf("run %s was interrupted; %s", r.Run, says))
	}
	return w, warnings, nil
}

// runOf is a plan as it is reported.
func runOf(plan *apply.Plan, noticed []parser.Noticed, w *workspace.Workspace) *report.Run {
	for i := range plan.Blocks {
		plan.Blocks[i].Message = diagnosis.InFlags(plan.Blocks[i].Message)
	}
	r := &report.Run{Status: plan.Status, Blocks: plan.Blocks, Noticed: noticed, Files: report.Files(plan.Files, w.Sum)}
	r.SetDiagnostics(plan.Diagnostics)
	return r
}

// reported is a run in words.
func reported(r *report.Run) string {
	var b bytes.Buffer
	detail := report.Normal
	if len(r.Blocks) > maxListed {
		detail = report.Brief
	}
	r.Text(report.Printer{W: &b}, report.Printer{W: &b}, detail)
	return b.String()
}

// told lists warnings, one per line.
func told(warnings []string) string {
	var b strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(&b, "warning: %s\n", report.Clean(w))
	}
	return b.String()
}
