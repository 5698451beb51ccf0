// Command hostile has srpatch read text of many kinds that are hard to read, and prints what a MB takes of each.
//
//	go -C internal/eval run ./cmd/hostile                    2, 4 and 8 MiB of each kind, and 64 MiB of the five slowest
//	go -C internal/eval run ./cmd/hostile --only caption     the kinds whose names have that text
//
// The exit status is 1 if the time grows faster than the size, or is more than a second a MB. Times are of the processor. A busy machine
// makes them longer, so an ordinary reply is measured as well: a kind that takes longer passes if it takes at most 60 times as long.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/eval/hostile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case err == nil || errors.Is(err, pflag.ErrHelp):
	case errors.Is(err, errBounds):
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(2)
	}
}

var errBounds = errors.New("out of bounds")

// The bounds.
const (
	// maxPerMB is how many seconds a MB may take, and maxTimes how many times as long as one of an ordinary reply, if that is more.
	maxPerMB = 1
	maxTimes = 60
	// tries is how often a kind is measured that misses.
	tries = 3
	// maxGrowth is how many times as long a MB may take as one of a quarter of the size: 4 would be quadratic.
	maxGrowth = 2
	// noise is what a MB may take in seconds before growth means anything.
	noise = 0.03
	// slowest is how many kinds are read at full size.
	slowest = 5
)

// row is one kind with its seconds a MB.
type row struct {
	pattern hostile.Pattern
	perMB   []float64
	missed  bool
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := pflag.NewFlagSet("hostile", pflag.ContinueOnError)
	srpatch := flags.String("srpatch", "", "the `program`; built if none is named")
	sizes := flags.Float64Slice("sizes", []float64{2, 4, 8}, "in `MiB`")
	full := flags.Float64("full", 64, "in `MiB`, for the slowest; 0 for none")
	only := flags.String("only", "", "a `text` that the names of kinds have")
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
	measure := func(r *row, size float64) error {
		n, path := int(size*hostile.MB), filepath.Join(dir, "text")
		r.perMB = append(r.perMB, 0)
		last := &r.perMB[len(r.perMB)-1]
		for range tries {
			ordinary, _, err := hostile.Measure(ctx, *srpatch, path, hostile.Ordinary(), n, maxPerMB)
			if err != nil {
				return err
			}
			perMB, ok, err := hostile.Measure(ctx, *srpatch, path, &r.pattern, n, max(maxPerMB, maxTimes*ordinary))
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			*last = perMB
			if r.missed = !ok || r.growth() > maxGrowth && perMB > noise; !r.missed {
				break
			}
		}
		return nil
	}
	var rows []row
	for _, p := range hostile.Patterns() {
		if !strings.Contains(p.Name, *only) {
			continue
		}
		r := row{pattern: p}
		for _, size := range *sizes {
			if err := measure(&r, size); err != nil {
				return err
			}
			if r.missed {
				break
			}
		}
		r.print(out)
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(slices.Max(b.perMB), slices.Max(a.perMB)) })
	for i := range rows[:min(slowest, len(rows))] {
		if r := &rows[i]; *full > 0 && !r.missed {
			if err := measure(r, *full); err != nil {
				return err
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
	fmt.Fprintf(out, "%d of %d kinds are read in linear time, at most %d s or %d ordinary replies a MB\n", len(rows)-missed, len(rows), maxPerMB, maxTimes)
	if missed > 0 {
		return errBounds
	}
	return nil
}

// growth is how many times as long a MB of the last size takes as one of the first.
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
