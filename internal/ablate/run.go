package ablate

import (
	"bufio"
	"bytes"
	"context"
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

// NewWorkshop makes one; [Workshop.Close] removes it.
func NewWorkshop(root string, packages []string) (*Workshop, error) {
	rules, err := Rules(root, packages)
	if err != nil {
		return nil, err
	}
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

// Build builds a command of the module with the copies in the place of the files.
func (w *Workshop) Build(ctx context.Context, pkg string) (binary string, err error) {
	binary = filepath.Join(w.dir, "probe")
	return binary, w.goTool(ctx, io.Discard, "build", "-overlay", w.overlay, "-o", binary, pkg)
}

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

// Probe tries the jobs in so many processes of the binary, which is called with args and must call [Probe].
func (w *Workshop) Probe(ctx context.Context, binary string, args []string, jobs []Job, processes int) ([]Result, error) {
	results := make([]Result, len(jobs))
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
				done, errs[n] = w.probe(ctx, binary, args, jobs, mine, results)
				mine = mine[done:]
			}
		})
	}
	wg.Wait()
	return results, errors.Join(errs...)
}

// probe runs one process on the jobs whose indices are given, and returns how many it settled. A process that dies on a job
// settles it.
func (w *Workshop) probe(ctx context.Context, binary string, args []string, jobs []Job, which []int, results []Result) (done int, err error) {
	var in, stderr bytes.Buffer
	for _, i := range which {
		fmt.Fprintf(&in, "%d %s\n", jobs[i].Rule.ID, jobs[i].Setting)
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
	for lines := bufio.NewScanner(out); done < len(which) && lines.Scan(); done++ {
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 6 {
			break
		}
		i := which[done]
		d, _ := strconv.Atoi(f[2])
		asked, _ := strconv.Atoi(f[3])
		results[i] = Result{Job: jobs[i], Difference: Difference(d), Asked: asked, How: f[4], Case: f[5]}
	}
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	switch {
	case done == len(which):
		return done, nil
	case ctx.Err() != nil:
		return done, ctx.Err()
	case done > 0 && results[which[done-1]].How == toggle.Endless:
		return done, nil
	case bytes.Contains(stderr.Bytes(), []byte("fatal error: ")):
		_, fatal, _ := strings.Cut(stderr.String(), "fatal error: ")
		fatal, _, _ = strings.Cut(fatal, "\n")
		i := which[done]
		results[i] = Result{Job: jobs[i], Difference: Fails, How: fatal, Case: "some case"}
		return done + 1, nil
	}
	return done, fmt.Errorf("the probe: %w\n%s", err, stderr.Bytes())
}
