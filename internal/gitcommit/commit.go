package gitcommit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/srpatch/srpatch/internal/excerpt"
	"github.com/srpatch/srpatch/internal/git"
	"github.com/srpatch/srpatch/internal/regular"
)

// File is a file of the run as it leaves it.
type File struct {
	// Name is below the directory that was opened, without links.
	Name string
	// Sum is the SHA-256 of its bytes in hexadecimal, "" of a file that is gone.
	Sum string
	// Earlier: an earlier run has written the file, and its commit is still open. The file need not be as in HEAD then.
	Earlier bool
}

// Commit is one that was made.
type Commit struct {
	ID, Short string
	Branch    string // "" where HEAD is none
	Subject   string
	// Differs are files, as git names them, that were committed otherwise than the run left them, or that it did not change: what checked
	// the run has changed them, or a hook.
	Differs []string
	// Said is what git and the hooks said.
	Said string
	// Stale is why the index is not up to date; nil if it is.
	Stale error
}

// Commit commits the files of a run, which [Repository.Check] has passed before they were written. It returns nil if git sees no change in them.
// Git waits for its hooks without a limit, and is asked to end if ctx is cancelled.
func (r *Repository) Commit(ctx context.Context, files []File, message string) (*Commit, error) {
	if err := r.checkSpecial(files, NotCommitted); err != nil {
		return nil, err
	}
	before, err := r.head(ctx)
	if err != nil {
		return nil, err
	}
	s, err := r.copyIndex()
	if err != nil {
		return nil, &Error{Code: NotCommitted, What: "git's index cannot be copied", Said: err.Error()}
	}
	defer s.remove()
	differs := map[string]bool{}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = r.locate(f.Name)
		if sumOf(filepath.Join(r.top, filepath.FromSlash(names[i]))) != f.Sum {
			differs[names[i]] = true
		}
	}
	if err := r.checkUnmoved(ctx, before, names); err != nil {
		return nil, err
	}
	left, err := r.add(ctx, s, before, names)
	if err != nil || len(left) == 0 {
		return nil, err
	}
	if r.Noting != nil {
		if err := r.Noting(newNote(before, slices.Sorted(maps.Keys(left)), message, s.dir)); err != nil {
			return nil, &Error{Code: NotCommitted, What: "git was not asked to commit", Said: err.Error()}
		}
	}
	said, failure := r.run(ctx, s, message, r.named(left))
	why := "git made no commit"
	if ctx.Err() != nil {
		why = "interrupted before git had made the commit"
	}
	ctx = context.WithoutCancel(ctx) // what is committed is told
	after, err := r.head(ctx)
	if err != nil {
		return nil, err
	}
	committed, err := r.between(ctx, before, after)
	if err != nil {
		return nil, err
	}
	if failure != nil && !hasAll(committed, left) { // else it was interrupted after the commit
		return nil, &Error{Code: NotCommitted, What: why, Said: said}
	}
	c := &Commit{ID: after, Said: said}
	for name, e := range committed {
		if e != left[name] {
			differs[name] = true
		}
	}
	c.Differs = slices.Sorted(maps.Keys(differs))
	c.Stale = r.update(ctx, before, committed)
	r.describe(ctx, c)
	return c, nil
}

// Holds reports whether all files are as a run left them.
func (r *Repository) Holds(files []File) bool {
	return !slices.ContainsFunc(files, func(f File) bool {
		name := filepath.Join(r.top, filepath.FromSlash(r.locate(f.Name)))
		_, err := os.Lstat(name)
		return sumOf(name) != f.Sum || f.Sum == "" && !errors.Is(err, fs.ErrNotExist)
	})
}

// checkUnmoved refuses files that somebody has committed since they were checked: the run knows nothing of that, and would take it back.
func (r *Repository) checkUnmoved(ctx context.Context, before string, names []string) error {
	if before == r.checked {
		return nil
	}
	moved, err := r.between(ctx, r.checked, before)
	for _, name := range names {
		if _, ok := moved[name]; ok {
			return &Error{Code: NotCommitted, What: name + " was committed by another process in the meantime"}
		}
	}
	return err
}

// sumOf is the SHA-256 of a regular file; "" if there is none.
func sumOf(name string) string {
	f, err := regular.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// add adds the files to the copy of the index. Those in which git sees a change are returned.
func (r *Repository) add(ctx context.Context, s *scratch, before string, names []string) (map[string]entry, error) {
	_, said, err := r.askWith(ctx, strings.NewReader(nul(pathspecs(names))), s.env(), "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &Error{Code: NotCommitted, What: "git does not take the files", Said: said}
	}
	left, err := r.staged(ctx, s.env(), before)
	maps.DeleteFunc(left, func(name string, _ entry) bool { return !slices.Contains(names, name) })
	return left, err
}

// named are the files to name to git. One that is gone since a directory has its name goes by itself, and git would look for a repository there.
func (r *Repository) named(left map[string]entry) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(left)), func(name string) bool {
		info, err := os.Lstat(filepath.Join(r.top, filepath.FromSlash(name)))
		return left[name] == entry{} && err == nil && info.IsDir()
	})
}

// run has git commit the files, with their entries in the copy of the index.
func (r *Repository) run(ctx context.Context, s *scratch, message string, names []string) (said string, err error) {
	for file, text := range map[string]string{"message": message, "names": nul(pathspecs(names))} {
		if err := os.WriteFile(s.file(file), []byte(text), 0o600); err != nil {
			return err.Error(), err
		}
	}
	cmd := git.Command(ctx, r.top, "-c", "i18n.commitEncoding=UTF-8", "commit", "--quiet", "--only", "--cleanup=whitespace", "--file="+s.file("message"),
		"--pathspec-from-file="+s.file("names"), "--pathspec-file-nul")
	cmd.Env = append(append(cmd.Env, "GIT_EDITOR=:"), s.env()...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it removes its locks then
	var out excerpt.Writer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = runBound(cmd, s)
	said, _ = out.Text()
	return said, err
}

// hasAll reports whether all of the files are in a commit.
func hasAll(committed, files map[string]entry) bool {
	for name := range files {
		if _, ok := committed[name]; !ok {
			return false
		}
	}
	return true
}

// describe says of a commit what people call it, as far as git says it.
func (r *Repository) describe(ctx context.Context, c *Commit) {
	c.Short = c.ID
	if out, _, err := r.ask(ctx, nil, "log", "-1", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--format=%h%x00%s", c.ID); err == nil {
		c.Short, c.Subject, _ = strings.Cut(strings.TrimSuffix(string(out), "\n"), "\x00")
	}
	if out, _, err := r.ask(ctx, nil, "symbolic-ref", "--quiet", "HEAD"); err == nil {
		c.Branch = strings.TrimPrefix(strings.TrimSpace(string(out)), "refs/heads/")
	}
}
