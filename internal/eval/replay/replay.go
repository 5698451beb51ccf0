// Package replay asks what srpatch would have made of the answers in a chat history of aider. The
// history is next to its git repository, and aider's commits tell what the files were before and
// after.
package replay

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// HistoryFile is the name of aider's log.
const HistoryFile = ".aider.chat.history.md"

// Outcome is how srpatch's result for an answer compares with aider's.
type Outcome string

// The outcomes. Those below Same are of answers that aider applied, the last ones of answers in
// which a block failed for aider.
const (
	Unknown     Outcome = "the files before it aren't known"
	Same        Outcome = "the same as aider"
	Refused     Outcome = "refused"
	Other       Outcome = "another result"
	MendedSame  Outcome = "aider failed: applied, as aider's next commit has it"
	MendedOther Outcome = "aider failed: applied"
	There       Outcome = "aider failed: already there"
	BothRefused Outcome = "aider failed: refused"
)

// Outcomes lists all outcomes in the order of reports.
func Outcomes() []Outcome {
	return []Outcome{Same, Refused, Other, MendedSame, MendedOther, There, BothRefused, Unknown}
}

// Answer is an answer with edits, and what came of it.
type Answer struct {
	// Line is that of the answer's first line in the history, 1-based.
	Line    int
	Outcome Outcome
	// Reason is the reason of the first block that srpatch refused, or "".
	Reason string
	// Commit is what aider made of the answer, or "" if it made no commit.
	Commit string
	// Files are those in which the results of aider and srpatch differ.
	Files []File
}

// File is a file after an answer, as aider and srpatch have it; nil if it's missing.
type File struct {
	Path           string
	Aider, Srpatch []byte
}

// Answers replays the history in the git repository dir.
func Answers(ctx context.Context, dir string) ([]Answer, error) {
	log, err := os.ReadFile(filepath.Join(dir, HistoryFile))
	if err != nil {
		return nil, err
	}
	turns := turnsOf(log)
	repo, current := &repository{ctx: ctx, dir: dir}, &tree{}
	if _, err := repo.git("rev-parse", "--git-dir"); err != nil {
		return nil, fmt.Errorf("git can't read the repository: %w", err)
	}
	var out []Answer
	for i, t := range turns {
		if t.dirty != "" {
			current = repo.tree(t.dirty)
		}
		a := Answer{Line: t.line, Outcome: Unknown, Commit: t.commit}
		before := repo.before(t, current, turns[i+1:])
		if before != nil {
			current = before.clone()
			if err := compare(ctx, &a, t, before, current, repo, turns[i+1:]); err != nil {
				return nil, err
			}
		}
		if t.commit != "" {
			current = repo.tree(t.commit)
		}
		out = append(out, a)
	}
	return out, nil
}

// turn is an answer with edits, and what aider says about it below.
type turn struct {
	line   int
	reply  *parser.Reply
	dirty  string // the commit of what was changed before the answer
	commit string // the commit of the answer
	failed int    // how many blocks failed
	silent bool   // aider said neither that it applied something nor that a block failed
}

var (
	commitLine  = regexp.MustCompile(`^> Commit ([0-9a-f]{7,40}) `)
	appliedLine = regexp.MustCompile(`^> Applied edit to `)
	failedLine  = regexp.MustCompile(`^> # (\d+) SEARCH/REPLACE blocks? failed to match!`)
)

// turnsOf returns the answers in which aider saw blocks.
func turnsOf(log []byte) []turn {
	lines := bytes.Split(log, []byte("\n"))
	var starts []int
	var texts [][]byte
	for line, text := range parser.Answers(log) {
		starts, texts = append(starts, line-1), append(texts, text)
	}
	starts = append(starts, len(lines))
	var out []turn
	for i, text := range texts {
		reply := parser.Parse(text)
		if len(reply.Blocks) == 0 {
			continue
		}
		t := turn{line: starts[i] + 1, reply: reply}
		applied := false
		for _, l := range lines[min(starts[i]+bytes.Count(text, []byte("\n")), starts[i+1]):starts[i+1]] {
			if m := commitLine.FindSubmatch(l); m != nil && applied {
				t.commit = string(m[1])
			} else if m != nil {
				t.dirty = string(m[1])
			}
			if m := failedLine.FindSubmatch(l); m != nil {
				t.failed, _ = strconv.Atoi(string(m[1])) // a number, if not too large
			}
			applied = applied || appliedLine.Match(l)
		}
		t.silent = !applied && t.failed == 0
		out = append(out, t)
	}
	return out
}

