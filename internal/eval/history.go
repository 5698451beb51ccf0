package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/internal/git"
)

// LoadHistory reads at most limit changed files from the commits of the git repository in dir,
// chosen by the seed: each is a source with the hunks its commit made. It needs git.
func LoadHistory(ctx context.Context, dir string, seed uint64, limit int) (*Tree, error) {
	run := func(args ...string) ([]byte, error) { return git.Command(ctx, dir, args...).Output() }
	out, err := run("log", "--no-merges", "--format=%H", "-n", "5000")
	if err != nil {
		why, remedy := git.Refusal(err)
		return nil, fmt.Errorf("git log: %s: %s", why, remedy)
	}
	commits := strings.Fields(string(out))
	rng := rand.New(rand.NewPCG(seed, 0x617))
	rng.Shuffle(len(commits), func(i, j int) { commits[i], commits[j] = commits[j], commits[i] })
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	t := &Tree{Name: filepath.Base(abs)}
	for _, c := range commits {
		if len(t.sources) >= limit {
			break
		}
		// Commits without a parent are left out.
		diff, err := run("diff", "-U0", "--no-renames", "--no-color", "--no-ext-diff",
			"--diff-filter=M", c+"^", c)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue
		}
		files := parseDiff(diff)
		for i, f := range files {
			if i == 4 {
				break
			}
			text, err := run("show", c+"^:"+f.path)
			if err != nil {
				continue
			}
			if s := newSource(t.Name, f.path, text); s != nil {
				s.hunks = f.hunks
				t.sources = append(t.sources, s)
			}
		}
	}
	if len(t.sources) == 0 {
		return nil, fmt.Errorf("no usable commit in %s: give another --git", dir)
	}
	return t, nil
}

type diffFile struct {
	path  string
	hunks []hunk
}

// parseDiff reads the hunks of a diff without context, file by file.
func parseDiff(diff []byte) []diffFile {
	var out []diffFile
	var h *hunk
	minus, plus := 0, 0 // lines of the hunk still to come
	for l := range strings.Lines(string(diff)) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case minus > 0 && strings.HasPrefix(l, "-"):
			minus--
		case plus > 0 && strings.HasPrefix(l, "+"):
			h.with = append(h.with, l[1:])
			plus--
		case strings.HasPrefix(l, "+++ b/"):
			out = append(out, diffFile{path: l[len("+++ b/"):]})
		case strings.HasPrefix(l, "@@ -") && len(out) > 0:
			f := strings.Fields(l)
			from, n := rangeOf(f[1][1:])
			_, plus = rangeOf(f[2][1:])
			minus = n
			start := from - 1
			if n == 0 {
				start = from // "after line from"
			}
			last := &out[len(out)-1]
			last.hunks = append(last.hunks, hunk{start: start, end: start + n})
			h = &last.hunks[len(last.hunks)-1]
		}
	}
	return out
}

func rangeOf(s string) (from, n int) {
	a, b, ok := strings.Cut(s, ",")
	from, _ = strconv.Atoi(a)
	if n = 1; ok {
		n, _ = strconv.Atoi(b)
	}
	return from, n
}
