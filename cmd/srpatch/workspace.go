package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/diagnosis"
)

// tree is a workspace that doesn't list the replies of the run when a name is searched for. A reply
// in the tree contains every SEARCH text, and would be suggested for every block without a file.
type tree struct {
	*workspace.Workspace
	replies map[string]bool
	// check is the check of the current run; see [workspace.Options].
	check func(ctx context.Context, run string) error
}

// openTree opens the tree that the flags name. It won't list the files that the replies in u came
// from, nor those of other replies in the same command. u is nil for runs without a reply.
func (c *command) openTree(u *understood) (*tree, error) {
	expect, err := parseExpect(c.expect)
	if err != nil {
		return nil, err
	}
	opt := workspace.Options{
		StateDir: c.stateDir, NoJournal: c.noJournal,
		Force: c.force, NoCreate: c.noCreate, Untrusted: c.untrusted,
		Allow: c.allow, Deny: c.deny, Expect: expect, Encoding: c.encoding,
		Limits: workspace.Limits{FileSize: c.maxSize},
	}
	if opt.LockWait = c.wait; c.wait == 0 || c.env(runVariable) != "" {
		opt.LockWait = -1 // don't wait: a --verify command's parent may hold the lock
	}
	t := &tree{replies: map[string]bool{}}
	if len(c.verify) > 0 {
		opt.Check = func(ctx context.Context, run string) error { return t.check(ctx, run) }
	}
	if isTerminal(c.stderr) {
		opt.Waiting = func(by string) { c.say("waiting: %s", report.Clean(by)) }
	}
	var names []string // of replies
	if u != nil {
		names = u.names
		opt.Replies = append([]string{u.hash}, u.replies...) // hashes of all together, and of each
	}
	w, err := workspace.Open(c.dir, opt)
	if _, ok := errors.AsType[*workspace.GlobError](err); ok {
		return nil, usagef("--allow, --deny: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if err != nil {
		return nil, err
	}
	if c.batch != nil {
		names = append(names, c.batch.replies...)
	}
	t.Workspace = w
	for _, name := range absolute(names) {
		if rel, err := filepath.Rel(w.Dir(), name); err == nil {
			t.replies[filepath.ToSlash(rel)] = true
		}
	}
	return t, nil
}

// parseExpect reads the values of --expect, PATH=sha256:HASH or PATH=absent, and returns
// "sha256:HASH" or "absent" by the clean path.
func parseExpect(list []string) (map[string]string, error) {
	expect := map[string]string{}
	for _, s := range list {
		name, hash, hasHash := strings.Cut(s, "=")
		sum, isSHA256 := strings.CutPrefix(hash, "sha256:")
		raw, err := hex.DecodeString(sum)
		isValid := hash == "absent" || isSHA256 && err == nil && len(raw) == 32
		if !hasHash || name == "" || !isValid {
			return nil, usagef("--expect: %q, expected PATH=sha256:HASH or PATH=absent", s)
		}
		name, hash = path.Clean(name), strings.ToLower(hash)
		if other, ok := expect[name]; ok && other != hash {
			return nil, usagef("--expect: %s cannot be both %s and %s", name, other, hash)
		}
		expect[name] = hash
	}
	return expect, nil
}

// Paths implements [apply.Tree]. It leaves out the replies.
func (t *tree) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for path := range t.Workspace.Paths() {
			if !t.replies[path] && !yield(path) {
				return
			}
		}
	}
}

// prepare prepares a run. A run that writes takes the lock and recovers interrupted runs, and
// reports them on stderr. Other runs only say that there is something to recover.
func (c *command) prepare(ctx context.Context, t *tree, write bool) error {
	if write {
		done, err := t.Begin(ctx)
		c.sayRecovered(done)
		return err
	}
	// Looking needs no journal, so problems with the journals don't prevent it.
	pending, _ := t.Pending()
	for _, run := range pending {
		c.say("run %s was interrupted; srpatch recover completes it or restores its files", run)
	}
	return nil
}

// sayRecovered reports on stderr what was done with interrupted runs, and which of their files were
// edited since.
func (c *command) sayRecovered(recoveries []workspace.Recovery) {
	for _, r := range recoveries {
		switch {
		case r.Err != nil:
			c.say("run %s was interrupted, and is left as it is: %s", r.Run, report.Clean(diagnosis.Words(r.Err)))
		case len(r.Completed) > 0:
			c.say("run %s was interrupted after its last file; completed %s", r.Run, c.someOf(r.Completed))
		case len(r.Restored) > 0 || len(r.Edited) == 0:
			c.say("run %s was interrupted; restored %s", r.Run, cmp.Or(c.someOf(r.Restored), "no files"))
		}
		for _, e := range r.Edited {
			switch name := report.Clean(e.Path); {
			case e.Saved == "":
				c.say("%s has been edited since run %s was interrupted", name, r.Run)
			case c.keep || c.restore:
				c.say("%s has been edited since run %s was interrupted; the other version is in %s",
					name, r.Run, report.Clean(e.Saved))
			}
		}
	}
}

// shownFiles is how many files of a run are named, unless all should be.
const shownFiles = 5

// someOf lists names of files, such as "a.go, b.go, and 3 more". With --verbose it lists all.
func (c *invocation) someOf(names []string) string {
	if more := len(names) - shownFiles; more > 0 && !c.verbose {
		names = append(slices.Clip(names[:shownFiles]), fmt.Sprintf("and %d more", more))
	}
	return report.Clean(strings.Join(names, ", "))
}

// inTree returns what hints add to "srpatch retry" to name the tree of this run, quoted for a
// shell, or "".
func (c *invocation) inTree() string {
	if !c.given["directory"] {
		return ""
	}
	return " -d " + shellWord(filepath.ToSlash(c.dir))
}

// shellWord quotes s so that shells read it as one word. Its control characters are escaped for the
// terminal, so such a name can't be pasted into a shell.
func shellWord(s string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./-+,:@", r)
	}
	if s == "" || strings.ContainsFunc(s, special) {
		s = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return report.Clean(s)
}
