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
				fmt.Sscan(string(m[1]), &t.failed)
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
	candidates := []*tree{current}
	for _, l := range later {
		if l.commit != "" {
			candidates = append(candidates, r.tree(l.commit+"^"))
			break
		}
	}
	for _, c := range candidates {
		if c != nil && c.clone().aider(t.reply) == t.failed {
			return c
		}
	}
	return nil
}

// compare sets the outcome of an answer, and leaves in after what aider made of before.
func compare(ctx context.Context, a *Answer, t turn, before, after *tree, repo *repository, later []turn) error {
	plan, err := apply.New(before, apply.Options{}).Plan(ctx, t.reply)
	if err != nil {
		return fmt.Errorf("the answer in line %d: %w", t.line, err)
	}
	for _, b := range plan.Blocks {
		if b.Reason != "" && a.Reason == "" {
			a.Reason = string(b.Reason)
		}
	}
	if t.commit != "" {
		after = repo.tree(t.commit)
	} else {
		after.aider(t.reply)
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
		for _, l := range later {
			if l.commit != "" {
				after = repo.tree(l.commit)
				break
			}
		}
	default:
		a.Outcome = Other
	}
	a.Files = differences(ours, after, t.reply)
	if len(a.Files) == 0 && plan.Status == apply.Applied {
		a.Outcome = map[Outcome]Outcome{Other: Same, MendedOther: MendedSame, There: There}[a.Outcome]
	}
	return nil
}

// differences compares the files that a reply or either tree's edits name.
func differences(ours, theirs *tree, reply *parser.Reply) []File {
	paths := map[string]bool{}
	for p := range ours.edited {
		paths[p] = true
	}
	for p := range theirs.edited {
		paths[p] = true
	}
	for _, b := range reply.Blocks {
		paths[b.Path] = true
	}
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

// aider applies a reply by the simplest of aider's rules, and returns how many blocks fail: the
// first place of the text, or else of the lines when all of them have lost the same indentation.
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
