// Command builds compares the answers of two builds of srpatch.
//
//	go -C internal/eval run ./cmd/builds OLD NEW [CASES.jsonl...]
//
// OLD and NEW are binaries. Both get the cases of testdata, synthetic edits of several seeds, and
// the requests in the files: those of `srpatch filter`, with the right result if it is known, or
// replies to parse. Statuses, reasons and files count; wording doesn't. It prints which answers
// differ, and whether they got better or worse. The exit status is 1 if one got worse: it is no
// longer right, or newly wrong or missing.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/eval"
	"github.com/srpatch/srpatch/internal/eval/program"
)

func main() { program.Main("builds", run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := pflag.NewFlagSet("builds", pflag.ContinueOnError)
	n := flags.Int("n", 3000, "how many synthetic edits for each seed")
	seeds := flags.UintSlice("seeds", []uint{1, 2, 3}, "the `seeds` of synthetic edits")
	noTables := flags.Bool("no-tables", false, "skip the cases of testdata")
	show := flags.Int("show", 20, "how many ids to list in each group")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 {
		return errors.New("expected two binaries: OLD NEW [CASES.jsonl...]")
	}
	worse := 0 // answers
	var builds [2]eval.Build
	for i := range builds {
		name, err := filepath.Abs(flags.Arg(i))
		if err != nil {
			return err
		}
		builds[i] = eval.Build(name)
	}
	compare := func(title string, qs []*eval.Question, err error) error {
		var answers [2][]eval.Answer
		for i, b := range builds {
			if err == nil {
				answers[i], err = b.Answers(ctx, qs)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", title, err)
		}
		changes := eval.Compare(qs, answers[0], answers[1])
		for _, c := range changes {
			if c.Worse() {
				worse++
			}
		}
		return eval.WriteChanges(out, title, qs, answers[0], changes, *show)
	}
	for _, name := range flags.Args()[2:] {
		qs, err := eval.QuestionsOf(name)
		if err := compare(filepath.Base(name), qs, err); err != nil {
			return err
		}
	}
	if !*noTables {
		engine, replies, leftOut, err := eval.TableQuestions()
		if err := compare(fmt.Sprintf("testdata/engine and reference (%d cases that no request can express)",
			leftOut), engine, err); err != nil {
			return err
		}
		if err := compare("testdata/parse", replies, nil); err != nil {
			return err
		}
	}
	for _, seed := range *seeds {
		qs, err := eval.MadeQuestions(ctx, uint64(seed), *n)
		if err := compare(fmt.Sprintf("synthetic edits, seed %d", seed), qs, err); err != nil {
			return err
		}
	}
	if worse > 0 {
		return fmt.Errorf("%w: %d answers got worse", program.ErrBounds, worse)
	}
	_, err := fmt.Fprintln(out, "no answer got worse")
	return err
}
