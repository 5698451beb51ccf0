package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/retry"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/lesson"
	"github.com/srpatch/srpatch/internal/suggest"
	"github.com/srpatch/srpatch/parser"
)

const (
	maxReply  = 8 << 20 // bytes, with the answers to it
	maxBlocks = 10_000
	maxListed = 20 // more blocks than that get no line each, unless they are refused
)

// rooted is the argument that says which tree a call is about.
type rooted struct {
	Root string `json:"root,omitempty" jsonschema:"path, URI or name of a root, if there are several"`
}

func (r rooted) tree() string { return r.Root }

type checkArguments struct {
	Reply string `json:"reply" jsonschema:"SEARCH/REPLACE blocks, each below the path of its file"`
	rooted
}

type applyArguments struct {
	checkArguments
	Retry bool `json:"retry,omitempty" jsonschema:"the blocks of this reply replace the refused ones of the last"`
}

type undoArguments struct {
	Run   string   `json:"run,omitempty" jsonschema:"the run, as apply named it; or the latest"`
	Paths []string `json:"paths,omitempty" jsonschema:"undo the run in these files only"`
	Merge bool     `json:"merge,omitempty" jsonschema:"keep changes of the files that were made since"`
	rooted
}

type whyArguments struct {
	Block int    `json:"block" jsonschema:"the number of the block, as in reports"`
	Reply string `json:"reply,omitempty" jsonschema:"its reply; or else the last refused one"`
	rooted
}

type promptArguments struct {
	Format string `json:"format,omitempty" jsonschema:"the format, if not SEARCH/REPLACE blocks"`
}

// addTools adds the tools, without those that write if the server is read-only.
func (s *server) addTools() {
	tool := func(name, title, description string) *mcp.Tool {
		doesWrite := name == "apply" || name == "undo"
		// Undo restores what apply overwrites, but a host should ask as for any edit. Without the
		// name of a run, each call of undo undoes another one.
		hints := &mcp.ToolAnnotations{
			Title: title, ReadOnlyHint: !doesWrite, DestructiveHint: new(doesWrite), OpenWorldHint: new(false),
			IdempotentHint: name != "undo",
		}
		return &mcp.Tool{Name: name, Title: title, Description: description, Annotations: hints}
	}
	run := func(err *report.Error) any { return &report.Run{Status: report.StatusError, Error: err} }
	turn := func(err *report.Error) any {
		return &report.Turn{Kind: string(workspace.KindUndo), Status: report.StatusError, Error: err}
	}
	add(s, tool("check", "Check edits", "Show where each edit would go and which would be "+
		"refused, with the text of the file there. Writes nothing."), run,
		func(ctx context.Context, c *call, in checkArguments) (result, error) {
			return c.run(ctx, in.Reply, false /* answer */, false /* write */)
		})
	add(s, tool("why", "Explain an edit", "Explain how one block was placed or why it was "+
		"refused: compare it with similar places, and list the objections. Writes nothing."),
		func(err *report.Error) any { return &report.Why{Error: err} }, why)
	if !s.config.readOnly {
		add(s, tool("apply", "Apply edits", "Apply all edits of a reply, or none. If one is "+
			"refused, the result says why and shows the text of the file; send corrected blocks for the refused edits "+
			"only, with retry. Applying an edit twice changes nothing."), run,
			func(ctx context.Context, c *call, in applyArguments) (result, error) {
				return c.run(ctx, in.Reply, in.Retry, true /* write */)
			})
		add(s, tool("undo", "Undo a run", "Undo a run of apply or of the srpatch command. If a "+
			"file has changed since, nothing is undone, and the file is named."), turn, undo)
	}
	mcp.AddTool(s.mcp, tool("prompt", "How to write edits", "Explain how to write edits for apply, "+
		"in SEARCH/REPLACE blocks or in the format "+suggest.Or(lesson.Formats())+"."), teach)
}

