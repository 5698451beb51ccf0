package gitcommit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/srpatch/srpatch/internal/regular"
)

// scratch is a directory of our own with a copy of the index.
type scratch struct{ dir string }

func (s *scratch) file(name string) string { return filepath.Join(s.dir, name) }

// env has git take the copy for the index.
func (s *scratch) env() []string { return []string{"GIT_INDEX_FILE=" + s.file("index")} }

func (s *scratch) remove() { _ = os.RemoveAll(s.dir) }

const (
	scratchPrefix = "srpatch-"
	processFile   = "git" // in a scratch directory: the number of the git process that commits
)

// run runs git, and notes its process for [Repository.clear].
func (s *scratch) run(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = os.WriteFile(s.file(processFile), []byte(strconv.Itoa(cmd.Process.Pid)), 0o600)
	return cmd.Wait()
}

// clear removes the scratch directory of a srpatch that was killed, and the lock of its git if that was killed, too. Unless git has committed, it
// may still be at work.
func (r *Repository) clear(dir string, committed bool) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !strings.HasPrefix(filepath.Base(dir), scratchPrefix) {
		return
	}
	s := &scratch{dir}
	if text, err := regular.ReadFile(s.file(processFile)); err == nil {
		pid, err := strconv.Atoi(string(text))
		switch lives := err != nil || isAlive(pid); {
		case !lives:
			_ = os.Remove(filepath.Join(r.dir, fmt.Sprintf("next-index-%d.lock", pid)))
		case !committed:
			return
		}
	}
	for _, name := range []string{"index", "index.lock", "message", "names", processFile} {
		_ = os.Remove(s.file(name))
	}
	_ = os.Remove(dir)
}

// copyIndex copies the index, with its time: by that git knows which entries it cannot trust.
func (r *Repository) copyIndex() (*scratch, error) {
	dir, err := os.MkdirTemp("", scratchPrefix)
	if err != nil {
		return nil, err
	}
	s := &scratch{dir}
	index := filepath.Join(r.dir, "index")
	info, err := os.Stat(index)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil // nothing was ever added
	}
	var text []byte
	if err == nil {
		text, err = regular.ReadFile(index)
	}
	if err == nil {
		err = os.WriteFile(s.file("index"), text, 0o600)
	}
	if err == nil {
		err = os.Chtimes(s.file("index"), info.ModTime(), info.ModTime())
	}
	if err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

// entry is a file in the index or in a tree: its mode and what it holds, "" where there is no such file.
type entry struct{ mode, object string }

// changes are the entries that differ, by name, as they are on the newer side of a comparison that git prints by --raw -z --no-renames.
func changes(out []byte) map[string]entry {
	all := map[string]entry{}
	for fields := split(out); len(fields) >= 2; fields = fields[2:] {
		words := strings.Fields(fields[0]) // :old-mode new-mode old new status
		if len(words) < 5 {
			continue
		}
		e := entry{words[1], words[3]}
		if strings.Trim(e.mode, "0") == "" {
			e = entry{}
		}
		all[fields[1]] = e
	}
	return all
}

// staged are the entries of the index that differ from a commit or a tree.
func (r *Repository) staged(ctx context.Context, env []string, from string) (map[string]entry, error) {
	out, said, err := r.askWith(ctx, nil, env, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none", from)
	if err != nil {
		return nil, failed("git does not say what is staged", said, err)
	}
	return changes(out), nil
}

// between are the entries in which two commits differ.
func (r *Repository) between(ctx context.Context, from, to string) (map[string]entry, error) {
	out, said, err := r.ask(ctx, nil, "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", from, to)
	if err != nil {
		return nil, failed("git does not say what was committed", said, err)
	}
	return changes(out), nil
}

// How long, and how often, an index is asked for that another git has locked: editors look at the status of files whenever one changes, and what
// an index has that is left behind takes the run back with the next commit.
const (
	lockPatience = 10 * time.Second
	lockPause    = 100 * time.Millisecond
)

// update brings entries of the index to what was committed, unless somebody has staged something else there.
func (r *Repository) update(ctx context.Context, before string, committed map[string]entry) error {
	staged, err := r.staged(ctx, nil, before)
	if err != nil {
		return err
	}
	var gone, there []string
	for name, e := range committed {
		switch _, other := staged[name]; {
		case other:
		case e == entry{}:
			gone = append(gone, "0 "+before+"\t"+name) // of what is removed git reads the mode alone
		default:
			there = append(there, e.mode+" "+e.object+"\t"+name)
		}
	}
	slices.Sort(gone)
	slices.Sort(there)
	// What goes comes first: a directory may take the place of a file.
	entries := nul(slices.Concat(gone, there))
	_, said, err := r.ask(ctx, strings.NewReader(entries), "update-index", "-z", "--index-info")
	for start := time.Now(); err != nil && time.Since(start) < lockPatience; {
		time.Sleep(lockPause)
		_, said, err = r.ask(ctx, strings.NewReader(entries), "update-index", "-z", "--index-info")
	}
	if err != nil {
		return &Error{Code: NotCommitted, What: "the commit is made, but git's index is out of date", Remedy: "run srpatch log when no other git process is running", Said: said}
	}
	_, _, _ = r.ask(ctx, nil, "update-index", "-q", "--refresh") // for programs that look at times alone; it fails if anything was edited
	return nil
}
