package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// Build is a program that answers questions: the path of a binary of the command.
type Build string

// noAnswer is the [Verdict] on a build that died, and the status of its missing answer.
const noAnswer = "no answer"

// Answers asks the build all questions and returns its answers in their order.
func (b Build) Answers(ctx context.Context, qs []*Question) ([]Answer, error) {
	out := make([]Answer, len(qs))
	var toFilter []int
	for i, q := range qs {
		out[i].Status = noAnswer
		if q.Files != nil {
			toFilter = append(toFilter, i)
		}
	}
	if err := b.filter(ctx, qs, toFilter, out); err != nil {
		return nil, err
	}
	return out, Each(ctx, len(qs), func(i int) error {
		if qs[i].Files != nil {
			return nil
		}
		return b.parse(ctx, qs[i], &out[i])
	})
}

// filter puts the questions with these indices to `srpatch filter`. If it dies, the rest has no
// answer.
func (b Build) filter(ctx context.Context, qs []*Question, which []int, out []Answer) error {
	if len(which) == 0 {
		return nil
	}
	var requests []io.Reader
	for _, i := range which {
		requests = append(requests, bytes.NewReader(qs[i].Line), strings.NewReader("\n"))
	}
	cmd := exec.CommandContext(ctx, string(b), "filter", "--no-ms")
	cmd.Stdin = io.MultiReader(requests...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	answers := bufio.NewReader(stdout)
	for _, i := range which {
		line, err := answers.ReadBytes('\n')
		if err != nil {
			break
		}
		if out[i], err = qs[i].ReadAnswer(line); err != nil {
			return fmt.Errorf("%s: the answer to %s: %w", b, qs[i].ID, err)
		}
	}
	if _, died := errors.AsType[*exec.ExitError](cmd.Wait()); died {
		return ctx.Err()
	}
	return nil
}

// parse asks `srpatch parse` what it reads in a reply.
func (b Build) parse(ctx context.Context, q *Question, out *Answer) error {
	args := []string{"parse", "--json", "-"}
	if q.Log {
		args = []string{"parse", "--json", "--last", "-"}
	}
	cmd := exec.CommandContext(ctx, string(b), args...)
	cmd.Stdin = bytes.NewReader(q.Reply)
	text, err := cmd.Output()
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case err != nil && !ended:
		return err
	case len(text) > 0:
		*out, err = q.ReadAnswer(text)
		return err
	case ended && !bytes.Contains(exit.Stderr, []byte("goroutine ")):
		out.Status = exit.String()
	}
	return nil
}

// Change is a question to which two builds give different answers.
type Change struct {
	ID       string
	From, To Verdict
	// What says how the answers differ.
	What string
}

// Worse reports whether an answer is no longer right, or newly wrong or missing.
func (c Change) Worse() bool {
	return c.From != c.To && (c.From == Right || c.To == Wrong || c.To == noAnswer)
}

// Compare lists the questions to which the answers differ.
func Compare(qs []*Question, old, new []Answer) (changes []Change) {
	for i, q := range qs {
		if a, b := old[i], new[i]; !a.Equal(b) {
			changes = append(changes, Change{q.ID, q.verdict(a), q.verdict(b), differs(a, b)})
		}
	}
	return changes
}

func (q *Question) verdict(a Answer) Verdict {
	if a.Status == noAnswer {
		return noAnswer
	}
	return q.Judge(a)
}

// differs says how two answers differ, by the most telling difference.
func differs(a, b Answer) string {
	list := func(s []string) string { return cmp.Or(strings.Join(s, " "), "-") }
	switch {
	case !slices.Equal(a.Blocks, b.Blocks):
		return list(a.Blocks) + " -> " + list(b.Blocks)
	case !slices.Equal(a.Codes, b.Codes):
		return list(a.Codes) + " -> " + list(b.Codes)
	case len(a.Read) != len(b.Read):
		return fmt.Sprintf("%d -> %d blocks", len(a.Read), len(b.Read))
	case a.Status != b.Status:
		return cmp.Or(a.Status, "read") + " -> " + cmp.Or(b.Status, "read")
	case !a.SameFiles(b):
		return "other bytes"
	}
	return "another block"
}

// WriteChanges prints the verdicts on the first build's answers, and the answers that differ, in
// groups of at most show ids.
func WriteChanges(w io.Writer, title string, qs []*Question, old []Answer, changes []Change, show int) error {
	worth := map[Verdict]int{}
	for i, q := range qs {
		worth[q.verdict(old[i])]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d questions", title, len(qs))
	for _, v := range []Verdict{Right, Wrong, Refused, noAnswer} {
		if worth[v] > 0 {
			fmt.Fprintf(&b, ", %d %s", worth[v], v)
		}
	}
	if len(changes) == 0 {
		b.WriteString(": no answer differs\n")
	} else {
		fmt.Fprintf(&b, ": %d answers differ\n", len(changes))
	}
	groups := map[string][]Change{}
	for _, c := range changes {
		groups[c.move()] = append(groups[c.move()], c)
	}
	for _, move := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(&b, "  %s: %d\n", move, len(groups[move]))
		for i, c := range groups[move] {
			if i == show {
				fmt.Fprintf(&b, "    and %d more\n", len(groups[move])-show)
				break
			}
			fmt.Fprintf(&b, "    %s: %s\n", c.ID, c.What)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// move names the group of changes to which c belongs.
func (c Change) move() string {
	move := fmt.Sprintf("%s -> %s", c.From, c.To)
	switch {
	case c.Worse():
		return "worse: " + move
	case c.From == Unknown:
		return "differs"
	case c.From == c.To:
		return fmt.Sprintf("%s as before, but differs", c.From)
	}
	return "better: " + move
}
