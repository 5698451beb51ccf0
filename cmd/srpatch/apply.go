package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/internal/gitcommit"
	"github.com/srpatch/srpatch/parser"
)

// place finds the place of every block, writes the result if the verb and the flags say so, and
// reports.
func (c *command) place(ctx context.Context) error {
	if c.each {
		return c.placeEach(ctx)
	}
	w := &work{command: c, report: &report.Run{}, stop: func() {}}
	defer func() { w.stop() }() // after the report
	w.write = c.verb.set&vWriting != 0 && !c.dryRun && !c.printsMessage()
	return w.tell(interrupted(w.run(ctx)))
}

// work is a run. It goes through the steps of [work.run], each of which may end it.
type work struct {
	*command
	write bool
	// parent is the context of the command. ctx also ends with an interrupt, and stop ends ctx.
	parent, ctx context.Context
	stop        context.CancelFunc

	reply  *understood
	tree   *tree
	plan   *apply.Plan // nil before the step find
	report *report.Run
	ended  bool // no block is left, so the other steps are left out
}

// run takes the steps until one fails or ends the run. Then it closes the tree.
func (w *work) run(ctx context.Context) (err error) {
	w.parent = ctx
	defer func() {
		if w.tree != nil {
			err = errors.Join(err, w.tree.Close())
		}
	}()
	for _, step := range []func() error{w.read, w.open, w.join, w.ask, w.find, w.change} {
		if err := step(); err != nil || w.ended {
			return err
		}
	}
	return nil
}

// read reads the reply, and reverses it for --reverse. If the reply has text but no edit, read
// remembers it for a retry if the run should write, and adds the next steps to the error.
func (w *work) read() (err error) {
	if w.reply, err = w.understand(); err == nil {
		if w.reverse {
			w.reply.reverse()
		}
		return nil
	}
	if code(err) == failure.NoEdits && w.reply != nil && w.hasText && w.past == nil {
		err = errors.Join(err, w.afterNoEdits(w.parent, w.reply, w.write, w.report))
	}
	return err
}

// listen catches interrupts.
func (w *work) listen() { w.ctx, w.stop = interruptible(w.parent) }

// open opens the tree, and recovers interrupted runs.
func (w *work) open() (err error) {
	w.listen()
	if w.tree, err = w.openTree(w.reply); err != nil {
		return err
	}
	return w.prepare(w.ctx, w.tree, w.write)
}

// join makes sure that the answer of a retry is to the run that is remembered now. If the answer
// skips all edits that were left, join forgets that run, if this one should write, and ends this
// one.
func (w *work) join() error {
	if w.past == nil || !w.past.answered {
		return nil
	}
	if err := w.startRetry(w.tree); err != nil {
		return err
	}
	if len(w.reply.Blocks)+len(w.reply.Diagnostics) == 0 { // the answer skips every edit
		w.end()
		w.report.Warnings = w.past.skipped
		if w.write {
			w.settleMemory(w.tree, w.reply, w.plan, w.report)
		}
	}
	return nil
}

// end ends a run that has no block left.
func (w *work) end() { w.plan, w.ended = &apply.Plan{Status: apply.Applied}, true }

// ask asks the user about blocks, with -i or --confirm. It ends the run if no block is left.
func (w *work) ask() error {
	if !w.interactive && !w.confirm {
		return nil
	}
	w.stop() // an interrupt may end the process, because nothing is written yet
	if err := w.choose(w.parent, w.tree, w.reply); err != nil {
		return err
	}
	if len(w.reply.Blocks)+len(w.reply.Diagnostics) == 0 {
		w.end()
		return nil
	}
	w.listen()
	return nil
}

// find finds the places of the blocks, and sets w.plan. For JSON, it also reports the changes of the
// files; those of check have the edits that turn the old text into the new one, for an editor.
func (w *work) find() (err error) {
	if w.plan, err = w.planOn(w.ctx, w.tree, &w.reply.Reply); err != nil || !w.json {
		return err
	}
	w.report.Files = report.Files(w.plan.Files, w.tree.Sum)
	for i := range w.plan.Files {
		if f := &w.plan.Files[i]; w.verb.set == vCheck && f.Action != apply.Delete {
			w.report.Files[i].TextEdits = report.TextEdits(f)
		}
	}
	return nil
}

