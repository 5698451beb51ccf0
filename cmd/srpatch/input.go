package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"

	"golang.org/x/text/encoding/unicode"

	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/internal/retry"
	"github.com/srpatch/srpatch/parser"
)

// errNoInput is a run without a reply, from a terminal.
var errNoInput = errors.New("no reply: name a file, or pipe one in")

// source is one reply that is to be read.
type source struct {
	name string // "" for standard input
	io.ReadCloser
}

// sources opens the replies that are named, or standard input, one after the other.
func (c *command) sources() iter.Seq2[source, error] {
	return func(yield func(source, error) bool) {
		stdin := 0 // how often it was given
		for name, err := range c.replies() {
			if name == "-" {
				stdin++
			}
			var src source
			switch {
			case err != nil:
			case stdin > 1:
				err = usagef("- is given twice; standard input can be read once")
			default:
				src, err = c.open(name)
				if len(c.args) > 0 && name == c.args[0] && errors.Is(err, fs.ErrNotExist) {
					err = fmt.Errorf("%w%s", err, c.verbMeant(name))
				}
			}
			if !yield(src, err) || err != nil {
				return
			}
		}
	}
}

// readsStdin reports whether replies, or the list of them, come from standard input.
func (c *command) readsStdin() bool {
	named := len(c.args) > 0 || c.filesFrom != "" || c.clipboard
	return !named || c.filesFrom == "-" || slices.Contains(c.args, "-")
}

func (c *command) open(name string) (source, error) {
	if c.clipboard {
		text, err := c.readClipboard()
		return source{name, io.NopCloser(bytes.NewReader(text))}, err
	}
	if name == "-" {
		return source{"", io.NopCloser(decoded(c.stdin))}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return source{name, f}, err
	}
	return source{name, struct {
		io.Reader
		io.Closer
	}{decoded(f), f}}, nil
}

// decoded reads UTF-16, in which some shells write files and pipes, as UTF-8. It is known by its byte order mark, or by a NUL in
// the first character, which a reply begins with in no other encoding. Anything else stays as it is.
func decoded(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	start, _ := b.Peek(2)
	switch {
	case len(start) < 2:
		return b
	case start[0] == 0xff && start[1] == 0xfe, start[0] == 0xfe && start[1] == 0xff:
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder().Reader(b)
	case start[0] != 0 && start[1] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder().Reader(b)
	case start[0] == 0 && start[1] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder().Reader(b)
	}
	return b
}

// trouble is an error with a stable code, for --json.
type trouble struct {
	code errorCode
	err  error
}

func (t *trouble) Error() string { return t.err.Error() }
func (t *trouble) Unwrap() error { return t.err }

// What is read of replies that are kept in memory, unless flags say otherwise.
const (
	defaultMaxReply  = 64 << 20
	defaultMaxBlocks = 10_000
)

// parserOptions are the parser's, as the flags say. kept says that the blocks are kept in memory.
func (c *command) parserOptions(kept bool) []parser.Option {
	opts := []parser.Option{parser.WithFormat(c.format)}
	if most := cmp.Or(c.maxBlocks, defaultMaxBlocks); kept || c.maxBlocks > 0 {
		opts = append(opts, parser.WithMaxBlocks(most))
	}
	if c.wholeFiles {
		opts = append(opts, parser.WithWholeFiles())
	}
	if c.maxLine > 0 {
		opts = append(opts, parser.WithMaxLine(c.maxLine))
	}
	return opts
}

// bounded is a reply that is an error once more was read than left bytes; a limit of 0 is none.
type bounded struct {
	source
	left, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.source.Read(p)
	if b.left -= int64(n); b.left < 0 && b.limit > 0 {
		return 0, tooLarge(b.limit)
	}
	return n, err
}

func tooLarge(limit int64) error {
	return &trouble{codeTooLarge, fmt.Errorf("the reply has more than %d bytes; raise the limit with --max-reply", limit)}
}

// understood is what the replies of a run say, taken together.
type understood struct {
	parser.Reply
	// names are the files that were read; "" for standard input.
	names []string
	// located are the reply's diagnostics with the names of their files.
	located []render.Located
	// skips are what an answer gives up.
	skips retry.Skips
	// parts are the replies, where there are several.
	parts []workspace.Part
	// hash is of what was read and of how it is read: a second run of the same is known by it, whichever blocks it takes.
	hash hash.Hash
	// leftOut says of blocks, by number, which parts of them were turned down.
	leftOut map[int]string
}

// errNoEdits is a reply without anything that looks like an edit.
func (c *command) errNoEdits(noticed []parser.Noticed) error {
	if c.format != "" {
		return &trouble{codeNoEdits, fmt.Errorf("the reply holds no edit in the format %s; without --format all are read", c.format)}
	}
	if c.past != nil && len(noticed) == 0 {
		return &trouble{codeNoEdits, errors.New("the answer holds no edit; a line such as \"skip block 2\" in it leaves a block out")}
	}
	if whole := slices.ContainsFunc(noticed, func(n parser.Noticed) bool { return n.Code == "whole-file" }); whole && !c.wholeFiles {
		return &trouble{codeNoEdits, errors.New("the reply holds no edit, but what may be whole files; --whole-files writes them")}
	}
	if len(noticed) > 0 {
		n := noticed[0]
		return &trouble{codeNoEdits, fmt.Errorf("the reply holds no edit, but in lines %d to %d %s; what is meant as an edit has to be the answer's own, as a block", n.Lines[0], n.Lines[1], n.What)}
	}
	return &trouble{codeNoEdits, errors.New("the reply holds no edit: no SEARCH/REPLACE block and nothing like one")}
}

