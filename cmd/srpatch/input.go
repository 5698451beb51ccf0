package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/parser"
)

// input is what a command reads: its command line, and the replies that it names.
type input struct {
	invocation
	stdin io.Reader
	// past is the refused run that is retried; nil for other verbs.
	past *past
	// hasText is set if a reply contained more than blanks.
	hasText bool
}

// meantBy returns what an argument that is not a file may have been meant for, as the end of the
// message that there is no such file: a commit message or a mistyped verb. It returns "" if the
// argument looks like a file.
func (c *invocation) meantBy(name string) string {
	isWord := !strings.ContainsAny(name, `./\`)
	needsMessage := c.commit == noMessage
	switch {
	case needsMessage && (isWord || strings.ContainsAny(name, " \t")): // --commit "Fix it" reply.md
		return "; to commit with a message, write --commit=MSG"
	case isWord && c.verb.name == "" && name == c.args[0]: // srpatch aply reply.md
		return "; nor is there such a verb (see srpatch --help)"
	}
	return ""
}

// readsStdin reports whether a reply comes from standard input.
func (c *invocation) readsStdin() bool {
	return len(c.args) == 0 && !c.clipboard || slices.Contains(c.args, "-")
}

// readReply returns a reply in UTF-8: a file, standard input for "-", or the clipboard. It fails if
// the reply has more than left bytes.
func (c *input) readReply(name string, left int64) ([]byte, error) {
	in := c.stdin
	switch {
	case c.clipboard:
		text, err := c.readClipboard()
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(text)
	case name != "-":
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w%s", err, c.meantBy(name))
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(decoded(in), left+1))
	if int64(len(text)) > left {
		err = codef(failure.TooLarge,
			"a run reads at most %d MiB of replies; apply them in parts", maxReply>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the reply: %w", err)
	}
	return text, nil
}

// decoded returns r as UTF-8 if it holds UTF-16, in which some shells write files and pipes. UTF-16
// is known by its byte order mark or, if it's little endian, because the second byte is NUL, as in
// "H\x00". Anything else stays as it is.
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
	}
	return b
}

// How much is read of replies that are kept in memory.
const (
	maxReply  = 64 << 20 // bytes of all replies
	maxBlocks = 10_000   // in a reply
)

// parserOptions returns the options of the parser for the flags. The number of blocks is not
// limited if they are only listed.
func (c *invocation) parserOptions() []parser.Option {
	opts := []parser.Option{parser.WithFormat(c.format)}
	if c.verb.set != vParse {
		opts = append(opts, parser.WithMaxBlocks(maxBlocks))
	}
	if c.wholeFiles {
		opts = append(opts, parser.WithWholeFiles(), parser.WithFile(c.file))
	}
	return opts
}

// understood is what the replies of a run say, taken together.
type understood struct {
	parser.Reply
	// names are the files that were read; "" for standard input.
	names []string
	// located are the reply's diagnostics with the names of their files.
	located []report.Located
	// whole is what the replies say with --whole-files, where that is not given.
	whole parser.Reply
	// replies are the hashes of the replies, where there are several.
	replies []string
	// hash is of what was read and of how it is read: a second run of the same is known by it,
	// whichever blocks it takes.
	hash string
}

// errNoEdits returns the error about a reply without anything that looks like an edit, or about a
// retry without an answer. noticed is what the parser ignored.
func (c *input) errNoEdits(noticed []parser.Noticed) error {
	says := "the reply has no edits"
	switch {
	case !c.hasText:
		return codef(failure.NoEdits, "the reply is empty")
	case c.past != nil:
		return codef(failure.NoEdits, "the answer has no edits; to drop an edit, answer with a line "+
			"such as \"skip block 2\"; to drop the reply, run srpatch retry%s --forget", c.inTree())
	case c.format != "":
		says += " in the format " + c.format + "; without --format, all formats are read"
	case len(noticed) > 0:
		says += "; ignored: " + report.Ignored(noticed)
	}
	return errors.Join(codef(failure.NoEdits, "%s", says), errors.New("in a new chat, "+
		"begin with the instructions that srpatch prompt prints"))
}

// understand returns what the run is about: the replies, or what is remembered of those of a
// refused run.
func (c *input) understand() (*understood, error) {
	if c.past != nil {
		return c.understandRetry()
	}
	return c.readReplies()
}

// readReplies parses the replies, numbers their blocks consecutively, and keeps those that --only
// names. It hashes all of them together, and each alone, so that a later run of all or of one knows
// which blocks are applied. In a retry the replies are answers, and it joins each with the
// remembered reply. If they have no edits, it returns both what it read and an error. It sets
// c.hasText if they have any text.
func (c *input) readReplies() (*understood, error) {
	names, err := c.replies()
	if err != nil {
		return nil, err
	}
	parse := parser.Parse
	if c.last {
		parse = parser.ParseLast
	}
	u, all := &understood{}, sha256.New()
	left := int64(maxReply) // bytes that may still be read
	answered := false       // an answer has an edit, or a line such as "skip block 2"
	for _, name := range names {
		text, err := c.readReply(name, left)
		if err != nil {
			return nil, err
		}
		if name == "-" {
			name = ""
		}
		own := sha256.New()
		own.Write(text)
		all.Write(text)
		reply := parse(text, c.parserOptions()...)
		for i := range reply.Diagnostics {
			reword(&reply.Diagnostics[i])
		}
		left -= int64(len(text))
		c.hasText = c.hasText || len(bytes.Trim(text, " \t\r\n\ufeff")) > 0
		u.names = append(u.names, name)
		c.hashReading(own) // with --reverse, for example, it's another reply
		u.replies = append(u.replies, sumOf(own))
		if c.past != nil {
			answered = c.past.join(name, reply, text) || answered
		}
		u.located = append(u.located, report.Locate(name, reply, text)...)
		u.Append(reply)
		isWhole := func(n parser.Noticed) bool { return n.Code == "whole-file" }
		if !c.wholeFiles && slices.ContainsFunc(reply.Noticed, isWhole) { // for a hint
			u.whole.Append(parser.Parse(text, append(c.parserOptions(), parser.WithWholeFiles())...))
		}
	}
	if len(u.replies) == 1 {
		u.replies = nil // u.hash is the hash of this reply
	}
	c.hashReading(all)
	u.hash = sumOf(all)
	if len(u.Blocks) == 0 && len(u.Diagnostics) == 0 && !answered {
		return u, c.errNoEdits(u.Noticed)
	}
	return u, u.keepOnly(c.only)
}

// reword changes the remedy of a diagnostic, which is for a caller of the library, to what a user of
// the command can do.
func reword(d *parser.Diagnostic) {
	switch {
	case d.Code == diagnosis.ChatLog && strings.HasSuffix(d.Remedy, "last answer"):
		d.Remedy += " with --last"
	case d.Code == diagnosis.Malformed && strings.Contains(d.Found, "&lt;&lt;"):
		d.Remedy = "copy or write the reply as text, not as HTML: < instead of &lt;"
	}
}

// hashReading adds to the hash of a reply the flags that change how it is read.
func (c *invocation) hashReading(sum hash.Hash) {
	if c.reverse || c.file != "" || c.last {
		fmt.Fprintf(sum, "\x00%t\x00%s\x00%t", c.reverse, c.file, c.last)
	}
	if c.wholeFiles {
		fmt.Fprint(sum, "\x00whole")
	}
}

// keepOnly drops every block that the lists of --only don't name. If there are no lists, it keeps
// everything. Whoever names blocks doesn't ask about the rest of the reply, so keepOnly also drops
// the diagnostics, and what was noticed.
func (u *understood) keepOnly(lists []string) error {
	ids, err := parseOnly(lists)
	if err != nil || ids == nil {
		return err
	}
	if last := slices.Max(slices.Collect(maps.Keys(ids))); last > len(u.Blocks) {
		return usagef("--only: there is no block %d; the last is %d", last, len(u.Blocks))
	}
	u.Blocks = slices.DeleteFunc(u.Blocks, func(b parser.Block) bool { return !ids[b.ID] })
	u.Diagnostics, u.Attempts, u.Noticed, u.located = nil, nil, nil, nil
	return nil
}