// teach carries out the tool prompt, which is about no tree.
func teach(
	_ context.Context, _ *mcp.CallToolRequest, in promptArguments,
) (*mcp.CallToolResult, any, error) {
	if err := suggest.OneOf(in.Format, lesson.Formats()); err != nil {
		return nil, nil, fmt.Errorf("format: %w", err)
	}
	text, err := lesson.In(in.Format)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, err
}

// run checks a reply or, if write is set, applies it. text is the reply. If answer is set, it's an
// answer to the refused reply before it, and joined with that. If some edit is refused, run writes
// nothing, and remembers the reply for the next answer. The result has failed then, but there is no
// error.
func (c *call) run(ctx context.Context, text string, answer, write bool) (result, error) {
	all, err := c.read(text, answer)
	if err != nil {
		return result{}, err
	}
	w, warnings, err := c.open(ctx, write, all.Sums...)
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	r, plan, err := c.placed(ctx, w, all)
	if err != nil {
		return result{}, err
	}
	r.Warnings = warnings
	switch {
	case !write:
		report.NotWritten(r.Blocks)
		r.Looking = "check"
		r.Feedback = r.Message()
		return result{report: r, words: reported(r)}, nil
	case plan.Status == apply.Refused:
		kept, err := json.Marshal(all)
		c.refused.Store(c.dir, kept)
		report.NotWritten(r.Blocks)
		says := reported(r)
		if r.Feedback = all.Reply.Feedback(); r.Feedback != "" { // else the model can do nothing
			r.Feedback += "\nSend them with the tool apply, with retry set to true.\n"
			says = r.Feedback
		}
		return result{report: r, words: told(warnings) + says, failed: true}, err
	}
	if r.Run, err = w.Commit(ctx, plan); err != nil {
		return result{}, err
	}
	if _, left := c.refused.LoadAndDelete(c.dir); left && !answer {
		r.Warnings = append(r.Warnings,
			"the earlier refused reply was not retried; it is dropped, and none of it is written")
	}
	r.Written = true
	says := told(r.Warnings) + reported(r)
	if r.Run != "" {
		says += fmt.Sprintf("This is run %s; the tool undo undoes it.\n", report.Clean(r.Run))
	}
	return result{report: r, words: says}, nil
}

// undo carries out the tool undo.
func undo(ctx context.Context, c *call, in undoArguments) (result, error) {
	w, warnings, err := c.open(ctx, true /* write */)
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	t := &report.Turn{Kind: string(workspace.KindUndo), Status: apply.Applied, Warnings: warnings}
	t.Run, err = w.Undo(ctx, in.Run, workspace.UndoOptions{Paths: in.Paths, Merge: in.Merge})
	if err != nil {
		return result{}, err
	}
	says := told(warnings)
	if t.Run == "" {
		return result{report: t, words: says + "The merge changes nothing; nothing was written.\n"}, nil
	}
	// If the log can't be read now, only this report lacks the files.
	if runs, err := w.Log(); err == nil && len(runs) > 0 && runs[0].ID == t.Run {
		t.Of = runs[0].Of
		for _, f := range runs[0].Files {
			t.Files = append(t.Files, report.FileOf(f.Path, f.From, f.Action, f.Before, f.After))
			says += fmt.Sprintf("%s  %s\n", report.Clean(f.Path), report.Became(f.Action))
		}
	}
	says += fmt.Sprintf("Run %s undoes run %s.\n", report.Clean(t.Run), report.Clean(t.Of))
	return result{report: t, words: says}, nil
}

// why carries out the tool why, for the given reply or else the last refused one.
func why(ctx context.Context, c *call, in whyArguments) (result, error) {
	all, err := c.recalled()
	if in.Reply != "" {
		all, err = c.read(in.Reply, false /* answer */)
	}
	if err != nil {
		return result{}, err
	}
	w, _, err := c.open(ctx, false /* write */, all.Sums...)
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(ctx, c.config.timeout)
	defer cancel()
	judged, err := c.config.engine(w).Why(ctx, all.Reply.Parsed(), in.Block)
	if err != nil {
		return result{}, err
	}
	var words bytes.Buffer
	report.Printer{W: &words}.Why(judged, report.Normal)
	return result{report: report.WhyOf(judged), words: words.String()}, nil
}

