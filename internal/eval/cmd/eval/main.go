// Command eval makes edits with known results, lets the engine apply them, and prints how often it
// was right.
//
//	go -C internal/eval run ./cmd/eval [FLAGS]
//
//	(none)             the standard library and testdata/trees, 5,000 cases
//	--perturb FILE     the replies in requests of srpatch filter, with blocks dropped, repeated or
//	                   reordered, or for files that have changed since
//	--json >CASES      requests for srpatch filter, with the expected results
//	--list wrong       every wrong result with its diff
//	--bounds           also with a threshold that refuses similar text, and with policy strict;
//	                   exit status 1 if a bound is missed
//	--stages CASES...  which stages placed the blocks, in requests of srpatch filter and the cases
//	--again CASES...   what second runs of them change or refuse; --n 0 leaves out the synthetic
//	                   cases
//	--applier COMMAND  score another program, or with "all" those in eval.Appliers;
//	                   --chart FILE draws the table
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/eval"
	"github.com/srpatch/srpatch/internal/eval/program"
)

func main() { program.Main("eval", run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := pflag.NewFlagSet("eval", pflag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "the same `number` gives the same cases")
	n := flags.Int("n", 5000, "how many cases")
	kinds := flags.StringSlice("kinds", nil, "only these `kinds`, by name")
	trees := flags.StringSlice("tree", nil,
		"take sources from these `folders` instead of GOROOT/src and testdata/trees")
	perturb := flags.StringSlice("perturb", nil,
		"perturb the replies in these `files` of srpatch filter requests instead of making edits")
	asJSON := flags.Bool("json", false, "write the cases as JSON Lines instead of running the engine")
	list := flags.String("list", "", "print the cases with this `verdict`: right, wrong, refused or miscorrected")
	policy := flags.String("policy", string(apply.Safe), "the engine's `policy`: strict, safe or loose")
	threshold := flags.Float64("threshold", 0, "the `similarity` that the engine requires; 0 means its default")
	bounds := flags.Bool("bounds", false, "fail if results are out of bounds")
	stages := flags.Bool("stages", false, "count blocks by the stage that found their places")
	again := flags.Bool("again", false, "run each case a second time on its own result")
	applier := flags.String("applier", "", "score this `command`, which answers srpatch filter requests, "+
		"instead of the engine; all scores those of the project")
	chart := flags.String("chart", "", "draw the scores of --applier into this `file`, as SVG")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 && !*stages && !*again {
		return errors.New("files need --stages or --again")
	}
	if flags.Changed("applier") && (*applier == "" || *asJSON || *list != "" || *stages || *again || *bounds) {
		return errors.New("--applier needs a command, and excludes --json, --list, --stages, --again and --bounds")
	}
	q := eval.Request{Seed: *seed, N: *n, Kinds: *kinds}
	cases, err := casesOf(ctx, q, *trees, *perturb)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	defer out.Flush()
	if *asJSON {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		for _, c := range cases {
			if err := enc.Encode(c); err != nil {
				return err
			}
		}
		return out.Flush()
	}
	if *stages || *again {
		titles, collections, err := collect(flags.Args(), cases)
		if err != nil {
			return err
		}
		if *stages {
			err = writeStages(ctx, out, titles, collections)
		} else {
			err = writeAgain(ctx, out, titles, collections)
		}
		return errors.Join(err, out.Flush())
	}
	if *applier != "" {
		return errors.Join(writeAppliers(ctx, out, *applier, *chart, cases), out.Flush())
	}
	opt := apply.Options{Policy: apply.Policy(*policy), Threshold: *threshold}
	scores, err := pass(ctx, out, cases, opt, *list)
	if err != nil {
		return err
	}
	if err := scores.WriteTable(out); err != nil {
		return err
	}
	if !*bounds {
		return out.Flush()
	}
	held := eval.DefaultBounds
	if len(*kinds) > 0 {
		held.Carried, held.Corrected = 0, eval.CorrectedOfSome
	}
	missed := scores.Check(held)
	// With similar text refused, many refusals offer a corrected block.
	scores, err = pass(ctx, out, cases, apply.Options{Threshold: 0.999}, "")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "threshold 0.999: %s\n", scores.Corrections)
	missed = append(missed, scores.Corrections.Check("threshold 0.999", held.Carried, held.Corrected)...)
	scores, err = pass(ctx, out, cases, apply.Options{Policy: apply.Strict}, "")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "policy strict: %d right, %d wrong, %d refused\n", scores.Total.Right,
		scores.Total.Wrong, scores.Total.Refused)
	for _, m := range scores.Check(eval.StrictBounds) {
		missed = append(missed, "strict: "+m)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if len(missed) > 0 {
		return fmt.Errorf("%w\n  %s", program.ErrBounds, strings.Join(missed, "\n  "))
	}
	return nil
}

