// Command again runs edits a second time on their own result, and lists what is not as it should be: a file that changes, or a
// block that is refused although it was applied.
//
//	go run ./internal/eval/cmd/eval --json > cases.jsonl
//	go run ./internal/eval/cmd/again cases.jsonl                       in memory, as srpatch filter: there is no journal
//	go run ./internal/eval/cmd/again --srpatch ./srpatch cases.jsonl   with the command, which has a journal
//
// What it reads are requests of srpatch filter. Each is run as a whole, with --partial, and block by block (--only), after which
// the whole reply has to give what it gives at once. The exit status is 1 if a second run changed a file.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/eval"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	changed, err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, pflag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "again:", err)
		os.Exit(2)
	case changed:
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) (changed bool, err error) {
	flags := pflag.NewFlagSet("again", pflag.ContinueOnError)
	binary := flags.String("srpatch", "", "run this `command` in folders of its own, instead of the engine in memory")
	list := flags.Bool("list", true, "list what is found, and not only count it")
	only := flags.StringSlice("id", nil, "only the requests with these `ids`")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	out := bufio.NewWriter(stdout)
	defer func() { err = errors.Join(err, out.Flush()) }()
	for _, name := range flags.Args() {
		qs, err := eval.QuestionsOf(name)
		if err != nil {
			return changed, err
		}
		t, err := twice(ctx, eval.WithIDs(qs, *only), *binary)
		if err != nil {
			return changed, fmt.Errorf("%s: %w", name, err)
		}
		if *list {
			if err := t.WriteList(out); err != nil {
				return changed, err
			}
		}
		if err := t.WriteTable(out, name); err != nil {
			return changed, err
		}
		changed = changed || t.Count("", eval.Changed) > 0
	}
	return changed, nil
}

func twice(ctx context.Context, qs []*eval.Question, binary string) (t *eval.Twice, err error) {
	if binary == "" {
		return eval.TwiceInMemory(ctx, qs)
	}
	if binary, err = filepath.Abs(binary); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "again")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return eval.TwiceOnDisk(ctx, qs, binary, dir)
}
