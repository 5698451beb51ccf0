// Command endurance has srpatch filter answer many requests of all kinds, with one core and several, by one worker and several, and
// prints rates and memory.
//
//	go -C internal/eval run ./cmd/endurance --srpatch "$PWD/srpatch"              100,000 requests in each setting, 3.2 GB, in the temporary folder
//	go -C internal/eval run ./cmd/endurance --srpatch "$PWD/srpatch" --n 5000     a shorter run
//
// The requests are about text of 1 to 400 KB: cases of testdata/engine, replies of testdata/parse, and blocks for lines that are there or
// nearly; one in twenty is broken. The same seed gives the same requests. The exit status is 1 if answers differ between settings by more
// than the number of a broken line, or if a worker takes more memory than docs/wire.md says.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/eval/endurance"
	"github.com/srpatch/srpatch/internal/eval/program"
)

func main() { program.Main("endurance", run) }

// settings are one core and two, one worker and four, and far more cores than there are.
func settings() []endurance.Setting {
	return []endurance.Setting{{Cores: 1, Workers: 1}, {Cores: 2, Workers: 1}, {Cores: 1, Workers: 4}, {Cores: 2, Workers: 4}, {Cores: 32, Workers: 1}}
}

func run(ctx context.Context, args []string, stdout io.Writer) (err error) {
	flags := pflag.NewFlagSet("endurance", pflag.ContinueOnError)
	srpatch := flags.String("srpatch", "srpatch", "the `program`")
	testdata := flags.String("testdata", "../../testdata", "the project's `folder` of this name")
	n := flags.Int("n", 100_000, "how many requests")
	seed := flags.Uint64("seed", 1, "the same `number` gives the same requests")
	most := flags.Int64("memory", 200, "how many `MB` a worker may take")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "endurance")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	mix, err := endurance.NewMix(*testdata, *seed)
	if err != nil {
		return err
	}
	var parts []endurance.Part
	var size int64
	const count = 4
	for i := range count {
		part := endurance.Part{Path: filepath.Join(dir, fmt.Sprint("requests-", i)), Requests: *n*(i+1)/count - *n*i/count}
		written, err := mix.WriteFile(part.Path, *n*i/count, *n*(i+1)/count)
		if err != nil {
			return err
		}
		parts, size = append(parts, part), size+written
	}
	fmt.Fprintf(stdout, "%d requests of seed %d, %d MB\n", *n, *seed, size>>20)
	fmt.Fprintln(stdout, "               requests/s                               MB of memory")
	fmt.Fprintln(stdout, "cores workers  all   first tenth  last tenth  MB/s in  a worker's peak  all, first tenth  all, last tenth  answers")
	var first []string
	var faults []error
	for _, s := range settings() {
		r, err := endurance.Run(ctx, *srpatch, s, parts)
		if err != nil {
			return err
		}
		if first == nil {
			first = r.Sums
		}
		same := "same"
		if !slices.Equal(first, r.Sums) {
			same = "OTHERS"
			faults = append(faults, fmt.Errorf("%w: with GOMAXPROCS=%d and %d workers answers are others", program.ErrBounds, s.Cores, s.Workers))
		}
		if r.Peak>>20 > *most {
			faults = append(faults, fmt.Errorf("%w: with GOMAXPROCS=%d and %d workers one took %d MB, at most %d are stated", program.ErrBounds, s.Cores, s.Workers, r.Peak>>20, *most))
		}
		rate := func(n int, took time.Duration) float64 { return float64(n) / took.Seconds() }
		begin, end := r.Tenths[0], r.Tenths[endurance.Tenths-1]
		fmt.Fprintf(stdout, "%5d %7d %5.0f %12.0f %11.0f %8.0f %15d %17d %16d  %s\n", s.Cores, s.Workers, rate(*n, r.Took),
			rate(*n/endurance.Tenths, begin.Took), rate(*n/endurance.Tenths, end.Took), float64(size>>20)/r.Took.Seconds(),
			r.Peak>>20, begin.Memory>>20, end.Memory>>20, same)
	}
	return errors.Join(faults...)
}