// replied is a reply with the answers to it.
type replied struct {
	Reply *retry.Reply
	Sums  []string // hashes of the reply and the answers
	Size  int      // of all of them
}

// read parses the reply of a call. If answer is set, it joins it with the refused reply before it.
// It fails if there is no such reply, or no edit.
func (c *call) read(text string, answer bool) (*replied, error) {
	all, err := &replied{}, error(nil)
	if answer {
		if all, err = c.recalled(); err != nil {
			return nil, err
		}
	}
	if all.Size += len(text); all.Size > maxReply {
		return nil, codef("too-large", "the reply with its answers has more than %d bytes; "+
			"send all of its blocks, corrected, without retry", maxReply)
	}
	reply := parser.Parse([]byte(text), parser.WithMaxBlocks(maxBlocks))
	located := report.Locate("", reply, []byte(text))
	if answer {
		all.Reply.Noticed = reply.Noticed
		_, err = all.Reply.Join("", reply, []byte(text))
	} else if all.Reply = retry.From(reply, located); len(reply.Blocks)+len(located) == 0 {
		err = apply.ErrNoEdits
	}
	if err != nil {
		says := "the reply has no edits"
		if len(reply.Noticed) > 0 {
			says += "; ignored: " + report.Ignored(reply.Noticed)
		}
		return nil, codef("no-edits", "%s; the tool prompt says how to write edits", says)
	}
	all.Sums = append(all.Sums, fmt.Sprintf("%x", sha256.Sum256([]byte(text))))
	return all, nil
}

// recalled returns the reply that was refused last in the tree. The server forgets it when it ends.
func (c *call) recalled() (*replied, error) {
	text, ok := c.refused.Load(c.dir)
	if !ok {
		return nil, codef("nothing-to-retry", "no refused reply is known here; send all blocks")
	}
	all := &replied{}
	return all, json.Unmarshal(text.([]byte), all)
}

// placed finds the places of the edits, and returns the plan and the report about it.
func (c *call) placed(
	ctx context.Context, w *workspace.Workspace, all *replied,
) (*report.Run, *apply.Plan, error) {
	ctx, cancel := context.WithTimeout(ctx, c.config.timeout)
	defer cancel()
	plan, err := all.Reply.Plan(ctx, c.config.engine(w))
	if err != nil {
		return nil, nil, err
	}
	for i := range plan.Blocks {
		plan.Blocks[i].Message = diagnosis.InFlags(plan.Blocks[i].Message)
	}
	r := &report.Run{
		Status: plan.Status, Blocks: plan.Blocks, Files: report.Files(plan.Files, w.Sum),
		Noticed: all.Reply.Noticed, Located: all.Reply.Attempts,
	}
	r.SetDiagnostics(plan.Diagnostics)
	return r, plan, nil
}

// open opens the tree. replies are the hashes of the reply and its answers, or empty for undo. If
// write is set, open locks the tree and finishes runs that were interrupted; warnings say so.
func (c *call) open(
	ctx context.Context, write bool, replies ...string,
) (w *workspace.Workspace, warnings []string, err error) {
	if w, err = workspace.Open(c.dir, c.config.options(replies...)); err != nil || !write {
		return w, nil, err
	}
	done, err := w.Begin(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	for _, r := range done {
		says := "its files are as before it"
		switch {
		case r.Err != nil:
			says = fmt.Sprintf("it could not be recovered: %v", r.Err)
		case len(r.Completed) > 0:
			says = "it is complete now"
		}
		warnings = append(warnings, fmt.Sprintf("run %s was interrupted; %s", r.Run, says))
	}
	return w, warnings, nil
}

// reported returns a run in words.
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
func told(warnings []string) (lines string) {
	for _, w := range warnings {
		lines += fmt.Sprintf("warning: %s\n", report.Clean(w))
	}
	return lines
}
