// Command agent shows how a program applies a model's edits. It asks for them, sends back what was
// refused, writes a reply when all of it fits, checks the result, and undoes it if it is bad.
//
// The model is recorded, so the program runs anywhere: go run ./examples/agent
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/retry"
	"github.com/srpatch/srpatch/apply/workspace"
)

// recorded holds the files to edit, and what a model answered, in order.
//
//go:embed recorded
var recorded embed.FS

// model answers messages. A real one would send them to a server.
type model struct{ asked int }

func (m *model) ask(message string) ([]byte, error) {
	m.asked++
	return recorded.ReadFile(fmt.Sprintf("recorded/%d.md", m.asked))
}

// agent makes one change to the files of a workspace.
type agent struct {
	model  *model
	work   *workspace.Workspace
	engine *apply.Engine
	out    io.Writer
}

// maxTries is how often the model may correct itself.
const maxTries = 3

// do asks the model for a change until every block fits, and writes it. It returns the run's name.
func (a *agent) do(ctx context.Context, task string) (run string, err error) {
	text, err := a.model.ask(task)
	if err != nil {
		return "", err
	}
	reply := retry.New(text)
	for range maxTries {
		plan, err := reply.Plan(ctx, a.engine)
		if err != nil {
			return "", err
		}
		for _, b := range plan.Blocks {
			fmt.Fprintln(a.out, "block", b.ID, b.Path, b.Status, b.Reason)
		}
		if plan.Status == apply.Applied {
			fmt.Fprintf(a.out, "\n%s\n", plan.Diff())
			return a.work.Commit(ctx, plan)
		}
		message := reply.Feedback()
		fmt.Fprintf(a.out, "\nto the model:\n%s\n", message)
		if text, err = a.model.ask(message); err != nil {
			return "", err
		}
		if _, err := reply.Answer(text); err != nil {
			return "", err
		}
	}
	return "", errors.New("the model does not find the place")
}

// run edits a copy of the recorded files in dir.
func run(ctx context.Context, dir string, out io.Writer) error {
	files, err := fs.Sub(recorded, "recorded/tree")
	if err != nil {
		return err
	}
	tree := filepath.Join(dir, "tree")
	if err := os.CopyFS(tree, files); err != nil {
		return err
	}
	work, err := workspace.Open(tree, workspace.Options{StateDir: filepath.Join(dir, "state")})
	if err != nil {
		return err
	}
	defer work.Close()
	a := &agent{model: &model{}, work: work, engine: apply.New(work, apply.Options{}), out: out}
	id, err := a.do(ctx, "Make the limits settings, and say so when one is reached.")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "run %s is written; the tests fail, so it is undone\n", id)
	_, err = work.Undo(ctx, id, workspace.UndoOptions{})
	return err
}

func main() {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := run(context.Background(), dir, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
