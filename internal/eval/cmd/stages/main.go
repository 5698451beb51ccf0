// Command stages counts the blocks that each stage of the cascade has found the place of, in collections of
// requests (see cmd/builds) and among made edits.
//
//	go -C internal/eval run ./cmd/stages [--markdown] [CASES.jsonl...]    the table in docs/accuracy.md
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/eval"
	"github.com/srpatch/srpatch/internal/eval/program"
	"github.com/srpatch/srpatch/strategy"
)

func main() { program.Main("stages", run) }

// tolerances are what stages forgive, by name; "" stands for the ones that are no strategy.
func tolerances() map[string]string {
	names := map[string]string{"levenshtein": "lines"}
	for _, s := range strategy.Strategies() {
		names[s.Name()] = [...]string{strategy.Nothing: "nothing", strategy.Blanks: "blanks", strategy.Lines: "lines"}[strategy.ToleranceOf(s)]
	}
	return names
}

// column is how many blocks each stage has placed in one collection.
type column struct {
	title string
	found map[string]int
}

func count(ctx context.Context, title string, qs []*eval.Question) (c column, err error) {
	c = column{title: title, found: map[string]int{}}
	for _, q := range qs {
		names, err := q.Found(ctx)
		if err != nil {
			return c, fmt.Errorf("%s: %w", q.ID, err)
		}
		for _, name := range names {
			c.found[name]++
		}
	}
	return c, nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := pflag.NewFlagSet("stages", pflag.ContinueOnError)
	n := flags.Int("n", 3000, "how many made edits for each seed")
	seeds := flags.UintSlice("seeds", []uint{1, 2, 3}, "the `seeds` of made edits")
	markdown := flags.Bool("markdown", false, "print a table for a page")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var columns []column
	for _, name := range flags.Args() {
		qs, err := eval.QuestionsOf(name)
		if err != nil {
			return err
		}
		c, err := count(ctx, strings.TrimSuffix(filepath.Base(name), ".jsonl"), qs)
		if err != nil {
			return err
		}
		columns = append(columns, c)
	}
	var made []*eval.Question
	for _, seed := range *seeds {
		qs, err := eval.MadeQuestions(ctx, uint64(seed), *n)
		if err != nil {
			return err
		}
		made = append(made, qs...)
	}
	c, err := count(ctx, "made edits", made)
	if err != nil {
		return err
	}
	return write(out, append(columns, c), *markdown)
}

// write prints a row for each stage, those of the ten strategies first, and what part of the tolerant places
// they have.
func write(out io.Writer, columns []column, markdown bool) error {
	forgives := tolerances()
	names := slices.Collect(maps.Keys(forgives))
	for _, c := range columns {
		for name := range c.found {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	rank := func(name string) int {
		return slices.Index([]string{"nothing", "blanks", "lines", ""}, forgives[name])
	}
	last := len(columns) - 1
	slices.SortFunc(names, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		if d := columns[last].found[b] - columns[last].found[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	table := [][]string{{"stage", "forgives"}}
	for _, c := range columns {
		table[0] = append(table[0], c.title)
	}
	for _, name := range names {
		row := []string{name, forgives[name]}
		if row[1] == "" {
			row[1] = "(no strategy)"
		}
		for _, c := range columns {
			row = append(row, fmt.Sprint(c.found[name]))
		}
		table = append(table, row)
	}
	share := []string{"tolerant, by a strategy", ""}
	for _, c := range columns {
		ten, all := 0, 0
		for name, n := range c.found {
			if forgives[name] == "nothing" {
				continue
			}
			if all += n; forgives[name] != "" {
				ten += n
			}
		}
		share = append(share, fmt.Sprintf("%.1f %%", 100*float64(ten)/float64(max(1, all))))
	}
	table = append(table, share)
	if markdown {
		table = slices.Insert(table, 1, append([]string{"---", "---"}, slices.Repeat([]string{"--:"}, len(columns))...))
		for _, row := range table {
			if _, err := fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | ")); err != nil {
				return err
			}
		}
		return nil
	}
	tabs := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range table {
		fmt.Fprintln(tabs, strings.Join(row, "\t"))
	}
	return tabs.Flush()
}