// casesOf makes the cases from the replies in the files, or else from sources.
func casesOf(ctx context.Context, q eval.Request, trees, replies []string) ([]*eval.Case, error) {
	if len(replies) > 0 {
		var out []*eval.Case
		for _, name := range replies {
			qs, err := eval.QuestionsOf(name)
			if err != nil {
				return nil, err
			}
			out = append(out, eval.Perturb(qs, q.Seed)...)
		}
		return out, nil
	}
	for _, dir := range trees {
		t, err := eval.LoadTree(dir, q.Seed, 500)
		if err != nil {
			return nil, err
		}
		q.Trees = append(q.Trees, t)
	}
	if q.Trees == nil {
		t, err := eval.DefaultTrees(q.Seed)
		if err != nil {
			return nil, err
		}
		q.Trees = t
	}
	return eval.Generate(ctx, q)
}

// pass scores the engine on the cases and prints those with the given verdict.
func pass(ctx context.Context, out io.Writer, cases []*eval.Case, opt apply.Options,
	verdict string) (*eval.Scores, error) {
	outcomes, err := eval.Run(ctx, cases, opt)
	if err != nil {
		return nil, err
	}
	for i, c := range cases {
		v, _ := eval.Judge(c, outcomes[i])
		if verdict != "" && (string(v) == verdict || verdict == "miscorrected" && eval.Miscorrected(c, outcomes[i])) {
			if err := eval.WriteCase(out, c, outcomes[i]); err != nil {
				return nil, err
			}
		}
	}
	return eval.Score(cases, outcomes), nil
}

// collect returns the requests of each file and of the cases, with titles.
func collect(files []string, cases []*eval.Case) (titles []string, collections [][]*eval.Question, err error) {
	for _, name := range files {
		qs, err := eval.QuestionsOf(name)
		if err != nil {
			return nil, nil, err
		}
		titles = append(titles, strings.TrimSuffix(filepath.Base(name), ".jsonl"))
		collections = append(collections, qs)
	}
	qs, err := eval.Questions(cases)
	if len(qs) > 0 {
		titles, collections = append(titles, "synthetic edits"), append(collections, qs)
	}
	return titles, collections, err
}

func writeStages(ctx context.Context, out io.Writer, titles []string, collections [][]*eval.Question) error {
	var counts []map[string]int
	for i, qs := range collections {
		found, err := eval.Stages(ctx, qs)
		if err != nil {
			return fmt.Errorf("%s: %w", titles[i], err)
		}
		counts = append(counts, found)
	}
	return eval.WriteStages(out, titles, counts)
}

func writeAgain(ctx context.Context, out io.Writer, titles []string, collections [][]*eval.Question) error {
	for i, qs := range collections {
		again, err := eval.Twice(ctx, qs)
		if err != nil {
			return fmt.Errorf("%s: %w", titles[i], err)
		}
		if err := again.Write(out, titles[i]); err != nil {
			return err
		}
	}
	return nil
}
