package eval

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Request says which cases to make.
type Request struct {
	Seed  uint64
	N     int
	Kinds []string // names of kinds; empty means all
	Trees []*Tree
}

// attempts is the number of places that a kind may try before a case is given up.
const attempts = 20000

// patience is the number of attempts that a case makes at one variant before it becomes another.
const patience = 600

// Generate returns the cases of a request. The same request and trees give the same cases in the
// same order. It fails if a kind is unknown, or finds no place for one of its cases.
func Generate(ctx context.Context, q Request) ([]*Case, error) {
	kinds := Kinds()
	if len(q.Kinds) > 0 {
		var some []Kind
		for _, name := range q.Kinds {
			i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
			if i < 0 {
				var all []string
				for _, k := range kinds {
					all = append(all, k.Name)
				}
				return nil, fmt.Errorf("no kind %q; the kinds are %s", name, strings.Join(all, ", "))
			}
			some = append(some, kinds[i])
		}
		kinds = some
	}
	cases := make([]*Case, q.N)
	return cases, Each(ctx, q.N, func(i int) error {
		kind := kinds[i%len(kinds)]
		if cases[i] = generateOne(q, kind, i); cases[i] == nil {
			return fmt.Errorf("no place for a case of kind %s: give larger trees", kind.Name)
		}
		return nil
	})
}

// generateOne returns case i, or nil if nothing fits. Its random source depends on seed, kind and
// position alone.
func generateOne(q Request, k Kind, i int) *Case {
	h := uint64(14695981039346656037)
	for _, b := range []byte(k.Name) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	g := &gen{rng: rand.New(rand.NewPCG(q.Seed^h, uint64(i))), trees: q.Trees}
	for n := range attempts {
		if n%patience == 0 {
			g.lot = g.rng.Uint64()
		}
		if c := k.make(g); c != nil {
			c.Kind = k.Name
			c.ID = fmt.Sprintf("%s:%d:%05d", k.Name, q.Seed, i)
			return c
		}
	}
	return nil
}

// Each calls f for 0 to n-1 on all processors, and waits for all calls. It returns the first error
// by number.
func Each(ctx context.Context, n int, f func(int) error) error {
	next := make(chan int)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				errs[i] = f(i)
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	wg.Wait()
	return cmp.Or(append([]error{ctx.Err()}, errs...)...)
}
