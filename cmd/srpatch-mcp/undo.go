package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
)

type undoArguments struct {
	Run   string   `json:"run,omitempty" jsonschema:"the run to take back, as apply named it; without it the newest that is in force"`
	Paths []string `json:"paths,omitempty" jsonschema:"take back what the run did to these files only"`
	Merge bool     `json:"merge,omitempty" jsonschema:"of files that have changed since, take the run's changes out and leave the others"`
	rooted
}

func (s *server) addUndo() error {
	return addTool(s, &mcp.Tool{
		Name: "undo", Title: "Take a run back",
		Description: "Put back what the files held before a run of apply, or of the command srpatch. Where a file has changed since, nothing is done, and the file is named.",
		// Without the name of a run, each call takes another one back.
		Annotations: &mcp.ToolAnnotations{Title: "Take a run back", DestructiveHint: new(true), OpenWorldHint: new(false)},
	}, treeTool[undoArguments]{"turn", undo, func(err *report.Error) result {
		return result{report: &report.Turn{Kind: string(workspace.KindUndo), Status: report.StatusError, Error: err}}
	}})
}

func undo(ctx context.Context, c *call, in undoArguments) (result, error) {
	opt := c.config.undoOptions()
	opt.Progress = c.progress.of(0, "putting files back")
	w, finished, err := c.begin(ctx, opt)
	if err != nil {
		return result{}, err
	}
	defer w.Close()
	t := &report.Turn{Kind: string(workspace.KindUndo), Status: apply.Applied}
	if t.Run, err = w.Undo(ctx, in.Run, workspace.UndoOptions{Paths: in.Paths, Merge: in.Merge}); err != nil {
		return result{}, err
	}
	t.Warnings = finished
	var words strings.Builder
	words.WriteString(told(t.Warnings))
	if t.Run == "" {
		words.WriteString("The merge changes nothing; nothing was written.\n")
		return result{report: t, words: words.String(), shorten: shortTurn(t)}, nil
	}
	// What cannot be read of the log now is missing in the report, and nowhere else.
	if runs, err := w.Log(); err == nil && len(runs) > 0 && runs[0].ID == t.Run {
		t.Of = runs[0].Of
		for _, f := range runs[0].Files {
			t.Files = append(t.Files, report.FileOf(f.Path, f.From, f.Action, f.Before, f.After))
			fmt.Fprintf(&words, "%s  %s\n", report.Clean(f.Path), report.Became(f.Action))
		}
	}
	fmt.Fprintf(&words, "Run %s takes back run %s.\n", report.Clean(t.Run), report.Clean(t.Of))
	return result{report: t, words: words.String(), shorten: shortTurn(t)}, nil
}