// before returns the files that the answer was given, or nil if they aren't known: the parent of
// its commit, or a state on which aider's rules fail for as many blocks as aider said.
func (r *repository) before(t turn, current *tree, later []turn) *tree {
	if t.silent {
		return nil
	}
	if t.commit != "" {
		return r.tree(t.commit + "^")
	}
	for _, c := range []*tree{current, r.tree(nextCommit(later) + "^")} {
		if c != nil && c.clone().aider(t.reply) == t.failed {
			return c
		}
	}
	return nil
}

// nextCommit returns the first commit of some turns, or "".
func nextCommit(turns []turn) string {
	for _, t := range turns {
		if t.commit != "" {
			return t.commit
		}
	}
	return ""
}

// compare sets the outcome of an answer. It applies the answer to current, a copy of before, as
// aider would.
func compare(ctx context.Context, a *Answer, t turn, before, current *tree, repo *repository, later []turn) error {
	plan, err := apply.New(before, apply.Options{}).Plan(ctx, t.reply)
	if err != nil {
		return fmt.Errorf("the answer in line %d: %w", t.line, err)
	}
	for _, b := range plan.Blocks {
		if b.Reason != "" && a.Reason == "" {
			a.Reason = string(b.Reason)
		}
	}
	current.aider(t.reply)
	theirs, paths := current, map[string]bool{}
	if t.commit != "" {
		theirs = repo.tree(t.commit)
		for _, p := range repo.changed(t.commit) {
			paths[p] = true
		}
	}
	ours := before.clone()
	for _, f := range plan.Files {
		ours.set(f.From, nil)
		ours.set(f.Path, f.After)
	}
	switch {
	case plan.Status != apply.Applied && t.failed > 0:
		a.Outcome = BothRefused
		return nil
	case plan.Status != apply.Applied:
		a.Outcome = Refused
	case t.failed > 0 && len(plan.Files) == 0:
		a.Outcome = There
	case t.failed > 0:
		a.Outcome = MendedOther
		if next := repo.tree(nextCommit(later)); next != nil {
			theirs = next
		}
	default:
		a.Outcome = Other
	}
	for p := range ours.edited {
		paths[p] = true
	}
	for p := range theirs.edited {
		paths[p] = true
	}
	a.Files = differences(ours, theirs, paths)
	switch {
	case len(a.Files) > 0:
	case a.Outcome == Other:
		a.Outcome = Same
	case a.Outcome == MendedOther:
		a.Outcome = MendedSame
	}
	return nil
}

// differences compares two trees' files at some paths.
func differences(ours, theirs *tree, paths map[string]bool) []File {
	var out []File
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		mine, _ := ours.ReadFile(p)
		other, _ := theirs.ReadFile(p)
		if !bytes.Equal(mine, other) {
			out = append(out, File{Path: p, Aider: other, Srpatch: mine})
		}
	}
	return out
}

// aider applies a reply by the simplest of aider's rules, and returns how many blocks fail. A block
// goes to the first place of its text, or else of its lines if all have lost the same indentation.
// See editblock_coder.py in https://github.com/Aider-AI/aider.
func (t *tree) aider(reply *parser.Reply) (failed int) {
	for _, b := range reply.Blocks {
		old, err := t.ReadFile(b.Path)
		text, search, replace := string(old), string(b.Search), string(b.Replace)
		switch {
		case strings.TrimSpace(search) == "":
			t.set(b.Path, append(slices.Clone(old), b.Replace...))
			continue
		case err != nil:
			failed++
			continue
		}
		if !strings.Contains(text, search) {
			search, replace = indentLike(text, search, replace)
		}
		if search == "" || !strings.Contains(text, search) {
			failed++
			continue
		}
		t.set(b.Path, []byte(strings.Replace(text, search, replace, 1)))
	}
	return failed
}

// indentLike returns both sides with the indentation that SEARCH has in the text, or "" if it isn't
// there with any.
func indentLike(text, search, replace string) (string, string) {
	first := strings.TrimSpace(strings.SplitN(strings.TrimLeft(search, "\n"), "\n", 2)[0])
	for line := range strings.Lines(text) {
		indent, found := strings.CutSuffix(strings.TrimRight(line, "\n"), first)
		if !found || strings.TrimSpace(indent) != "" {
			continue
		}
		if s := indentBy(search, indent); strings.Contains(text, s) {
			return s, indentBy(replace, indent)
		}
	}
	return "", ""
}

func indentBy(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(indent)
		}
		b.WriteString(line)
	}
	return b.String()
}
