// Command vanish damages one edit in replies that are fully understood, and counts what becomes of
// it: read, refused, noticed, or silently lost.
//
//	go -C internal/eval run ./cmd/vanish [FLAGS] [FILE...]
//
//	(none)                    the replies in testdata/parse, 20,000 cases
//	FILE...                   replies of these files: JSON Lines with "reply", or txtar
//	--list vanished           print each such reply, too, and mark the damaged lines
//	--only line_bold          only this form or damage
//	--understood --by damage  what damage does to the forms that are read
//
// The exit status is 1 if an undamaged edit is not read, or an edit next to a damaged one is lost.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/eval/program"
	"github.com/srpatch/srpatch/internal/eval/vanish"
)

func main() { program.Main("vanish", run) }

// rows are the ways to group cases.
func rows() map[string]func(*vanish.Case) string {
	return map[string]func(*vanish.Case) string{
		"mutation": (*vanish.Case).Mutation,
		"form":     func(c *vanish.Case) string { return c.Form },
		"damage":   func(c *vanish.Case) string { return c.Damage },
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := pflag.NewFlagSet("vanish", pflag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "the same `number` gives the same cases")
	n := flags.Int("n", 20000, "how many cases")
	list := flags.StringSlice("list", nil,
		"print the cases with these `outcomes`; lost, swallowed, moved and bent are about neighbours")
	most := flags.Int("most", 3, "how many to print for each form and damage")
	only := flags.StringSlice("only", nil, "only these `forms and damages`")
	understood := flags.Bool("understood", false, "only forms that are read if undamaged")
	by := flags.String("by", "mutation", "the `rows` of the table: mutation, form or damage")
	markdown := flags.Bool("markdown", false, "print the table in Markdown, for docs/accuracy.md")
	if err := flags.Parse(args); err != nil {
		return err
	}
	files := flags.Args()
	if len(files) == 0 {
		own, err := vanish.OwnTables()
		if err != nil {
			return err
		}
		files = own
	}
	replies, err := vanish.Load(files)
	if err != nil {
		return err
	}
	m, err := vanish.NewMaker(replies, *seed)
	if err != nil {
		return err
	}
	if err := m.Only(*only); err != nil {
		return err
	}
	if *understood {
		m.OnlyUnderstood()
	}
	table := vanish.Table{By: rows()[*by]}
	if table.By == nil {
		return fmt.Errorf("--by: %q, expected mutation, form or damage", *by)
	}
	out := bufio.NewWriter(stdout)
	defer out.Flush()
	alarms := 0
	untouched := m.Untouched()
	for _, c := range untouched {
		if v := vanish.Judge(c, vanish.Parse(c.Reply)); v != (vanish.Verdict{Outcome: vanish.Read}) {
			alarms++
			if err := vanish.WriteCase(out, vanish.Result{Case: c, Verdict: v}); err != nil {
				return err
			}
		}
	}
	listed := map[string]int{}
	err = m.Run(ctx, *n, func(r vanish.Result) error {
		table.Add(r)
		if kind := r.Case.Form + " " + r.Case.Damage; r.Verdict.Is(*list) && listed[kind] < *most {
			listed[kind]++
			return vanish.WriteCase(out, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	used, edits := m.Replies()
	fmt.Fprintf(out, "%d replies, %d of them fully understood, with %d edits to damage; %d undamaged, %d of those not read\n",
		len(replies), used, edits, len(untouched), alarms)
	write := table.Write
	if *markdown {
		write = table.WriteMarkdown
	}
	if err := write(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if alarms > 0 || table.Total.Lost > 0 {
		return fmt.Errorf("%w: %d undamaged edits are not read, %d next to damaged ones are lost", program.ErrBounds, alarms, table.Total.Lost)
	}
	return nil
}
