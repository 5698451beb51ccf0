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
		err = serve(c, args, set.Args())
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
func serve(c *config, args, dirs []string) error {
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
	s, err := newServer(c, args, dirs)
	if err != nil {
		return err
	}
	err = s.mcp.Run(ctx, transportOf(os.Stdin, os.Stdout, c.maxReply))
	s.calls.Wait() // a run that is being written is written, or taken back
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
