package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/parser"
)

// errNoInput is a run without a reply, from a terminal.
var errNoInput = errors.New("no reply: name a file, or pipe one in")

// input is one reply as it came in.
type input struct {
	name string // "" for standard input
	text []byte
}

// inputs reads the replies that the arguments name, or standard input.
func (c *command) inputs() ([]input, error) {
	args := c.args
	if len(args) == 0 {
		if isTerminal(c.stdin) {
			return nil, errNoInput
		}
		args = []string{"-"}
	}
	var all []input
	for i, name := range args {
		switch {
		case name != "-":
			text, err := os.ReadFile(name)
			if errors.Is(err, fs.ErrNotExist) && i == 0 {
				return nil, fmt.Errorf("%w%s", err, didYouMean(name, verbNames(), ""))
			}
			if err != nil {
				return nil, err
			}
			all = append(all, input{name, text})
		case slices.Index(args, "-") < i:
			return nil, usagef("- is given twice; standard input can be read once")
		default:
			text, err := io.ReadAll(c.stdin)
			if err != nil {
				return nil, fmt.Errorf("reading standard input: %w", err)
			}
			all = append(all, input{"", text})
		}
	}
	return all, nil
}

// trouble is an error with a stable code, for --json.
type trouble struct {
	code string
	err  error
}

func (t *trouble) Error() string { return t.err.Error() }
func (t *trouble) Unwrap() error { return t.err }

// understood is what the replies of a run say, taken together.
type understood struct {
	parser.Reply
	// located are the reply's diagnostics with the names of their files.
	located []render.Located
}

// understand parses the inputs, numbers their blocks through, and keeps those that --only names.
func (c *command) understand() (*understood, error) {
	ins, err := c.inputs()
	if err != nil {
		return nil, err
	}
	u := &understood{}
	for _, in := range ins {
		u.add(in.name, parser.Parse(in.text))
	}
	if len(u.Blocks) == 0 && len(u.Diagnostics) == 0 {
		return u, &trouble{"no-edits", errors.New("the reply holds no edit: no SEARCH/REPLACE block and nothing like one")}
	}
	return u, u.keep(c.only)
}

func (u *understood) add(name string, reply *parser.Reply) {
	for _, b := range reply.Blocks {
		b.ID = len(u.Blocks) + 1
		u.Blocks = append(u.Blocks, b)
	}
	for _, d := range reply.Diagnostics {
		u.located = append(u.located, render.Located{Reply: name, Diagnostic: d})
	}
	u.Shell = append(u.Shell, reply.Shell...)
	u.Diagnostics = append(u.Diagnostics, reply.Diagnostics...)
}

// keep drops every block that the list does not name. Whoever names blocks does not ask about the rest of the reply, so
// its diagnostics go too.
func (u *understood) keep(list string) error {
	ids, err := parseOnly(list)
	if err != nil || ids == nil {
		return err
	}
	for id := range ids {
		if id > len(u.Blocks) {
			return usagef("--only: there is no block %d; the reply has %d", id, len(u.Blocks))
		}
	}
	u.Blocks = slices.DeleteFunc(u.Blocks, func(b parser.Block) bool { return !ids[b.ID] })
	u.Diagnostics, u.located = nil, nil
	return nil
}
