// Command ablate switches each rule of apply, strategy and parser off and on, and names the case that needs it.
//
//	go run ./internal/ablate/cmd/ablate                           every rule
//	go run ./internal/ablate/cmd/ablate --base HEAD~1             the rules of files that differ from a revision
//	go run ./internal/ablate/cmd/ablate --files apply/choose.go   the rules of some files
//	go run ./internal/ablate/cmd/ablate --tests                   also which test fails, for rules that no case needs
//
// The exit status is 1 when a rule has no case and is not in internal/ablate/declared.txt, or is there although it has one.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/srpatch/srpatch/internal/ablate"
)

// tested are the packages whose tests may need a rule, by its top folder, the quickest first.
var tested = map[string][]string{
	"apply": {"apply/internal/omission", "apply/internal/splice", "apply/internal/verdict", "internal/render", "cmd/srpatch", "apply"},
	"parser": {"parser/internal/mdline", "parser/internal/filename", "parser/internal/attempt", "parser/internal/chatlog", "parser/internal/jsontext",
		"parser/internal/envelope", "parser", "cmd/srpatch", "apply"},
	"strategy": {"strategy", "cmd/srpatch", "apply"},
}

const self = "./internal/ablate/cmd/ablate"

var errLacking = errors.New("rules without a case, or declarations without need: see above")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	switch {
	case err == nil || errors.Is(err, pflag.ErrHelp):
	case errors.Is(err, errLacking):
		fmt.Fprintln(os.Stderr, "ablate:", err)
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "ablate:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 2 && args[0] == "probe" {
		return probe(args[1], args[2:])
	}
	flags := pflag.NewFlagSet("ablate", pflag.ContinueOnError)
	base := flags.String("base", "", "only the rules of files that differ from this `revision`")
	files := flags.StringSlice("files", nil, "only the rules of these `files`")
	n := flags.Int("n", 4100, "how many evaluation cases for each seed")
	seeds := flags.Int("seeds", 1, "how many seeds of evaluation cases")
	more := flags.StringSlice("cases", nil, "`files` with more cases, requests of srpatch filter with the expected results")
	tests := flags.Bool("tests", false, "run the tests with the rules that no case needs")
	processes := flags.Int("processes", runtime.NumCPU(), "how many processes try rules at a time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	if *base != "" {
		changed, err := changedSince(ctx, root, *base)
		if err != nil {
			return err
		}
		*files = append(*files, changed...)
		if len(*files) == 0 {
			fmt.Println("no file of", strings.Join(ablate.Packages(), ", "), "differs from", *base)
			return nil
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "internal", "ablate", "declared.txt"))
	if err != nil {
		return err
	}
	declared, err := ablate.Declared(string(text))
	if err != nil {
		return err
	}
	rules, err := ablate.Rules(root, ablate.Packages())
	if err != nil {
		return err
	}
	w, err := ablate.NewWorkshop(root, rules)
	if err != nil {
		return err
	}
	defer w.Close()
	binary, err := w.Build(ctx, ".", self)
	if err != nil {
		return err
	}
	var cases []string
	for _, name := range *more {
		if name, err = filepath.Abs(name); err != nil {
			return err
		}
		cases = append(cases, name)
	}
	for seed := range *seeds {
		name, err := w.EvalCases(ctx, *n, uint64(seed+1))
		if err != nil {
			return err
		}
		cases = append(cases, name)
	}
	gate := &ablate.Gate{
		Workshop: w, Binary: binary, Args: append([]string{"probe", strconv.Itoa(len(w.Rules))}, cases...), Processes: *processes, Declared: declared, Out: os.Stdout,
	}
	if *tests {
		gate.Tests = tested
	}
	good, err := gate.Run(ctx, func(r *ablate.Rule) bool { return len(*files) == 0 || slices.Contains(*files, r.File) })
	if err == nil && !good {
		err = errLacking
	}
	return err
}

// probe is the part of the command that runs with the instrumented copies.
func probe(rules string, files []string) error {
	n, err := strconv.Atoi(rules)
	if err != nil {
		return err
	}
	cases, err := ablate.TableCases(".")
	if err != nil {
		return err
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		some, err := ablate.RequestCases(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		cases = append(cases, some...)
	}
	return ablate.Probe(cases, n, os.Stdin, os.Stdout)
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := output(ctx, "", "go", "env", "GOMOD")
	if err != nil || len(out) == 0 || out[0] == os.DevNull {
		return "", fmt.Errorf("run inside the module: %w", err)
	}
	return filepath.Dir(out[0]), nil
}

// changedSince lists the files of the packages with rules that differ from a revision, or are new.
func changedSince(ctx context.Context, root, base string) ([]string, error) {
	changed, err := output(ctx, root, "git", append([]string{"diff", "--name-only", "--diff-filter=d", base, "--"}, ablate.Packages()...)...)
	if err != nil {
		return nil, err
	}
	added, err := output(ctx, root, "git", append([]string{"ls-files", "--others", "--exclude-standard", "--"}, ablate.Packages()...)...)
	all := slices.DeleteFunc(append(changed, added...), func(name string) bool {
		return filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || !slices.Contains(ablate.Packages(), filepath.Dir(name))
	})
	return all, err
}

// output runs a command and returns the lines that it prints.
func output(ctx context.Context, dir, name string, args ...string) ([]string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return strings.Fields(string(out)), nil
}
