package main

import (
	"context"
	"errors"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/gitcommit"
	"github.com/srpatch/srpatch/parser"
)

func (c *command) apply(ctx context.Context) error { return c.place(ctx, !c.dryRun, c.dryRun) }
func (c *command) check(ctx context.Context) error { return c.place(ctx, false, false) }

// place finds the place of every block, writes the result if asked to, and reports.
func (c *command) place(ctx context.Context, write, diff bool) error {
	if c.each {
		return c.placeEach(ctx, write, diff)
	}
	u, plan, r, err := c.plan(ctx, write)
	err = interrupted(err)
	if plan == nil {
		plan = &apply.Plan{Status: report.StatusError}
	}
	c.describe(r, u, plan, write)
	r.Written = write && plan.Status != apply.Refused && (err == nil || r.Run != "")
	if !r.Written {
		report.NotWritten(r.Blocks)
	}
	hint, elsewhere := c.above(plan, c.root)
	r.Elsewhere = elsewhere
	if err == nil && (c.feedback || c.asks()) {
		r.Feedback = r.Message()
	}
	if c.verbose || !c.asks() || r.Feedback == "" {
		c.report(r, diff)
	}
	if hint != "" {
		fmt.Fprintf(c.stderr, "srpatch: %s\n", hint)
	}
	if plan.Status == apply.Refused && c.past == nil && u.isLog() {
		fmt.Fprintln(c.stderr, "srpatch: the reply has answers from several turns of a chat;",
			"--last applies the last one, --only the blocks that you name")
	}
	c.warn(r.Warnings)
	if r.Error = wireError(err); err == nil {
		r.Error = wireError(unverified(r.Verify))
	}
	lost := c.product(r, u, plan, diff, err)
	switch {
	case r.Commit != nil && r.Commit.Error != nil:
		c.code = exitTrouble
	case plan.Status != apply.Applied || len(plan.Diagnostics) > 0:
		c.code = exitRefused
	}
	if lost == nil {
		lost = c.lost
	}
	if plan.Status != report.StatusError && r.Written {
		c.sayLost(lost)
		return err
	}
	return errors.Join(err, lost)
}

// describe adds to the report of a run what its plan says, and how it was asked for.
func (c *command) describe(r *report.Run, u *understood, plan *apply.Plan, write bool) {
	r.Blocks, r.Unlogged, r.Tree = plan.Blocks, c.noJournal, c.inTree()
	r.Remembered = r.Remembered || c.asks()
	switch {
	case c.verb.set == vCheck:
		r.Looking = "check"
	case !write:
		r.Looking = "dry run"
	}
	if u != nil {
		r.Located, r.Noticed = u.located, u.Noticed
		if len(plan.Diagnostics) == len(u.located) { // the plan knows more of what to do about them
			r.SetDiagnostics(plan.Diagnostics)
		}
	}
	if c.past != nil {
		r.InPlace = c.past.inPlace()
	}
	if c.asks() && c.past.stillFails(plan) {
		r.Verify, plan.Status = c.past.run.Verify, apply.Refused
	}
	if c.batch != nil {
		r.Reply = c.batch.reply
	}
	r.Status = plan.Status
}

// product prints on stdout what was asked for instead of a report.
func (c *command) product(r *report.Run, u *understood, plan *apply.Plan, diff bool, err error) error {
	switch {
	case c.json:
		if err != nil {
			r.Status = report.StatusError
		}
		return r.JSON(c.stdout)
	case c.annotate != "":
		return c.printAnnotations(r, u)
	case err != nil:
	case c.feedback:
		_, err = io.WriteString(c.stdout, r.Feedback)
		return err
	case plan.Status == apply.Refused:
	case c.verb.set == vCheck && !c.quiet:
		report.Stat(c.printer(c.stdout), plan.Files)
	case diff:
		return c.printDiff(plan)
	}
	return nil
}

// printDiff writes what the plan changes: for people with colour and without control bytes, for programs as it is. An
// environment that forces colour means reports; no program could apply a coloured diff.
func (c *command) printDiff(plan *apply.Plan) error {
	if c.color == "always" || isTerminal(c.stdout) {
		report.Diff(c.printer(c.stdout), plan.Diff())
		return nil
	}
	_, err := c.stdout.Write(plan.Diff())
	return err
}

// warn adds what is wrong with a run that succeeds.
func warn(r *report.Run, err error) {
	if err != nil {
		r.Warnings = append(r.Warnings, remedy.Words(err))
	}
}

// asks reports whether the run is to print the message for the model about the refused one.
func (c *command) asks() bool { return c.past != nil && !c.past.answered }

// warn names on stderr what is not as it was although the run succeeded.
func (c *command) warn(warnings []string) {
	for _, w := range warnings {
		fmt.Fprintf(c.stderr, "srpatch: warning: %s\n", report.Clean(w))
	}
}

// sayLost names on stderr why stdout does not hold all that it should. The exit status of a run that has written says so,
// whoever reads its report.
func (c *command) sayLost(err error) {
	if err != nil {
		fmt.Fprintf(c.stderr, "srpatch: the run is done, but its report is lost: %s\n", report.Clean(remedy.Words(err)))
	}
}

