package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/term"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/internal/version"
)

// The exit statuses.
const (
	// exitOK: every block is applied, was applied before, or is a no-op. `filter`: every line was
	// answered.
	exitOK exitStatus = 0
	// exitRefused: a block was refused, an edit could not be read, or the command of --verify
	// failed. Without --partial, no file is changed.
	exitRefused exitStatus = 1
	// exitTrouble: usage, input or output is at fault, the reply has no edit, there is no refused
	// run to retry, or a run stays although --verify failed. `undo`, `redo`: nothing was undone.
	exitTrouble exitStatus = 2
)

// exitStatus is what a run exits with.
type exitStatus = int

// command is a run of the command.
type command struct {
	input
	stdout, stderr io.Writer
	env            func(string) string
	// terminal opens the terminal that answers come from when stdin is taken.
	terminal func() (io.Reader, error)

	// batch is set if the run is one of several.
	batch *batch

	// code is the exit status of a run that ended without trouble.
	code int
	// outputErr is the reason why part of the output to stdout is missing.
	outputErr error
}

// run is the whole command: it reads args, does what they say, and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	c := &command{input: input{stdin: stdin}, stdout: stdout, stderr: stderr, env: env, terminal: openTerminal}
	err := c.do(ctx, args)
	if errs, ok := c.stderr.(*defused); ok { // it holds back a line without an end
		defer errs.flush()
		stderr = errs
	}
	if err == nil {
		return c.code
	}
	for _, e := range unjoined(err) {
		fmt.Fprintf(stderr, "srpatch: %s\n", report.Clean(diagnosis.Words(e)))
	}
	if code(err) == failure.Usage {
		fmt.Fprintf(stderr, "Try %s for help.\n", c.verb.command("--help"))
	}
	return exitTrouble
}

// unjoined returns the errors that err was joined from, for example one for each file. An error
// that wasn't joined is returned alone.
func unjoined(err error) (all []error) {
	several, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	for _, e := range several.Unwrap() {
		all = append(all, unjoined(e)...)
	}
	return all
}

// do parses args and runs the verb, or prints help or the version. If no reply is named and stdin
// is a terminal, it offers the clipboard. If the user refuses, it prints help on stderr, and sets
// c.code. With --annotate=github, it makes c.stdout and c.stderr harmless for GitHub's runner.
func (c *command) do(ctx context.Context, args []string) (err error) {
	if len(args) > 0 && args[0] == "__complete" {
		return complete(c.stdout, args[1:])
	}
	if c.invocation, err = parseFlags(args, c.env); err != nil {
		return err
	}
	switch {
	case c.help && c.verb.name != "":
		return help(c.stdout, c.verb)
	case c.brief:
		_, err := io.WriteString(c.stdout, screen)
		return err
	case c.help:
		return fullHelp(c.stdout)
	case c.version:
		return c.printVersion()
	}
	if c.annotate == "github" {
		c.stdout, c.stderr = &defused{w: c.stdout}, &defused{w: c.stderr}
	}
	needsReply := c.verb.set&vReading&^(vRetry|vWhy) != 0 // these two can do without a reply
	isNamed := len(c.args) > 0 || !c.readsStdin()         // with --clipboard, it needs no name
	switch {
	case c.verb.args == "" && len(c.args) > 0:
		return usagef("%s takes no arguments", c.verb.name)
	case needsReply && !isNamed && isTerminal(c.stdin) && !c.offerClipboard():
		c.code = exitTrouble
		if c.verb.name == "" {
			_, err = io.WriteString(c.stderr, screen)
			return err
		}
		fmt.Fprintf(c.stderr, "srpatch: no reply: name a file, or pipe one in\n\n")
		return help(c.stderr, c.verb)
	}
	return c.verb.run(c, ctx)
}

// printVersion prints the version. With --verbose, which the verb version implies, the commit and
// the version of Go have lines of their own, for bug reports.
func (c *command) printVersion() error {
	build := version.Current()
	text := fmt.Sprintf("srpatch %s\n", build.Version)
	if c.verbose {
		commit := cmp.Or(build.Commit, "unknown")
		if build.Dirty {
			commit += ", with local changes"
		}
		text += fmt.Sprintf("commit %s\n%s %s/%s\n", commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	}
	_, err := io.WriteString(c.stdout, text)
	return err
}

// isTerminal reports whether a stream is a terminal, unlike /dev/null and pipes.
func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// printer returns a printer for a stream, with colour if that is wanted there. If the stream is
// stdout, the first error of writing to it is recorded in c.outputErr.
func (c *command) printer(w io.Writer) report.Printer {
	p := report.Printer{W: w, Color: c.wantColor(isTerminal(w))}
	if w == c.stdout {
		p.W = watched{w, &c.outputErr}
	}
	return p
}

// watched is a writer that keeps its first error.
type watched struct {
	io.Writer
	err *error
}

// Write writes p, and sets *w.err to the error if it's the first.
func (w watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if *w.err == nil {
		*w.err = err
	}
	return n, err
}

// wantColor reports whether to use colors on a stream. terminal says whether it's a terminal. The
// flag --color wins over the environment.
func (c *command) wantColor(terminal bool) bool {
	switch {
	case c.color != "auto":
		return c.color == "always"
	case c.env("NO_COLOR") != "" || c.env("TERM") == "dumb":
		return false
	}
	return terminal
}

// detail returns how much the report says.
func (c *invocation) detail() report.Detail {
	switch {
	case c.quiet:
		return report.Quiet
	case c.verbose:
		return report.Verbose
	}
	return report.Normal
}
