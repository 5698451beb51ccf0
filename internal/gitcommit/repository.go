package gitcommit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/srpatch/srpatch/internal/git"
)

// patience is how long git may take to answer a question. A commit may take longer: hooks run tests.
const patience = time.Minute

// Repository is the one whose work tree a directory is in.
type Repository struct {
	top    string // of the work tree, absolute
	prefix string // of the directory in it, with a slash at the end; "" at the top
	dir    string // git's own, absolute; that of the work tree where there are several
	// checked is the commit at HEAD that the files were as in before the run wrote, or the empty tree.
	checked string
	// Noting, unless nil, keeps what [Repository.Finish] needs before git begins to commit.
	Noting func(Note) error
}

// Open finds the repository of a directory.
func Open(ctx context.Context, dir string) (*Repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, &Error{Code: NoGit, What: "git is not installed", Remedy: "install it, or leave out --commit"}
	}
	r := &Repository{top: dir}
	if top := git.Top(dir); top != "" {
		r.dir = filepath.Join(top, ".git")
		if err := r.checkSpecial(nil, GitRefused); err != nil {
			return nil, err
		}
	}
	out, said, err := r.ask(ctx, nil, "rev-parse", "--show-toplevel", "--absolute-git-dir", "--show-prefix")
	lines := strings.Split(string(out), "\n")
	if err != nil || len(lines) != 4 { // the last one is empty
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		refused := &Error{Code: NoRepository, What: "git refuses the repository", Remedy: git.Trust(said), Said: said}
		if refused.Remedy == "" {
			refused.What = "the tree is not in the work tree of a git repository"
			refused.Remedy = "make one with git init, name one with -d, or leave out --commit"
		}
		return nil, refused
	}
	r.top, r.dir, r.prefix = filepath.FromSlash(lines[0]), filepath.FromSlash(lines[1]), lines[2]
	return r, nil
}

// locate is a file below the directory as git names it, from the top of the work tree.
func (r *Repository) locate(name string) string { return path.Join(r.prefix, name) }

// ask runs git at the top of the work tree and gives what it prints; said is what it prints for people. Its messages are in English.
func (r *Repository) ask(ctx context.Context, in io.Reader, args ...string) (out []byte, said string, err error) {
	return r.askWith(ctx, in, nil, args...)
}

// askWith is ask with variables for git.
func (r *Repository) askWith(ctx context.Context, in io.Reader, env []string, args ...string) (out []byte, said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := git.Command(ctx, r.top, args...)
	cmd.Env = append(append(cmd.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0"), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &stdout, &stderr
	if err = cmd.Run(); errors.Is(err, exec.ErrWaitDelay) {
		err = nil // git has ended well, and what it left behind in the background holds its output open
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		stderr.Reset()
		fmt.Fprintf(&stderr, "git %s did not answer within %v", args[0], patience)
	}
	return stdout.Bytes(), stderr.String(), err
}

// failed says that git could not be asked something that it answers as a rule.
func failed(what, said string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if said == "" {
		said = err.Error()
	}
	return &Error{Code: GitRefused, What: what, Said: said}
}

// head is the commit at HEAD, or the empty tree before the first commit: what the next commit is compared with.
func (r *Repository) head(ctx context.Context) (string, error) {
	out, _, err := r.ask(ctx, nil, "rev-parse", "--quiet", "--verify", "HEAD^{commit}")
	if err != nil {
		return r.empty(ctx, "tree")
	}
	return strings.TrimSpace(string(out)), nil
}

// empty is the name of an object without content, by whatever hash the repository goes.
func (r *Repository) empty(ctx context.Context, kind string) (string, error) {
	out, said, err := r.ask(ctx, nil, "hash-object", "-t", kind, "--stdin")
	if err != nil {
		return "", failed("git does not name the empty "+kind, said, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// pathspecs are names for git to read from --pathspec-from-file with --pathspec-file-nul, which they are taken for letter by letter.
func pathspecs(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = ":(top,literal)" + name
	}
	return out
}

// nul is a list with a NUL after each.
func nul(list []string) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(s)
		b.WriteByte(0)
	}
	return b.String()
}

// split is the inverse of [nul].
func split(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
