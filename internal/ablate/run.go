package ablate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/ablate/toggle"
)

// Job is a rule with a setting to try.
type Job struct {
	Rule    *Rule
	Setting toggle.Setting
	// Most, unless it is 0, asks for a [Tally] of each scale, over so many of its cases.
	Most int
}

// String names the job as declared.txt does.
func (j Job) String() string { return j.Rule.Key() + " " + string(j.Setting) }

// Result is what came of a job.
type Result struct {
	Job
	Difference Difference
	// Asked counts the cases in which the rule says otherwise.
	Asked int
	// Case is the one that shows the difference, How what the run did if it gave no answer.
	Case, How string
}

// Workshop is a temporary folder with the instrumented copies.
type Workshop struct {
	// Root is the module's folder.
	Root string
	// Rules are all rules, whether they are tried or not.
	Rules []*Rule

	dir, overlay string
}

// NewWorkshop makes one for some rules; [Workshop.Close] removes it.
func NewWorkshop(root string, rules []*Rule) (*Workshop, error) {
	dir, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return nil, err
	}
	w := &Workshop{Root: root, Rules: rules, dir: dir}
	if w.overlay, err = Overlay(root, dir, rules); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Close removes the folder.
func (w *Workshop) Close() error { return os.RemoveAll(w.dir) }

// Build builds a command with the copies in the place of the files. dir is the folder of its module, below the root.
func (w *Workshop) Build(ctx context.Context, dir, pkg string) (binary string, err error) {
	binary = w.File("probe")
	return binary, w.goTool(ctx, io.Discard, "build", "-C", filepath.Join(w.Root, dir), "-overlay", w.overlay, "-o", binary, pkg)
}

// File is the name of a file in the folder.
func (w *Workshop) File(name string) string { return filepath.Join(w.dir, name) }

// EvalCases writes evaluation cases to a file for [RequestCases].
func (w *Workshop) EvalCases(ctx context.Context, n int, seed uint64) (name string, err error) {
	f, err := os.Create(filepath.Join(w.dir, fmt.Sprintf("eval%d.jsonl", seed)))
	if err != nil {
		return "", err
	}
	err = w.goTool(ctx, f, "run", "-C", "internal/eval", "./cmd/eval", "--json", "--n", fmt.Sprint(n), "--seed", fmt.Sprint(seed))
	return f.Name(), errors.Join(err, f.Close())
}

func (w *Workshop) goTool(ctx context.Context, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout = w.Root, out
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.Bytes())
	}
	return nil
}

// Probe looks for the case that each job changes most. The binary is called with args and must call [Probe]; so many processes run at a time.
func (w *Workshop) Probe(ctx context.Context, binary string, args []string, jobs []Job, processes int) ([]Result, error) {
	lines, err := w.ask(ctx, binary, args, jobs, processes)
	results := make([]Result, len(lines))
	for i, line := range lines {
		results[i] = Result{Job: jobs[i]}
		if fatal, ok := strings.CutPrefix(line, fatalError); ok {
			results[i].Difference, results[i].How, results[i].Case = Fails, fatal, "some case"
		} else if f := strings.Split(line, "\t"); len(f) == 6 {
			d, _ := strconv.Atoi(f[2])
			results[i].Difference, results[i].How, results[i].Case = Difference(d), f[4], f[5]
			results[i].Asked, _ = strconv.Atoi(f[3])
		}
	}
	return results, err
}

// Tallies counts what the jobs change, in the scales of the cases.
func (w *Workshop) Tallies(ctx context.Context, binary string, args []string, jobs []Job, processes int) ([][]Tally, error) {
	lines, err := w.ask(ctx, binary, args, jobs, processes)
	tallies := make([][]Tally, len(lines))
	for i, line := range lines {
		if strings.HasPrefix(line, fatalError) {
			tallies[i] = []Tally{{Of: 1, Asked: 1, Moves: map[string]int{Endless: 1}}}
		} else if err == nil {
			err = json.Unmarshal([]byte(line), &tallies[i])
		}
	}
	return tallies, err
}

// ask has processes do the jobs and returns the line that each job gave.
func (w *Workshop) ask(ctx context.Context, binary string, args []string, jobs []Job, processes int) ([]string, error) {
	lines := make([]string, len(jobs))
	errs := make([]error, processes)
	var wg sync.WaitGroup
	for n := range processes {
		wg.Go(func() {
			var mine []int
			for i := n; i < len(jobs); i += processes {
				mine = append(mine, i)
			}
			for len(mine) > 0 && errs[n] == nil {
				var done int
				done, errs[n] = w.askOne(ctx, binary, args, jobs, mine, lines)
				mine = mine[done:]
			}
		})
	}
	wg.Wait()
	return lines, errors.Join(errs...)
}

// fatalError begins the line of a job of which a process died.
const fatalError = "fatal error: "

// askOne runs one process on the jobs whose indices are given, and returns how many it settled. A process that dies on a job
// settles it.
func (w *Workshop) askOne(ctx context.Context, binary string, args []string, jobs []Job, which []int, lines []string) (done int, err error) {
	var in, stderr bytes.Buffer
	for _, i := range which {
		fmt.Fprintln(&in, jobs[i].Rule.ID, jobs[i].Setting, jobs[i].Most)
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = w.Root, &in, &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	for from := bufio.NewReader(out); done < len(which); done++ {
		line, err := from.ReadString('\n')
		if err != nil {
			break
		}
		lines[which[done]] = strings.TrimSuffix(line, "\n")
	}
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	switch {
	case done == len(which):
		return done, nil
	case ctx.Err() != nil:
		return done, ctx.Err()
	case done > 0 && cmd.ProcessState.ExitCode() == outOfPatience:
		return done, nil
	case bytes.Contains(stderr.Bytes(), []byte(fatalError)):
		_, fatal, _ := strings.Cut(stderr.String(), fatalError)
		fatal, _, _ = strings.Cut(fatal, "\n")
		lines[which[done]] = fatalError + fatal
		return done + 1, nil
	}
	return done, fmt.Errorf("the probe: %w\n%s", err, stderr.Bytes())
}
