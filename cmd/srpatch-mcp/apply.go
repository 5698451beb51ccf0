package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/retry"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/parser"
)

type applyArguments struct {
	checkArguments
	Retry bool `json:"retry,omitempty" jsonschema:"the reply answers the refusal of the last one: its blocks take the places of the refused ones, and the others are applied along with them"`
}

func (s *server) addApply() error {
	return addTool(s, &mcp.Tool{
		Name: "apply", Title: "Apply edits",
		Description: "Write all edits of a reply to the files of a tree, or none of them. Where one is refused the result says why and what the file has there; " +
			"send corrected blocks for the refused edits only, with retry. What was applied before counts as applied. undo takes a run back.",
		// A second call with the same reply finds it applied. What a run removes or overwrites undo brings back, but a host should ask as for any edit.
		Annotations: &mcp.ToolAnnotations{Title: "Apply edits", IdempotentHint: true, DestructiveHint: new(true), OpenWorldHint: new(false)},
	}, treeTool[applyArguments]{"run", s.apply, failedRun})
}

func (s *server) apply(ctx context.Context, c *call, in applyArguments) (result, error) {
	reply, err := c.read([]byte(in.Reply))
	if err == nil && !in.Retry {
		err = needEdits(reply)
	}
	if err != nil {
		return result{}, err
	}
	texts, err := s.texts(c, in)
	if err != nil {
		return result{}, err
	}
	c.progress.phases = 2 // places, files
	w, warnings, err := c.begin(ctx, c.optionsFor(texts...))
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	run := &retried{Noticed: reply.Noticed}
	plan, err := c.planned(ctx, w, func(ctx context.Context, e *apply.Engine) (*apply.Plan, error) {
		if run.Reply, err = c.answered(ctx, e, texts); err != nil {
			return nil, err
		}
		return run.Plan(ctx)
	})
	if errors.Is(err, apply.ErrNoEdits) {
		err = needEdits(reply)
	}
	if err != nil {
		return result{}, err
	}
	if plan.Status == apply.Refused {
		s.refused.keep(c.dir, texts)
		return run.refused(plan, w, warnings), nil
	}
	return s.commit(ctx, c, in.Retry, run, plan, w, warnings)
}

// answered is a reply with the answers to its refusals.
func (c *call) answered(ctx context.Context, e *apply.Engine, texts [][]byte) (*retry.Reply, error) {
	reply := retry.New(e, texts[0], parser.WithMaxBlocks(maxBlocks))
	for _, answer := range texts[1:] {
		if err := reply.Answer(ctx, answer); err != nil {
			return nil, err
		}
	}
	return reply, nil
}

// retried is a reply, and what it says besides its edits.
type retried struct {
	*retry.Reply
	Noticed []parser.Noticed
}

// texts are the reply of a call, and before it what it answers.
func (s *server) texts(c *call, in applyArguments) ([][]byte, error) {
	if !in.Retry {
		return [][]byte{[]byte(in.Reply)}, nil
	}
	texts := s.refused.of(c.dir)
	if texts == nil {
		return nil, codef(codeNothingToRetry, "no refused reply is remembered of this tree: send all of its blocks, without retry")
	}
	size := int64(len(in.Reply))
	for _, t := range texts {
		size += int64(len(t))
	}
	if len(texts) >= maxAnswers || size > c.config.maxReply {
		return nil, codef(codeTooLarge, "the refused reply has too many answers by now: send all of its blocks as they are to be, without retry")
	}
	return append(texts[:len(texts):len(texts)], []byte(in.Reply)), nil
}

// optionsFor are those of the workspace for a reply and the answers to it: a second run of the same is known by its hash.
func (c *call) optionsFor(texts ...[]byte) workspace.Options {
	sum := sha256.New()
	for _, t := range texts {
		sum.Write(t)
	}
	opt := c.config.workspaceOptions()
	opt.Replies = []string{hex.EncodeToString(sum.Sum(nil))}
	opt.Progress = c.progress.of(1, "writing")
	return opt
}

// refused is the result of a run that wrote nothing.
func (r *retried) refused(plan *apply.Plan, w *workspace.Workspace, warnings []string) result {
	report.NotWritten(plan.Blocks)
	run := runOf(plan, r.Noticed, w)
	run.Warnings = warnings
	words := r.Feedback()
	if words == "" { // nothing that a model can do
		words = reported(run)
	} else {
		words += "\nSend them by the tool apply, with retry set to true.\n"
		run.Feedback = words
	}
	return result{report: run, words: told(warnings) + words, failed: true, shorten: shortRun(run)}
}

// commit writes a plan.
func (s *server) commit(ctx context.Context, c *call, answered bool, r *retried, plan *apply.Plan, w *workspace.Workspace, warnings []string) (result, error) {
	run := runOf(plan, r.Noticed, w)
	var err error
	if run.Run, err = w.Commit(ctx, plan); err != nil {
		report.NotWritten(run.Blocks)
		run.Run, run.Files, run.Status, run.Error = "", nil, report.StatusError, wireError(err)
		run.Warnings = warnings
		return result{report: run, words: told(run.Warnings) + clean(remedy.Words(err)), failed: true, shorten: shortRun(run)}, nil
	}
	if before := s.refused.of(c.dir); before != nil && !answered {
		warnings = append(warnings, "the refused reply before this one was not retried: nothing of it is written, and it is forgotten")
	}
	s.refused.keep(c.dir, nil)
	run.Written, run.Warnings = true, warnings
	words := reported(run)
	if run.Run != "" {
		words += fmt.Sprintf("This is run %s; the tool undo takes it back.\n", report.Clean(run.Run))
	}
	return result{report: run, words: told(run.Warnings) + words, shorten: shortRun(run)}, nil
}

// told are warnings, a line each.
func told(warnings []string) string {
	var b strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(&b, "warning: %s\n", report.Clean(w))
	}
	return b.String()
}
