package main

import (
	"bytes"
	"context"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
)

type whyArguments struct {
	Block int    `json:"block" jsonschema:"the number of the block in the reply, as a report has it"`
	Reply string `json:"reply,omitempty" jsonschema:"the reply that the block is in; without it the one that apply refused last, with the answers to it"`
	rooted
}

func (s *server) addWhy() error {
	return addTool(s, &mcp.Tool{
		Name: "why", Title: "Explain an edit",
		Description: "Say how one block of a reply was judged: where it was looked for, how it compares line by line with the places it may be meant for, and what speaks against each. Nothing is written.",
		Annotations: looks("Explain an edit"),
	}, treeTool[whyArguments]{"why", s.why, func(err *report.Error) result { return result{report: judged{failure: err}} }})
}

// judged is how a block was judged, or why that cannot be said.
type judged struct {
	why     *apply.Why
	failure *report.Error
}

// JSON writes what srpatch why --json prints.
func (j judged) JSON(w io.Writer) error { return report.WhyJSON(w, j.why, j.failure) }

func (s *server) why(ctx context.Context, c *call, in whyArguments) (result, error) {
	texts, err := s.asked(c, in)
	if err != nil {
		return result{}, err
	}
	w, err := workspace.Open(c.dir, c.optionsFor(texts...))
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	var why *apply.Why
	if _, err = c.planned(ctx, w, func(ctx context.Context, e *apply.Engine) (*apply.Plan, error) {
		reply, err := c.answered(ctx, e, texts)
		if err == nil {
			why, err = reply.Why(ctx, in.Block)
		}
		return nil, err
	}); err != nil {
		return result{}, err
	}
	var words bytes.Buffer
	report.Printer{W: &words}.Why(why, report.Normal)
	if why.Report.Warnings == nil {
		why.Report.Warnings = []string{}
	}
	return result{report: judged{why: why}, words: words.String(), shorten: shortWhy(why)}, nil
}

// asked is the reply that a call asks about, with the answers to it where it is the one that was refused.
func (s *server) asked(c *call, in whyArguments) ([][]byte, error) {
	if in.Reply == "" {
		texts := s.refused.of(c.dir)
		if texts == nil {
			return nil, codef(codeNothingToRetry, "no refused reply is remembered of this tree: name one")
		}
		return texts, nil
	}
	text := []byte(in.Reply)
	_, err := c.edits(text)
	return [][]byte{text}, err
}
