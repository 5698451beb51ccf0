package vanish

import (
	"context"

	"github.com/srpatch/srpatch/internal/eval"
)

// Result is a case and what became of it.
type Result struct {
	Case    *Case
	Verdict Verdict
}

// batch is how many cases are made at once.
const batch = 4096

// Run makes n cases, judges each, and hands out the results in their order.
func (m *Maker) Run(ctx context.Context, n int, each func(Result) error) error {
	for from := 0; from < n; from += batch {
		out := make([]Result, min(batch, n-from))
		err := eval.Each(ctx, len(out), func(i int) error {
			if c := m.Case(from + i); c != nil {
				out[i] = Result{c, Judge(c, Parse(c.Reply))}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, r := range out {
			if r.Case == nil {
				continue
			}
			if err := each(r); err != nil {
				return err
			}
		}
	}
	return nil
}
