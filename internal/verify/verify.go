// Package verify runs the command that decides whether a tree is good, such as tests or a build.
// The shell runs it in a process group of its own, so that no process of the group outlives it. Its
// output is kept as far as a report can show it.
package verify

import (
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/srpatch/srpatch/internal/excerpt"
)

// Status says how a command ended.
type Status string

const (
	// Passed: its exit status was 0.
	Passed Status = "passed"
	// Failed: it had another exit status, or was ended by a signal.
	Failed Status = "failed"
	// Interrupted: it was ended because the run was interrupted.
	Interrupted Status = "interrupted"
	// NotStarted: there is no shell, or it can't be started.
	NotStarted Status = "not-started"
)

// Result is the result of a command.
type Result struct {
	Status Status
	// Exit is the exit status, or -1 if the command was ended by a signal.
	Exit int
	// Err says why the command didn't pass, or is nil if it did.
	Err error
	// Output is what the command wrote to stdout and stderr, in the order of arrival.
	Output excerpt.Writer
	// Took is the time that the command took.
	Took time.Duration
}

// grace is how long processes have to end after they were asked to, and how long to wait for output
// that something in the background keeps open.
const grace = 2 * time.Second

// Run runs a line in the shell, in a directory, to its end or until ctx is done. Then the rest of its
// process group is killed. A process that has left the group keeps running. env has variables, as
// NAME=VALUE, in addition to srpatch's own.
func Run(ctx context.Context, line, dir string, env ...string) Result {
	start := time.Now()
	r := Result{Exit: -1}
	cmd := shell(ctx, line)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
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

// statusOf returns how a command ended for which runGroup returned err.
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
