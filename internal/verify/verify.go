// Package verify runs the command by which a person lets a machine say whether a tree is good,
// tests or a build. It is run by the shell, with everything that it starts in a group of its own,
// so that no process of the group outlives it, and of its output so much is kept as a report can
// show.
package verify

import (
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/srpatch/srpatch/internal/excerpt"
)

// Status is how a command ended.
type Status string

const (
	// Passed: its exit status was 0.
	Passed Status = "passed"
	// Failed: its exit status was another one, or a signal ended it.
	Failed Status = "failed"
	// Interrupted: it was ended because the run was.
	Interrupted Status = "interrupted"
	// NotStarted: there is no shell, or it cannot be started.
	NotStarted Status = "not-started"
)

// Command is a line for the shell.
type Command struct {
	Line string
	// Dir is the directory that it is run in.
	Dir string
	// Env are variables, as NAME=VALUE, besides those that srpatch has itself.
	Env []string
}

// Result is what became of a command.
type Result struct {
	Status Status
	// Exit is its exit status; -1 where it has none, as it was ended.
	Exit int
	// Err says why it did not pass; nil if it did.
	Err error
	// Output is what it wrote, stdout and stderr as they came.
	Output excerpt.Writer
	// Took is how long it ran.
	Took time.Duration
}

// grace is how long what was asked to end may take for it, and how long the output is waited for
// that something in the background keeps open.
const grace = 2 * time.Second

// Run runs the command to its end, or until ctx is done. Then the rest of its process group is
// killed; a process that has left the group keeps running.
func (c *Command) Run(ctx context.Context) Result {
	start := time.Now()
	r := Result{Exit: -1}
	cmd := shell(ctx, c.Line)
	cmd.Dir = c.Dir
	cmd.Env = append(cmd.Environ(), c.Env...)
	cmd.Stdout, cmd.Stderr = &r.Output, &r.Output // one pipe, so that they come in their order
	cmd.WaitDelay = grace
	r.Err = runGroup(cmd)
	if errors.Is(r.Err, exec.ErrWaitDelay) {
		r.Err = nil // it has ended well, and something that it left in the background has not
	}
	r.Took = time.Since(start)
	if cmd.ProcessState != nil {
		r.Exit = cmd.ProcessState.ExitCode()
	}
	r.Status = statusOf(ctx, cmd, r.Err)
	return r
}

func statusOf(ctx context.Context, cmd *exec.Cmd, err error) Status {
	switch {
	case err == nil:
		return Passed
	case ctx.Err() != nil:
		return Interrupted
	case cmd.ProcessState == nil:
		return NotStarted
	}
	return Failed
}
