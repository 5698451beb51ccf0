// Command hostile lets srpatch read many kinds of text that are hard to read, and prints how long a
// MB of each takes.
//
//	go -C internal/eval run ./cmd/hostile [FLAGS]
//
//	(none)          2, 4 and 8 MiB of each kind, and 64 MiB of the five slowest
//	--only caption  the kinds with that text in their names
//
// The exit status is 1 if the time grows faster than the size, or is more than a second per MB.
// Times are CPU times; two kinds are measured at once. A busy machine makes times longer, so a kind
// that misses is measured again, alone and in turn with an ordinary reply. It passes if its
// shortest time is at most 60 times the longest of the reply.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/eval/hostile"
	"github.com/srpatch/srpatch/internal/eval/program"
)

func main() { program.Main("hostile", run) }

// The bounds.
const (
	// A MB may take maxPerMB seconds, or maxTimes as long as one of an ordinary reply if that is
	// more. On a quiet machine it is less. The reply has ordinary MiB, so that starting the program
	// is a small part of its time.
	maxPerMB = 1
	maxTimes = 60
	ordinary = 4
	// tries is how often a kind that misses is measured again.
	tries = 3
	// atOnce is how many kinds are measured at once, except at full size.
	atOnce = 2
	// maxGrowth is how much longer a MB may take in a text of four times the size; 4 would be
	// quadratic.
	maxGrowth = 2
	// noise is the time per MB, in seconds, up to which growth doesn't count.
	noise = 0.03
	// slowest is how many kinds are read at full size.
	slowest = 5
)

// row is one kind with its seconds per MB.
type row struct {
	pattern  hostile.Pattern
	perMB    []float64
	missed   bool
	err      error
	measured chan struct{} // closed after that
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := pflag.NewFlagSet("hostile", pflag.ContinueOnError)
	srpatch := flags.String("srpatch", "", "the srpatch `program` (default: build it)")
	sizes := flags.Float64Slice("sizes", []float64{2, 4, 8}, "the sizes in `MiB`")
	full := flags.Float64("full", 64, "the size in `MiB` for the slowest kinds; 0 skips them")
	only := flags.String("only", "", "only kinds with this `text` in their names")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if *srpatch == "" {
		*srpatch = filepath.Join(dir, "srpatch")
		build := exec.CommandContext(ctx, "go", "build", "-o", *srpatch, "./cmd/srpatch")
		build.Dir = filepath.Join("..", "..") // the command's module
		if built, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, built)
		}
	}
	m := meter{srpatch: *srpatch, dir: dir}
	var rows []*row
	for _, p := range hostile.Patterns() {
		if strings.Contains(p.Name, *only) {
			rows = append(rows, &row{pattern: p, measured: make(chan struct{})})
		}
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	defer workers.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range atOnce {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(rows); i = int(next.Add(1)) - 1 {
				m.measure(ctx, rows[i], *sizes...)
				close(rows[i].measured)
			}
		})
	}
	for _, r := range rows {
		if <-r.measured; r.err != nil {
			return r.err
		}
		r.print(out)
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(slices.Max(b.perMB), slices.Max(a.perMB)) })
	for _, r := range rows[:min(slowest, len(rows))] {
		if *full > 0 && !r.missed {
			if m.measure(ctx, r, *full); r.err != nil {
				return r.err
			}
			r.print(out)
		}
	}
	missed := 0
	for _, r := range rows {
		if r.missed {
			missed++
		}
	}
	fmt.Fprintf(out, "%d of %d kinds are read in linear time, in at most %d s or %d ordinary replies per MB\n", len(rows)-missed, len(rows), maxPerMB, maxTimes)
	if missed > 0 {
		return program.ErrBounds
	}
	return nil
}

// meter measures kinds. Those that hold the read lock are measured at the same time.
type meter struct {
	srpatch, dir string
	sync.RWMutex
	files atomic.Int64
}

// measure adds the times of a kind at some sizes, up to the first size that misses.
func (m *meter) measure(ctx context.Context, r *row, sizes ...float64) {
	for _, size := range sizes {
		m.RLock()
		perMB, err := m.perMB(ctx, &r.pattern, size)
		m.RUnlock()
		r.perMB = append(r.perMB, perMB)
		if r.missed = r.misses(0); r.missed && err == nil {
			err = m.again(ctx, r, size)
		}
		if r.err = err; r.missed || err != nil {
			return
		}
	}
}

// again repeats the last measurement of a kind, and measures how busy the machine is.
func (m *meter) again(ctx context.Context, r *row, size float64) error {
	m.Lock()
	defer m.Unlock()
	least, busy := &r.perMB[len(r.perMB)-1], 0.0
	for range tries {
		reply, err := m.perMB(ctx, hostile.Ordinary(), ordinary)
		if err != nil {
			return err
		}
		perMB, err := m.perMB(ctx, &r.pattern, size)
		if err != nil {
			return err
		}
		*least, busy = min(*least, perMB), max(busy, reply)
		if r.missed = r.misses(busy); !r.missed {
			return nil
		}
	}
	return nil
}

func (m *meter) perMB(ctx context.Context, p *hostile.Pattern, size float64) (float64, error) {
	path := filepath.Join(m.dir, fmt.Sprint("text", m.files.Add(1)))
	return hostile.Measure(ctx, m.srpatch, path, p, int(size*hostile.MB))
}

// misses reports whether the last time is too long, if an ordinary reply takes busy seconds per MB.
func (r *row) misses(busy float64) bool {
	last := r.perMB[len(r.perMB)-1]
	return last > max(maxPerMB, maxTimes*busy) || r.growth() > maxGrowth && last > noise
}

// growth returns the time per MB at the last size divided by that at the first.
func (r *row) growth() float64 { return r.perMB[len(r.perMB)-1] / max(r.perMB[0], noise/4) }

func (r *row) print(out io.Writer) {
	read, verdict := "reply", "ok"
	if r.pattern.Log {
		read = "log"
	}
	if r.missed {
		verdict = "MISSED"
	}
	fmt.Fprintf(out, "%-6s %-6s %-42s", verdict, read, r.pattern.Name)
	for _, s := range r.perMB {
		fmt.Fprintf(out, " %6.3f", s)
	}
	fmt.Fprintf(out, "  s/MB, growth %.2f\n", r.growth())
}
