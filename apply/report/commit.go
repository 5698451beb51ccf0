package report

import "strings"

// Commit is what became of the commit that a run was asked for, after it was written.
type Commit struct {
	// ID is git's name of the commit; "" where none was made.
	ID string `json:"id,omitempty"`
	// Short is the beginning of ID that is enough to find it.
	Short string `json:"short,omitempty"`
	// Branch is the one that it is on; "" where HEAD is detached.
	Branch  string `json:"branch,omitempty"`
	Subject string `json:"subject,omitempty"`
	// Differs are files, from the top of the work tree, that the commit has otherwise than the run wrote them, or that the run did not change.
	Differs []string `json:"differs,omitempty"`
	// Unchanged: git sees no change in what the run wrote, so that there is nothing to commit.
	Unchanged bool `json:"unchanged,omitempty"`
	// Output is what git and its hooks said, cut in the middle where it is long.
	Output string `json:"output,omitempty"`
	// Error is why there is no commit of what was written.
	Error *Error `json:"error,omitempty"`
}

// mostOutput is how many lines of what git and its hooks said are printed, unless everything is to be.
const mostOutput = 40

// commit writes what became of a run's commit.
func commit(out, errs Printer, o Outcome, detail Detail) {
	c := o.Commit
	if c == nil {
		return
	}
	quiet := c.Error == nil && detail < Normal
	if !quiet {
		errs.output(c.Output, detail)
	}
	switch {
	case c.Error != nil:
		if detail < Normal {
			out = errs
		}
		out.paragraph("", red, "not committed:", Clean(c.Error.Message)+"; the files are written")
		what := "fix the problem above, then git add the files and git commit"
		if o.Run != "" {
			what += ", or take them back with srpatch undo"
		}
		out.paragraph("", dim, "to go on:", what)
	case quiet:
	case c.Unchanged:
		out.line("nothing to commit: git sees no change in what was written")
	default:
		where := "a detached HEAD"
		if c.Branch != "" {
			where = Clean(c.Branch)
		}
		out.line("committed ", Clean(c.Short), " on ", where, ": ", Clean(c.Subject))
		if len(c.Differs) > 0 {
			names := make([]string, len(c.Differs))
			for i, name := range c.Differs {
				names[i] = Clean(name)
			}
			out.paragraph("", yellow, "not as the run wrote it:", strings.Join(names, ", "))
		}
	}
}

// output writes what another program said, each line behind a mark, so that none looks like one of the report.
func (p Printer) output(text string, detail Detail) {
	var lines []string
	for line := range cleanLines(text) {
		lines = append(lines, line)
	}
	for i, line := range lines {
		if detail < Verbose && len(lines) > mostOutput && i >= mostOutput/2 && i < len(lines)-mostOutput/2 {
			if i == mostOutput/2 {
				p.line(p.paint(dim, "git: "), "... ", plural(len(lines)-mostOutput, "line"), " (-v shows them)")
			}
			continue
		}
		p.line(p.paint(dim, "git: "), line)
	}
}
