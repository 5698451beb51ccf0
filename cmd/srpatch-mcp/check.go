package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/remedy"
	"github.com/srpatch/srpatch/parser"
)

// rooted is the argument that says which tree a call is about.
type rooted struct {
	Root string `json:"root,omitempty" jsonschema:"the tree to work in: the path, file URI or name of a root of the client; may be left out where there is one"`
}

func (r rooted) tree() string { return r.Root }

type checkArguments struct {
	Reply string `json:"reply" jsonschema:"the edits, as SEARCH/REPLACE blocks each below the path of its file; prose between them does not matter"`
	rooted
}

func (s *server) addCheck() error {
	return addTool(s, &mcp.Tool{
		Name: "check", Title: "Check edits",
		Description: "Say where each edit of a reply would go and which would be refused, with what the file has there. Nothing is written.",
		Annotations: looks("Check edits"),
	}, treeTool[checkArguments]{"run", check, failedRun})
}

// looks are the annotations of a tool that changes nothing.
func looks(title string) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false)}
}

// failedRun is the result of a run that came to no plan.
func failedRun(err *report.Error) result {
	return result{report: &report.Run{Status: report.StatusError, Error: err}}
}

func check(ctx context.Context, c *call, in checkArguments) (result, error) {
	reply, err := c.edits([]byte(in.Reply))
	if err != nil {
		return result{}, err
	}
	w, err := workspace.Open(c.dir, c.optionsFor([]byte(in.Reply)))
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	plan, err := c.planned(ctx, w, func(ctx context.Context, e *apply.Engine) (*apply.Plan, error) { return e.Plan(ctx, reply) })
	if err != nil {
		return result{}, err
	}
	report.NotWritten(plan.Blocks)
	r := runOf(plan, reply.Noticed, w)
	r.Looking, r.Located = "check", report.Locate("", reply, []byte(in.Reply))
	r.SetDiagnostics(plan.Diagnostics)
	r.Feedback = r.Message()
	return result{report: r, words: reported(r), shorten: shortRun(r)}, nil
}

// read parses a reply.
func (c *call) read(text []byte) (*parser.Reply, error) {
	if int64(len(text)) > c.config.maxReply {
		return nil, codef(codeTooLarge, "the reply has more than %d bytes", c.config.maxReply)
	}
	return parser.Parse(text, parser.WithMaxBlocks(maxBlocks)), nil
}

// edits parses a reply, and refuses one without edits.
func (c *call) edits(text []byte) (*parser.Reply, error) {
	reply, err := c.read(text)
	if err == nil {
		err = needEdits(reply)
	}
	return reply, err
}

// needEdits refuses a reply without edits.
func needEdits(reply *parser.Reply) error {
	if len(reply.Blocks)+len(reply.Diagnostics) > 0 {
		return nil
	}
	says := "the reply has no edit"
	if len(reply.Noticed) > 0 {
		says += "; ignored: " + report.Ignored(reply.Noticed)
	}
	return codef(codeNoEdits, "%s; the tool prompt says how to write edits", says)
}

// planned makes a plan on a workspace, in the time that a run may take.
func (c *call) planned(ctx context.Context, w *workspace.Workspace, plan func(context.Context, *apply.Engine) (*apply.Plan, error)) (*apply.Plan, error) {
	if limit := c.config.timeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, codef(codeTimeout, "finding the places took more than %v; nothing was written", limit))
		defer cancel()
	}
	p, err := plan(ctx, c.engine(w))
	if errors.Is(err, context.DeadlineExceeded) {
		err = context.Cause(ctx)
	}
	return p, err
}

// engine is one on a workspace.
func (c *call) engine(w *workspace.Workspace) *apply.Engine {
	opt := c.config.engineOptions(w)
	opt.Progress = c.progress.of(0, "finding the places")
	return apply.New(w, opt)
}

// runOf is a plan as it is reported.
func runOf(plan *apply.Plan, noticed []parser.Noticed, w *workspace.Workspace) *report.Run {
	remedy.Blocks(plan.Blocks)
	r := &report.Run{Status: plan.Status, Blocks: plan.Blocks, Noticed: noticed, Files: report.Files(plan.Files, w.Sum)}
	r.SetDiagnostics(plan.Diagnostics)
	return r
}

// maxListed is how many blocks have a line each in the words about a run, besides those that are refused.
const maxListed = 20

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

// begin opens a workspace to write in, and says which interrupted runs were finished for that.
func (c *call) begin(ctx context.Context, opt workspace.Options) (w *workspace.Workspace, warnings []string, err error) {
	if w, err = workspace.Open(c.dir, opt); err != nil {
		return nil, nil, err
	}
	done, err := w.Begin(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	return w, recovered(done), nil
}

// recovered says which interrupted runs were finished before this one.
func recovered(done []workspace.Recovery) (warnings []string) {
	for _, r := range done {
		switch {
		case r.Err != nil:
			warnings = append(warnings, fmt.Sprintf("run %s was interrupted, and is left as it is: %v", r.Run, r.Err))
		case len(r.Completed) > 0:
			warnings = append(warnings, fmt.Sprintf("run %s was interrupted after its last file, and is complete now", r.Run))
		default:
			warnings = append(warnings, fmt.Sprintf("run %s was interrupted; its files are as before it", r.Run))
		}
	}
	return warnings
}
