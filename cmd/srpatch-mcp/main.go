// Command srpatch-mcp lets models edit files through the Model Context Protocol, on standard input
// and output: it checks the edits of a reply, applies them all or not at all, undoes them, and
// says why one was refused. It touches only the trees that are the client's roots or are named on
// the command line.
//
// server.go has the server and what all tools share, tools.go the tools, roots.go the trees.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/version"
	"github.com/srpatch/srpatch/parser"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const about = `A Model Context Protocol server on stdin and stdout, with the tools check, apply,
undo, why and prompt. It edits files in the client's roots and in the directories DIR.
`

// run is the whole program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	c := &config{}
	set := c.flags()
	err := set.Parse(args)
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

// config is what the person who starts the server decides. Calls, which a model writes, can't
// loosen it.
type config struct {
	version, readOnly, untrusted, noCreate bool
	maxResult                              int
	policy, encoding, stateDir             string
	allow, deny                            []string
	wait, timeout                          time.Duration
}

// flags returns the server's flags. Those that srpatch has as well mean the same.
func (c *config) flags() *pflag.FlagSet {
	set := pflag.NewFlagSet("srpatch-mcp", pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.SortFlags = false
	set.BoolVar(&c.readOnly, "read-only", false, "offer no tool that writes")
	set.BoolVar(&c.untrusted, "untrusted", false,
		"for a stranger's reply: --deny=@exec, and no deletions, moves or dot files")
	set.StringArrayVar(&c.allow, "allow", nil, "change only files that match one of `GLOBS`")
	set.StringArrayVar(&c.deny, "deny", nil, "change no file that matches one of `GLOBS`")
	set.BoolVar(&c.noCreate, "no-create", false, "refuse new files")
	set.StringVar(&c.policy, "policy", string(apply.Safe),
		"how much may differ: strict (nothing), safe (what leaves the meaning clear) or loose")
	set.StringVar(&c.encoding, "encoding", "", "encoding of files that aren't UTF-8")
	set.StringVar(&c.stateDir, "state-dir", "", "journals (default: $XDG_STATE_HOME/srpatch)")
	set.DurationVar(&c.wait, "wait", time.Minute, "how long to wait for another run on the tree")
	set.DurationVar(&c.timeout, "timeout", 0, "refuse a run whose edits take longer to place")
	set.IntVar(&c.maxResult, "max-result", 64<<10, "shorten results of more than `BYTES`")
	set.BoolVar(&c.version, "version", false, "print the version")
	return set
}

// trees returns the absolute names of the directories of the command line. It fails if one of them
// can't be edited, or if a flag has an invalid value. It makes the default of --timeout explicit.
func (c *config) trees(dirs []string) (absolute []string, err error) {
	if c.maxResult < 4<<10 {
		return nil, fmt.Errorf("--max-result: %d, expected %d or more", c.maxResult, 4<<10)
	}
	if c.wait < 0 || c.timeout < 0 {
		return nil, errors.New("--wait and --timeout: expected 0 or more")
	}
	c.timeout = cmp.Or(c.timeout, math.MaxInt64)
	for _, dir := range dirs {
		w, err := workspace.Open(dir, c.options("")) // with the guards, whose globs it checks
		if err != nil {
			return nil, err
		}
		_, err = c.engine(w).Plan(context.Background(), &parser.Reply{}) // checks its options
		if err = errors.Join(err, w.Close()); err != nil {
			return nil, err
		}
		absolute = append(absolute, w.Dir())
	}
	return absolute, nil
}

// options returns the options for a tree. The guards only apply if replies are given: the hashes of
// a reply and its answers, by which a second run is recognized. Without them the options are for
// undo: a run can be undone whatever is forbidden now.
func (c *config) options(replies ...string) workspace.Options {
	opt := workspace.Options{StateDir: c.stateDir, LockWait: cmp.Or(c.wait, -1)}
	if len(replies) > 0 {
		opt.Replies, opt.Encoding, opt.Allow, opt.Deny = replies, c.encoding, c.allow, c.deny
		opt.NoCreate, opt.Untrusted = c.noCreate, c.untrusted
	}
	return opt
}

// engine returns an engine that places edits in a workspace.
func (c *config) engine(w *workspace.Workspace) *apply.Engine {
	return apply.New(w, apply.Options{
		Policy: apply.Policy(c.policy), Encoding: c.encoding,
		Root: w.Dir(), Prefix: w.Prefix(), Strip: -1,
	})
}

// grace is how long calls may take to end once the server is told to end. A run that does not end
// in time is recovered by the next one.
const grace = 3 * time.Second

// serve answers a client until it is gone, or a signal comes. dirs are the directories of the
// command line.
func serve(c *config, dirs []string) error {
	dirs, err := c.trees(dirs)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := newServer(ctx, c, dirs)
	context.AfterFunc(ctx, func() {
		stop() // a second signal kills
		time.Sleep(grace)
		os.Exit(0) // whatever the client does
	})
	err = s.mcp.Run(ctx, &mcp.StdioTransport{})
	s.calls.Wait() // a run that is being written is written, or rolled back
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