// understand is what the run is about: the replies, or what is remembered of those of a refused run.
func (c *command) understand() (*understood, error) {
	if c.past != nil {
		return c.understandRetry()
	}
	return c.readReplies()
}

// readReplies parses the replies, numbers their blocks through, and keeps those that --only names.
func (c *command) readReplies() (*understood, error) {
	if c.stdinFile != "" && c.readsStdin() {
		return nil, usagef("--stdin-file takes standard input for %s; name the reply, or take it from --clipboard", c.stdinFile)
	}
	u := &understood{hash: sha256.New()}
	limit := cmp.Or(c.maxReply, defaultMaxReply)
	left := limit
	for src, err := range c.sources() {
		if err != nil {
			return nil, err
		}
		own := sha256.New()
		reply, text, err := c.readReply(src, left, io.MultiWriter(u.hash, own))
		if err := errors.Join(err, src.Close()); err != nil {
			return nil, fmt.Errorf("reading the reply: %w", err)
		}
		left -= int64(len(text))
		u.names = append(u.names, src.name)
		c.hashReading(own)
		part := workspace.Part{Reply: sumOf(own), Blocks: map[int]int{}}
		for i := range reply.Blocks {
			part.Blocks[i+1] = len(u.Blocks) + i + 1
		}
		u.parts = append(u.parts, part)
		if c.past != nil {
			u.skips.Add(text, reply)
		}
		u.add(src.name, reply, text)
	}
	if len(u.parts) == 1 {
		u.parts = nil // the reply is what was read
	}
	if len(u.Blocks) == 0 && len(u.Diagnostics) == 0 && !u.skips.Any() {
		return u, c.errNoEdits(u.Noticed)
	}
	c.hashReading(u.hash)
	return u, u.keep(c.only)
}

// hashReading adds to the hash of a reply how it is read.
func (c *command) hashReading(sum hash.Hash) {
	if c.reverse || c.file != "" || c.last {
		fmt.Fprintf(sum, "\x00%t\x00%s\x00%t", c.reverse, c.file, c.last)
	}
	if c.wholeFiles {
		fmt.Fprint(sum, "\x00whole")
	}
}

// readReply parses a reply, or of a log the last answer with an edit, and writes what it reads to a hash. It returns the text that
// counts for the limit: of a log no more than one answer is kept, and it is none.
func (c *command) readReply(src source, left int64, sum io.Writer) (*parser.Reply, []byte, error) {
	opts := c.parserOptions(true)
	if c.last {
		reply, err := parser.ParseLast(io.TeeReader(src, sum), append(opts, parser.WithMaxReply(left))...)
		if errors.Is(err, parser.ErrTooLarge) {
			err = &trouble{codeTooLarge, fmt.Errorf("%w; raise the limit with --max-reply", err)}
		}
		return reply, nil, err
	}
	text, err := io.ReadAll(io.TeeReader(&bounded{src, left, cmp.Or(c.maxReply, defaultMaxReply)}, sum))
	return parser.Parse(text, opts...), text, err
}

// nameFlag says in a diagnostic which flag helps.
func nameFlag(d *parser.Diagnostic) {
	if d.Code == parser.AmbiguousTurn {
		d.Remedy += "; without --last, --only takes them"
		return
	}
	switch fsm.Code(d.Code) {
	case parser.ChatLog:
		d.Remedy += "; the flag is --last"
	case fsm.TooLong:
		d.Remedy += "; the flag is --max-line"
	case fsm.TooMany:
		d.Remedy += "; the flag is --max-blocks"
	}
}

func (u *understood) add(name string, reply *parser.Reply, text []byte) {
	for i := range reply.Diagnostics {
		nameFlag(&reply.Diagnostics[i])
	}
	u.located = append(u.located, render.Locate(name, reply, text)...)
	u.Append(reply)
}

// keep drops every block that the list does not name. Whoever names blocks does not ask about the rest of the reply, so
// its diagnostics go too, and what was noticed.
func (u *understood) keep(list string) error {
	ids, err := parseOnly(list)
	if err != nil || ids == nil {
		return err
	}
	if err := inReply(ids, len(u.Blocks)); err != nil {
		return err
	}
	u.Blocks = slices.DeleteFunc(u.Blocks, func(b parser.Block) bool { return !ids[b.ID] })
	u.Diagnostics, u.Attempts, u.Noticed, u.located = nil, nil, nil, nil
	return nil
}

// inReply reports a block that --only names and a reply of n blocks does not have.
func inReply(ids map[int]bool, n int) error {
	if len(ids) == 0 {
		return nil
	}
	if last := slices.Max(slices.Collect(maps.Keys(ids))); last > n {
		return usagef("--only: there is no block %d; the reply has %d", last, n)
	}
	return nil
}