// plan reads the replies and the tree, and commits the plan if asked to. What it made before an error is returned with
// the error.
func (c *command) plan(ctx context.Context, write bool) (u *understood, plan *apply.Plan, done *report.Run, err error) {
	done = &report.Run{}
	if u, err = c.understand(); err != nil {
		if code(err) == string(codeNoEdits) && u != nil && c.past == nil && c.notReply() == "" {
			err = errors.Join(err, c.afterNoEdits(ctx, u, write, done))
		}
		return u, nil, done, err
	}
	if c.reverse {
		u.reverse()
	}
	parent := ctx
	ctx, stop := interruptible(parent)
	c.listening = append(c.listening, stop)
	t, err := c.openTree(u)
	if err != nil {
		return u, nil, done, err
	}
	defer c.progress.clear()
	defer func() { err = errors.Join(err, t.Close()) }()
	c.root = t.Dir()
	if err = c.prepare(ctx, t, write); err != nil {
		return u, nil, done, err
	}
	var unverified []string // earlier runs that this one verifies, too
	if write {
		if unverified, err = t.Unverified(); err != nil {
			return u, nil, done, err
		}
	}
	if c.past != nil && c.past.answered {
		if err = c.join(ctx, t, u); err != nil {
			return u, nil, done, err
		}
		if len(u.Blocks)+len(u.Diagnostics) == 0 { // all is given up
			plan = &apply.Plan{Status: apply.Applied}
			done.Warnings = c.past.joined.Skipped
			if write {
				c.settleMemory(t, u, plan, done)
			}
			return u, plan, done, nil
		}
	}
	if c.interactive || c.confirm {
		stop() // whoever asks listens
		if err = c.choose(parent, t, u); err != nil {
			return u, nil, done, err
		}
		if len(u.Blocks) == 0 && len(u.Diagnostics) == 0 {
			return u, &apply.Plan{Status: apply.Applied}, done, nil // as was answered
		}
		ctx, stop = interruptible(parent)
		c.listening = append(c.listening, stop)
	}
	if plan, err = c.planOn(ctx, t, &u.Reply); err != nil {
		return u, nil, done, err
	}
	if c.json {
		done.Files = t.files(plan, c.verb.set == vCheck)
	}
	var made *commit
	if write && plan.Status != apply.Refused {
		if made, err = c.prepareCommit(ctx, t, plan); err != nil {
			return u, plan, done, err
		}
		done.Run, err = t.Commit(ctx, plan)
		if err == nil {
			err = c.verifyRun(ctx, t, plan, done, newestFirst(unverified, made.runs("")))
		}
		if err == nil && plan.Status != apply.Refused {
			c.commitRun(ctx, t, made, done)
		}
	}
	for _, run := range t.uncommitted {
		if write && err == nil && plan.Status != apply.Refused && (made == nil || !slices.Contains(made.earlier, run)) {
			done.Warnings = append(done.Warnings, uncommitted(run))
		}
	}
	if done.Verify == nil {
		for _, run := range unverified {
			done.Warnings = append(done.Warnings, fmt.Sprintf("run %s is still not verified", run))
		}
	}
	remedy.Blocks(plan.Blocks)
	noteLeftOut(plan.Blocks, u.leftOut)
	if c.past != nil {
		c.past.joined.Note(plan.Blocks)
		done.Warnings = append(done.Warnings, c.past.joined.Skipped...)
	}
	if write && err == nil {
		done.Remembered = c.settleMemory(t, u, plan, done)
	}
	return u, plan, done, err
}

// planOn finds the places of a reply's blocks in the tree.
func (c *command) planOn(ctx context.Context, t *tree, reply *parser.Reply) (*apply.Plan, error) {
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.timeout, &trouble{codeTimeout, fmt.Errorf("finding the places took more than %v; nothing was written", c.timeout)})
		defer cancel()
	}
	plan, err := c.engine(t).Plan(ctx, reply)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, context.Cause(ctx)
	}
	return plan, err
}

// engine is one for the tree, as the flags ask for.
func (c *command) engine(t *tree) *apply.Engine {
	limits := apply.Limits{FileSize: c.maxSize}
	if limits.FileSize < apply.DefaultFileSize {
		limits.FileSize = 0 // the workspace knows what to do about a smaller one
	}
	return apply.New(t, apply.Options{
		Policy:  apply.Policy(c.policy),
		Partial: c.partial, AppendEmpty: c.appendEmpty, AllowPlaceholders: c.allowPlaceholders,
		File: c.file, Strip: c.strip, Root: t.Dir(), Prefix: t.Prefix(), Limits: limits,
		Encoding: c.encoding, Progress: c.progress.of("finding the places"),
	})
}

// interruptible returns a context that the first interrupt ends, so that a run stops between two files. A second one kills, as it
// does without srpatch's help; the journal then has what recovery needs.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// interrupted says what an interrupt came to, instead of which part of the program noticed it.
func interrupted(err error) error {
	if errors.Is(err, context.Canceled) && err.Error() == context.Canceled.Error() { // and nothing else went wrong
		return &trouble{codeInterrupted, errors.New("interrupted; nothing was written")}
	}
	return err
}

// report goes to stdout, unless stdout carries a product; refusals go to stderr in any case.
func (c *command) report(r *report.Run, diff bool) {
	if r.Status == report.StatusError {
		return
	}
	out, errs := c.printer(c.stdout), c.printer(c.stderr)
	if c.json || c.feedback || diff || c.annotate != "" {
		out = errs
	}
	r.Text(out, errs, c.detail())
}

// wireError is the wire form of an error; nil of none.
func wireError(err error) *report.Error {
	if err == nil {
		return nil
	}
	var says []string
	for _, e := range joined(err) {
		says = append(says, remedy.Words(e))
	}
	return &report.Error{Code: code(err), Message: strings.Join(says, "; ")}
}

// code is the stable code of an error.
func code(err error) string {
	if e, ok := errors.AsType[*trouble](err); ok {
		return string(e.code)
	}
	if e, ok := errors.AsType[*apply.ReasonError](err); ok {
		return string(e.Reason)
	}
	if e, ok := errors.AsType[*gitcommit.Error](err); ok {
		return string(e.Code)
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return string(codeUsage)
	}
	return string(codeIO)
}
