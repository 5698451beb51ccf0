// Command srpatch-mcp lets models edit files through the Model Context Protocol, on standard input and output: it checks the edits of a
// reply, applies them all or not at all, takes them back, and says why one was refused. It touches the trees that the client names as
// its roots, or that are named on the command line, and nothing else.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/srpatch/srpatch/internal/version"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the whole program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	c, set, err := parseFlags(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprintf(stdout, "Usage: srpatch-mcp [flags] [DIR...]\n\n%s\n%s", about, set.FlagUsages())
		return 0
	case err == nil && c.version:
		fmt.Fprintln(stdout, "srpatch-mcp", version.Current().Version)
		return 0
	case err == nil:
		err = serve(c, set.Args())
	}
	if err != nil {
		fmt.Fprintln(stderr, "srpatch-mcp:", err)
		return 2
	}
	return 0
}

const about = `A server for the Model Context Protocol on standard input and output, with the tools check, apply, undo, why and prompt.
It edits the trees that the client names as roots, and the directories DIR.
`

// serve answers a client until it is gone, and ends what it has begun.
func serve(c *config, dirs []string) error {
	if err := c.validate(); err != nil {
		return err
	}
	for i, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		if err := c.usable(abs); err != nil {
			return err
		}
		dirs[i] = abs
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal kills
	s, err := newServer(c, dirs)
	if err != nil {
		return err
	}
	gone, leave := context.WithCancel(ctx)
	defer leave()
	out := &writer{w: os.Stdout}
	served := make(chan error, 1)
	go func() {
		err := s.mcp.Run(ctx, transportOf(os.Stdin, out, c.maxReply, leave))
		s.calls.Wait() // a run that is being written is written, or taken back
		out.sending.Wait()
		served <- err
	}()
	select {
	case err = <-served:
	case <-gone.Done():
		err = s.finish(ctx, served)
	}
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// How long a server waits once its client is gone or it is told to end: for calls at work, and then for those that it has interrupted.
const (
	callsEnd = 3 * time.Second
	grace    = time.Second
)

// finish ends the server, whatever its client does. A run that does not end in time is recovered by the next one.
func (s *server) finish(signalled context.Context, served <-chan error) error {
	select {
	case err := <-served:
		return err
	case <-signalled.Done():
	case <-time.After(callsEnd):
	}
	s.interrupt()
	select {
	case err := <-served:
		return err
	case <-time.After(grace):
		return nil
	}
}
