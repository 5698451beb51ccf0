package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/srpatch/srpatch/internal/eval"
)

// writeAppliers scores the applier with the given command, or all of the project's for "all". It
// prints a table, and draws it into the file chart unless that is "".
func writeAppliers(ctx context.Context, out io.Writer, command, chart string, cases []*eval.Case) error {
	appliers := []eval.Applier{{Name: command, Command: command}}
	if command == "all" {
		appliers = eval.Appliers()
	}
	cases = eval.ForAppliers(cases)
	var scores []eval.ApplierScore
	for _, a := range appliers {
		outcomes, took, err := eval.RunApplier(ctx, a.Command, cases)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		scores = append(scores, eval.ScoreApplier(a, cases, outcomes, took))
	}
	fmt.Fprintf(out, "%d cases\n\n", len(cases))
	if err := eval.WriteAppliers(out, scores); err != nil || chart == "" {
		return err
	}
	f, err := os.Create(chart)
	if err != nil {
		return err
	}
	return errors.Join(eval.WriteAppliersChart(f, scores), f.Close())
}
