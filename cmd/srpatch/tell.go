package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/diagnosis"
)

// tell reports a run that ended with err, which may be nil, and sets the exit status. It returns
// err and, if the run has written nothing, also the error of printing to stdout. If the run has
// written files, that error is only printed: the run is done.
func (w *work) tell(err error) error {
	r := w.report
	if w.plan == nil {
		w.plan = &apply.Plan{Status: report.StatusError}
	}
	plan := w.plan
	w.describe()
	// If the run stays in spite of err, it has a number or, without a journal, its check failed.
	stays := err == nil || r.Run != "" || r.Verify.Failed()
	r.Written = w.write && plan.Status != apply.Refused && stays
	if !r.Written {
		report.NotWritten(r.Blocks)
	}
	if err == nil && (w.feedback || w.printsMessage()) { // that is, a retry without an answer
		r.Feedback = r.Message()
	}
	if w.verbose || !w.printsMessage() || r.Feedback == "" { // the message replaces the report
		w.printReport()
	}
	w.warn(r.Warnings)
	if r.Error = wireError(err); err == nil {
		r.Error = wireError(checkFailure(r.Verify))
	}
	outputErr := w.printProduct(err)
	if outputErr == nil {
		outputErr = w.outputErr // of the report
	}
	switch {
	case r.Commit != nil && r.Commit.Error != nil:
		w.code = exitTrouble
	case plan.Status != apply.Applied || len(plan.Diagnostics) > 0:
		w.code = exitRefused
	}
	if r.Written {
		w.sayIncomplete(outputErr)
		return err
	}
	return errors.Join(err, outputErr)
}

// describe adds to the report what the plan says, and how the run was asked for. If the check of
// the remembered run would fail again, it also sets the status of the plan to refused.
func (w *work) describe() {
	r := w.report
	r.Blocks, r.Tree = w.plan.Blocks, w.inTree()
	r.Remembered = r.Remembered || w.printsMessage()
	switch { // Looking says why the run writes nothing
	case w.verb.set == vCheck:
		r.Looking = "check"
	case w.printsMessage():
		r.Looking = "the reply fits now: apply it again"
	case !w.write:
		r.Looking = "dry run"
	}
	if w.reply != nil {
		r.Located, r.Noticed = w.reply.located, w.reply.Noticed
		if len(w.plan.Diagnostics) == len(r.Located) { // the plan knows more of what to do about them
			r.SetDiagnostics(w.plan.Diagnostics)
		}
	}
	if w.past != nil {
		r.InPlace = len(w.past.Reply.Made)
	}
	if w.printsMessage() && w.past.stillFails(w.plan) {
		r.Verify, w.plan.Status = w.past.Verify, apply.Refused
	}
	if w.batch != nil {
		r.Reply = w.batch.reply
	}
	r.Status = w.plan.Status
}

// printReport prints the report to stdout, unless stdout is used for other output. Refusals always
// go to stderr. A run without a plan has no report, only an error.
func (w *work) printReport() {
	if w.report.Status == report.StatusError {
		return
	}
	out, errs := w.printer(w.stdout), w.printer(w.stderr)
	if w.json || w.feedback || w.dryRun || w.annotate != "" {
		out = errs
	}
	w.report.Text(out, errs, w.detail())
}

// printProduct prints the output that was asked for instead of, or after, the report: JSON,
// annotations, the message for the model, the list of files, or the diff. err is the error of the
// run. If there is one, only JSON and annotations are printed. It returns the error of printing.
func (w *work) printProduct(err error) error {
	r := w.report
	switch {
	case w.json:
		if err != nil {
			r.Status = report.StatusError
		}
		return report.JSON(w.stdout, r)
	case w.annotate != "":
		return w.printAnnotations(r, w.reply)
	case err != nil:
	case w.feedback:
		if w.copy {
			return w.copyMessage(r.Feedback)
		}
		_, err = io.WriteString(w.stdout, r.Feedback)
		return err
	case w.plan.Status == apply.Refused:
	case w.verb.set == vCheck && !w.quiet:
		report.Stat(w.printer(w.stdout), w.plan.Files)
	case w.dryRun:
		return w.printDiff(w.plan)
	}
	return nil
}

// printDiff writes what the plan changes: in colour and without control characters for people,
// unchanged for programs.
func (c *command) printDiff(plan *apply.Plan) error {
	if c.color == "always" || isTerminal(c.stdout) {
		report.Diff(c.printer(c.stdout), plan.Diff())
		return nil
	}
	_, err := c.stdout.Write(plan.Diff())
	return err
}

// printsMessage reports whether this is srpatch retry without an answer, which prints the message
// for the model about the refused run.
func (c *input) printsMessage() bool { return c.past != nil && !c.past.answered }

// say prints a message on stderr.
func (c *command) say(format string, args ...any) {
	fmt.Fprintf(c.stderr, "srpatch: "+format+"\n", args...)
}

// warn prints the warnings of a run on stderr.
func (c *command) warn(warnings []string) {
	for _, w := range warnings {
		c.say("warning: %s", report.Clean(w))
	}
}

// sayIncomplete says on stderr why stdout is incomplete, unless err is nil. The exit status doesn't
// change, because the run itself has succeeded.
func (c *command) sayIncomplete(err error) {
	if err != nil {
		c.say("the run is done, but its report was lost: %s", report.Clean(diagnosis.Words(err)))
	}
}
