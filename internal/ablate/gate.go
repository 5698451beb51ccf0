package ablate

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/ablate/toggle"
)

// Gate holds the rules to their cases.
type Gate struct {
	Workshop *Workshop
	// Binary with Args is a process that calls [Probe]; so many run at a time.
	Binary    string
	Args      []string
	Processes int
	// Declared are the rules that need no case.
	Declared []*Declaration
	// Tests are, by the top folder of a rule, the packages whose tests are run with a rule that no case needs; nil means none.
	Tests map[string][]string
	// Out gets the report.
	Out io.Writer
}

// Run tries the rules in scope, writes a line a rule and what lacks a case, and reports whether nothing does.
func (g *Gate) Run(ctx context.Context, inScope func(*Rule) bool) (good bool, err error) {
	var jobs []Job
	rules, exempt := 0, 0
	for _, r := range g.Workshop.Rules {
		if !inScope(r) {
			continue
		}
		rules++
		for _, s := range r.Settings() {
			j := Job{Rule: r, Setting: s}
			if slices.ContainsFunc(g.Declared, func(d *Declaration) bool { return d.Kind == "exempt" && d.covers(j) }) {
				exempt++
				continue
			}
			jobs = append(jobs, j)
		}
	}
	results, err := g.Workshop.Probe(ctx, g.Binary, g.Args, jobs, max(g.Processes, 1))
	if err != nil {
		return false, err
	}
	g.print("%s", table(results))
	problems := Dangling(g.Workshop.Root, g.Workshop.Rules, g.Declared)
	var lacking []Result
	for _, r := range results {
		problem, lacks, err := g.check(ctx, r)
		if err != nil {
			return false, err
		}
		if problem != "" {
			problems = append(problems, problem)
		}
		if lacks {
			lacking = append(lacking, r)
		}
	}
	g.list(results, Changed, "Rules that change evaluation cases without making a right one wrong")
	g.list(results, Wording, "Rules that change wording only")
	g.list(results, Better, "Rules without which an evaluation case comes right that is not")
	if len(lacking) > 0 {
		g.print("\nRules that no case needs\n")
	}
	for _, r := range lacking {
		var needs string
		if needs, err = g.Workshop.Test(ctx, r.Job, g.Tests[r.Rule.top()]); err != nil {
			return false, err
		}
		if needs != "" {
			needs = "  but " + needs + " fails"
		}
		g.print("  %s%s%s\n", r.Job, r.idle(), needs)
	}
	for _, p := range problems {
		g.print("%s\n", p)
	}
	g.print("\n%d rules; %d settings tried, %d without a case, %d exempt\n", rules, len(jobs), len(lacking), exempt)
	return len(lacking) == 0 && len(problems) == 0, nil
}

// check holds a result to what is declared of its rule.
func (g *Gate) check(ctx context.Context, r Result) (problem string, lacks bool, err error) {
	i := slices.IndexFunc(g.Declared, func(d *Declaration) bool { return d.covers(r.Job) })
	if i < 0 {
		return "", r.Difference <= Better, nil
	}
	switch d := g.Declared[i]; {
	case d.Kind == "speed" && r.Difference > Same:
		return fmt.Sprintf("declared.txt:%d: %s has a case: %s", d.Line, r.Job, r.Case), false, nil
	case d.Kind == "test":
		fails, err := g.Workshop.Holds(ctx, d, r.Job)
		if err != nil || fails {
			return "", false, err
		}
		return fmt.Sprintf("declared.txt:%d: %s passes with %s", d.Line, d.Func, r.Job), false, nil
	}
	return "", false, nil
}

// list prints the results whose difference is d.
func (g *Gate) list(results []Result, d Difference, title string) {
	for _, r := range results {
		if r.Difference == d {
			g.print("%s", "\n"+title+"\n")
			break
		}
	}
	for _, r := range results {
		if r.Difference == d {
			g.print("  %s: %s\n", r.Job, r.Case)
		}
	}
}

func (g *Gate) print(format string, args ...any) { fmt.Fprintf(g.Out, format, args...) }

// table has a line a rule with what needs it.
func table(results []Result) string {
	var b strings.Builder
	var last *Rule
	for _, r := range results {
		if r.Rule != last {
			if last != nil {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%-28s %-28s", r.Rule.File, r.Rule.Name)
			last = r.Rule
		}
		fmt.Fprintf(&b, "  %s: %s", r.Setting, r.need())
	}
	b.WriteByte('\n')
	return b.String()
}

// idle says what the rule does where no case needs it.
func (r Result) idle() string {
	switch {
	case r.Difference == Better:
		return "  (without it " + r.Case + " comes right)"
	case r.Asked > 0:
		return fmt.Sprintf("  (says otherwise in %d cases, to no effect)", r.Asked)
	case r.Setting == toggle.Off:
		return "  (never says yes)"
	}
	return "  (never says no)"
}

// need says which case needs the rule.
func (r Result) need() string {
	switch {
	case r.Difference == Same:
		return "-"
	case r.Difference == Better:
		return "- (" + r.Case + " comes right)"
	case r.How != "":
		return fmt.Sprintf("%s (%s)", r.Case, r.How)
	case r.Difference == Changed:
		return r.Case + " (changed)"
	case r.Difference == Wording:
		return r.Case + " (wording only)"
	}
	return r.Case
}
