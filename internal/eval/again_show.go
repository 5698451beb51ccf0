package eval

import (
	"fmt"
	"io"
	"slices"
)

// WithIDs are the requests that have one of the ids; all for no ids.
func WithIDs(qs []*Question, ids []string) []*Question {
	if len(ids) == 0 {
		return qs
	}
	return slices.DeleteFunc(qs, func(q *Question) bool { return !slices.Contains(ids, q.ID) })
}

// Count is how many faults of a kind were found in a step; step "" is all of them.
func (t *Twice) Count(step string, f Fault) int {
	n := 0
	for _, a := range t.Found {
		if a.Fault == f && (step == "" || a.Step == step) {
			n++
		}
	}
	return n
}

// WriteList prints what was found.
func (t *Twice) WriteList(w io.Writer) error {
	for _, a := range t.Found {
		step := a.Step
		if a.Block > 0 {
			step = fmt.Sprintf("block %d, %s", a.Block, step)
		}
		if _, err := fmt.Fprintf(w, "%s: %s: %s\n%s", a.ID, step, a.Fault, a.Note); err != nil {
			return err
		}
	}
	return nil
}

// WriteTable prints how many second runs there were, and what they did, under a title.
func (t *Twice) WriteTable(w io.Writer, title string) error {
	if _, err := fmt.Fprintf(w, "%s\n%-18s %8s %8s %8s %9s %8s\n", title, "", "runs", Changed, RefusedAgain, Otherwise, LeftOut); err != nil {
		return err
	}
	for _, step := range []string{stepWhole, stepPartial, stepOnly, stepThen} {
		_, err := fmt.Fprintf(w, "%-18s %8d %8d %8d %9d %8d\n", step, t.Runs[step],
			t.Count(step, Changed), t.Count(step, RefusedAgain), t.Count(step, Otherwise), t.Count(step, LeftOut))
		if err != nil {
			return err
		}
	}
	return nil
}
