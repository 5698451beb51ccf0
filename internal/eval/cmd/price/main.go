// Command price prints what each rule and each room of the product earns: how many answers change without it, and its lines.
//
//	go -C internal/eval run ./cmd/price CASES.jsonl...
//	go -C internal/eval run ./cmd/price --rooms --markdown CASES.jsonl...    the table in docs/accuracy.md
//
// The questions are the requests in the files (see cmd/builds) and made edits of several seeds.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/pflag"
	"github.com/srpatch/srpatch/internal/ablate"
	"github.com/srpatch/srpatch/internal/eval"
	"github.com/srpatch/srpatch/internal/eval/price"
	"github.com/srpatch/srpatch/internal/eval/program"
)

func main() { program.Main("price", run) }

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	if len(args) > 0 && args[0] == "probe" {
		return probe(ctx, args[1:], out)
	}
	flags := pflag.NewFlagSet("price", pflag.ContinueOnError)
	n := flags.Int("n", 2000, "how many made edits for each seed")
	seeds := flags.UintSlice("seeds", []uint{1, 2, 3}, "the `seeds` of made edits")
	most := flags.Int("most", 50, "ask so many questions of each collection for a rule, and 20 times as many for a room")
	rooms := flags.Bool("rooms", false, "rooms only")
	markdown := flags.Bool("markdown", false, "print a table for a page")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := eval.Root()
	if err != nil {
		return err
	}
	p := &price.Pricer{Root: root, Package: "./cmd/price", Most: *most, Rooms: 20 * *most, Processes: runtime.NumCPU()}
	if *rooms {
		p.Most = 0
	}
	for _, name := range flags.Args() {
		if name, err = filepath.Abs(name); err != nil {
			return err
		}
		p.Files = append(p.Files, name)
	}
	p.Made = len(p.Files)
	dir, err := os.MkdirTemp("", "price")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, seed := range *seeds {
		qs, err := eval.MadeQuestions(ctx, uint64(seed), *n)
		if err != nil {
			return err
		}
		var lines bytes.Buffer
		for _, q := range qs {
			lines.Write(append(q.Line, '\n'))
		}
		name := filepath.Join(dir, fmt.Sprintf("%d.jsonl", seed))
		if err := os.WriteFile(name, lines.Bytes(), 0o600); err != nil {
			return err
		}
		p.Files = append(p.Files, name)
	}
	rows, err := p.Measure(ctx)
	if err != nil {
		return err
	}
	return price.Write(out, rows, *markdown)
}

// probe is the part of the command that runs with the switches.
func probe(ctx context.Context, args []string, out io.Writer) error {
	switches, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	var cases []ablate.Case
	for scale, name := range args[1:] {
		qs, err := eval.QuestionsOf(name)
		if err != nil {
			return err
		}
		cases = append(cases, price.Cases(ctx, qs, scale)...)
	}
	return ablate.Probe(cases, switches, os.Stdin, out)
}