// change writes the files of the plan, if the run should write and isn't refused. The --verify
// commands then run, and can still undo this. Afterwards change makes the git commit that --commit
// asks for, and remembers what was refused. It adds the results to the plan and the report.
func (w *work) change() (err error) {
	r, plan := w.report, w.plan
	var prepared *commit
	if w.write && plan.Status != apply.Refused {
		if prepared, err = w.prepareCommit(); err != nil {
			return err
		}
		w.tree.check = w.checkRun
		r.Run, err = w.tree.Commit(w.ctx, plan)
		if err = w.settleCheck(err); err == nil && plan.Status != apply.Refused {
			w.commitRun(prepared)
		}
	}
	for i := range plan.Blocks { // name flags instead of the library's options
		plan.Blocks[i].Message = diagnosis.InFlags(plan.Blocks[i].Message)
	}
	if w.past != nil {
		w.past.Reply.Planned(plan)
		r.Warnings = append(r.Warnings, w.past.skipped...)
	}
	if w.write && err == nil {
		r.Remembered = w.settleMemory(w.tree, w.reply, plan, r)
	}
	return err
}

// planOn finds the places of a reply's blocks in the tree, within the time of --timeout. If that is
// over, the error says so.
func (c *command) planOn(ctx context.Context, t *tree, reply *parser.Reply) (*apply.Plan, error) {
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.timeout, codef(failure.Timeout,
			"finding the places took more than %v; nothing was written", c.timeout))
		defer cancel()
	}
	plan, err := c.engine(t).Plan(ctx, reply)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, context.Cause(ctx)
	}
	return plan, err
}

// engine returns an engine for the tree with the options of the flags.
func (c *command) engine(t *tree) *apply.Engine {
	limits := apply.Limits{FileSize: c.maxSize}
	if limits.FileSize < apply.DefaultFileSize {
		limits.FileSize = 0 // the default: the workspace itself enforces a smaller limit
	}
	return apply.New(t, apply.Options{
		Policy:  apply.Policy(c.policy),
		Partial: c.partial, AppendEmpty: c.appendEmpty, AllowPlaceholders: c.allowPlaceholders,
		File: c.file, Strip: c.strip, Root: t.Dir(), Prefix: t.Prefix(), Limits: limits,
		Encoding: c.encoding,
	})
}

// interruptible returns a context that the first interrupt ends, so that a run stops between two
// files. A second interrupt kills the process, as it would without srpatch's help. The journal then
// has what recovery needs.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// interrupted returns err or, if it only says that the context was canceled, an error that explains
// this to the user.
func interrupted(err error) error {
	// An error joined from several has a longer text, because something else went wrong as well.
	if errors.Is(err, context.Canceled) && err.Error() == context.Canceled.Error() {
		return codef(failure.Interrupted, "interrupted; nothing was written")
	}
	return err
}

// wireError returns an error as it's written in JSON, or nil for nil. The messages of joined errors
// are separated by semicolons.
func wireError(err error) *report.Error {
	if err == nil {
		return nil
	}
	var says []string
	for _, e := range unjoined(err) {
		says = append(says, diagnosis.Words(e))
	}
	return &report.Error{Code: string(code(err)), Message: strings.Join(says, "; ")}
}

// codef returns an error with a stable code for programs.
func codef(code failure.Code, format string, args ...any) error {
	return &apply.ReasonError{Reason: apply.Reason(code), Err: fmt.Errorf(format, args...)}
}

// usagef returns an error about a command line that can't be understood.
func usagef(format string, args ...any) error { return codef(failure.Usage, format, args...) }

// code returns the stable code of an error, such as "no-edits". An error that carries none comes
// from the system, and has the code of I/O errors.
func code(err error) failure.Code {
	if e, ok := errors.AsType[*apply.ReasonError](err); ok {
		return failure.Code(e.Reason)
	}
	if e, ok := errors.AsType[*gitcommit.Error](err); ok {
		return failure.Code(e.Code)
	}
	return failure.IO
}
