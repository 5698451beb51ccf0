// Command stages prints which stage of the cascade found the places of blocks, for each collection of
// requests (see cmd/builds) and for made edits.
//
//	go -C internal/eval run ./cmd/stages [CASES.jsonl...]
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/eval"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, pflag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "stages:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := pflag.NewFlagSet("stages", pflag.ContinueOnError)
	n := flags.Int("n", 3000, "how many made edits for each seed")
	seeds := flags.UintSlice("seeds", []uint{1, 2, 3}, "the `seeds` of made edits")
	if err := flags.Parse(args); err != nil {
		return err
	}
	show := func(title string, qs []*eval.Question) error {
		found, all := map[string]int{}, 0
		for _, q := range qs {
			names, err := q.Found(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", q.ID, err)
			}
			for _, name := range names {
				found[name]++
				all++
			}
		}
		fmt.Fprintf(out, "%s: %d blocks placed\n", title, all)
		for _, name := range slices.SortedFunc(maps.Keys(found), func(a, b string) int {
			return cmp.Or(found[b]-found[a], cmp.Compare(a, b))
		}) {
			fmt.Fprintf(out, "%8d  %s\n", found[name], name)
		}
		return nil
	}
	for _, name := range flags.Args() {
		qs, err := eval.QuestionsOf(name)
		if err == nil {
			err = show(filepath.Base(name), qs)
		}
		if err != nil {
			return err
		}
	}
	var made []*eval.Question
	for _, seed := range *seeds {
		qs, err := eval.MadeQuestions(ctx, uint64(seed), *n)
		if err != nil {
			return err
		}
		made = append(made, qs...)
	}
	return show(fmt.Sprintf("made edits, seeds %v", *seeds), made)
}
