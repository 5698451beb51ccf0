package endurance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// Setting is how filter is run.
type Setting struct {
	Cores   int // GOMAXPROCS of each worker
	Workers int // processes; each answers as many of the parts as the others
}

// Part is a file of requests.
type Part struct {
	Path     string
	Requests int
}

// Tenths are what a run is divided into.
const Tenths = 10

// Tenth is what was seen of a tenth of a run.
type Tenth struct {
	Took time.Duration
	// Memory is the most that all workers had together, in bytes; 0 where the system does not tell.
	Memory int64
}

// Result is what came of a run.
type Result struct {
	Setting
	// Sums are those of the answers to each part.
	Sums   []string
	Took   time.Duration
	Tenths [Tenths]Tenth
	// Peak is the most memory that one worker had, in bytes; 0 where the system does not tell.
	Peak int64
}

// Run has all parts answered.
func Run(ctx context.Context, srpatch string, s Setting, parts []Part) (*Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &Result{Setting: s, Sums: make([]string, len(parts))}
	total := 0
	for _, p := range parts {
		total += p.Requests
	}
	var wg sync.WaitGroup
	var answered atomic.Int64
	errs := make([]error, s.Workers)
	pids := make([]int, s.Workers)
	each := len(parts) / s.Workers
	for i := range s.Workers {
		from, to := i*each, (i+1)*each
		cmd := exec.CommandContext(ctx, srpatch, "filter", "--no-ms")
		cmd.Env, cmd.Stderr = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", s.Cores)), os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		pids[i] = cmd.Process.Pid
		var fed error
		feeding := make(chan struct{})
		go func() {
			defer close(feeding)
			fed = errors.Join(feed(in, parts[from:to]), in.Close())
		}()
		wg.Go(func() {
			err := sums(out, parts[from:to], r.Sums[from:to], &answered)
			if err != nil {
				cancel()
			}
			<-feeding
			errs[i] = errors.Join(err, fed, cmd.Wait())
		})
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	r.watch(pids, &answered, total, done)
	return r, errors.Join(errs...)
}

// feed writes the parts, one after the other.
func feed(w io.Writer, parts []Part) error {
	for _, p := range parts {
		f, err := os.Open(p.Path)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// watch notes time and memory of each tenth until all is done.
func (r *Result) watch(pids []int, answered *atomic.Int64, total int, done <-chan struct{}) {
	start := time.Now()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	began, now := start, 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-tick.C:
		}
		var together int64
		for _, pid := range pids {
			is, peak := memory(pid)
			together += is
			r.Peak = max(r.Peak, peak)
		}
		r.Tenths[now].Memory = max(r.Tenths[now].Memory, together)
		r.Tenths[now].Took = time.Since(began)
		if next := min(int(answered.Load())*Tenths/total, Tenths-1); next > now {
			now, began = next, time.Now()
		}
	}
	r.Took = time.Since(start)
}
