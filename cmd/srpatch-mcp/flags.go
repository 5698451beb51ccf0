package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/parser"
)

// config is what the person who starts the server decides. A call, which a model writes, loosens nothing of it.
type config struct {
	version, readOnly bool
	maxResult         int

	policy, splice, encoding, stateDir string
	threshold                          float64
	allow, deny                        []string
	untrusted, noCreate                bool
	wait, timeout                      time.Duration
	maxReply, maxSize                  int64
}

const (
	defaultMaxResult = 64 << 10
	leastMaxResult   = 4 << 10
	defaultMaxReply  = 8 << 20
	maxBlocks        = 10_000
)

// parseFlags reads the command line. The flags that srpatch has, too, mean the same.
func parseFlags(args []string) (*config, *pflag.FlagSet, error) {
	c := &config{}
	set := pflag.NewFlagSet("srpatch-mcp", pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	set.SortFlags = false
	set.BoolVar(&c.readOnly, "read-only", false, "offer no tool that writes")
	set.IntVar(&c.maxResult, "max-result", defaultMaxResult, "leave things out of larger results, and say so: `BYTES`")
	set.BoolVar(&c.untrusted, "untrusted", false, "replies may be hostile: --deny=@exec, and no deletions, moves or dot files")
	set.StringArrayVar(&c.allow, "allow", nil, "change files only that one of the `GLOBS` fits; may be repeated")
	set.StringArrayVar(&c.deny, "deny", nil, "change no file that one of the `GLOBS` fits; may be repeated")
	set.BoolVar(&c.noCreate, "no-create", false, "refuse new files")
	set.StringVar(&c.policy, "policy", string(apply.Safe), "how much difference is forgiven: strict, safe or loose")
	set.Float64Var(&c.threshold, "threshold", 0, "similarity that a block must reach, 0 to 1")
	set.StringVar(&c.splice, "splice", string(apply.ThreeWay), "three-way or verbatim")
	set.StringVar(&c.encoding, "encoding", "", "the encoding of files that are not UTF-8")
	set.StringVar(&c.stateDir, "state-dir", "", "where journals are kept (default: $XDG_STATE_HOME/srpatch)")
	set.DurationVar(&c.wait, "wait", time.Minute, "wait so long for another run on the tree to end")
	set.DurationVar(&c.timeout, "timeout", 0, "refuse a run as a whole when finding its places takes longer (default: no limit)")
	set.Int64Var(&c.maxReply, "max-reply", defaultMaxReply, "refuse larger replies: `BYTES`")
	set.Int64Var(&c.maxSize, "max-size", 0, "refuse larger files: `BYTES`")
	set.BoolVar(&c.version, "version", false, "print the version")
	if err := set.Parse(args); err != nil {
		return c, set, err
	}
	if c.maxResult < leastMaxResult {
		return c, set, fmt.Errorf("--max-result: %d, expected %d or more", c.maxResult, leastMaxResult)
	}
	return c, set, nil
}

// validate finds limits that are none.
func (c *config) validate() error {
	for _, n := range []int64{c.maxReply, c.maxSize, int64(c.timeout), int64(c.wait)} {
		if n < 0 {
			return &usageError{fmt.Errorf("a limit is %d", n)}
		}
	}
	return nil
}

// usable reports what is wrong with a directory of the command line, or with the flags for it.
func (c *config) usable(dir string) error {
	w, err := workspace.Open(dir, c.workspaceOptions())
	if err != nil {
		return err
	}
	defer w.Close()
	_, err = apply.New(w, c.engineOptions(w)).Plan(context.Background(), &parser.Reply{})
	return err
}

// usageError is a mistake of whoever calls or configures the server.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// workspaceOptions are those of a tree that a reply is applied to.
func (c *config) workspaceOptions() workspace.Options {
	opt := c.undoOptions()
	opt.NoCreate, opt.Untrusted, opt.Allow, opt.Deny, opt.Encoding = c.noCreate, c.untrusted, c.allow, c.deny, c.encoding
	return opt
}

// undoOptions are those of a tree in which a run is taken back, whatever is forbidden now.
func (c *config) undoOptions() workspace.Options {
	opt := workspace.Options{StateDir: c.stateDir, LockWait: c.wait, Limits: workspace.Limits{FileSize: c.maxSize}}
	if c.wait == 0 {
		opt.LockWait = -1
	}
	return opt
}

// engineOptions are those of the engine on a workspace.
func (c *config) engineOptions(w *workspace.Workspace) apply.Options {
	limits := apply.Limits{FileSize: c.maxSize}
	if limits.FileSize < apply.DefaultFileSize {
		limits.FileSize = 0 // the workspace knows what to do about a smaller one
	}
	return apply.Options{
		Policy: apply.Policy(c.policy), Splice: apply.Splice(c.splice), Threshold: c.threshold, Encoding: c.encoding,
		Root: w.Dir(), Prefix: w.Prefix(), Strip: -1, Limits: limits,
	}
}
