package vanish

import (
	"context"
	"runtime"
	"sync"
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
		parallel(len(out), func(i int) {
			if c := m.Case(from + i); c != nil && ctx.Err() == nil {
				out[i] = Result{c, Judge(c, Parse(c.Reply))}
			}
		})
		if err := ctx.Err(); err != nil {
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

// parallel calls f for 0 to n-1.
func parallel(n int, f func(i int)) {
	var all sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		all.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	all.Wait()
}
