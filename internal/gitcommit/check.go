package gitcommit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Check refuses, before they are written, files that could not be committed afterwards, or not alone: all that the run changes, makes or removes.
func (r *Repository) Check(ctx context.Context, all []File) (err error) {
	if err := r.checkSpecial(all, GitRefused); err != nil {
		return err
	}
	if r.checked, err = r.head(ctx); err != nil {
		return err
	}
	if err := errors.Join(r.checkUnlocked(), r.checkFinished(), r.checkMerged(ctx), r.checkIdentity(ctx)); err != nil {
		return err
	}
	files := make([]string, len(all))
	earlier := map[string]bool{}
	for i, f := range all {
		files[i] = r.locate(f.Name)
		earlier[files[i]] = f.Earlier
	}
	for _, check := range []func(context.Context, []string) error{r.checkOwn, r.checkCase, r.checkIgnored, r.checkClean(earlier), r.checkAddable} {
		if err := check(ctx, files); err != nil {
			return err
		}
	}
	return nil
}

// checkUnlocked refuses a commit beside a git that is writing the index, or was killed while it did: the commit is made on a copy, and the index
// could not follow it.
func (r *Repository) checkUnlocked() error {
	lock := filepath.Join(r.dir, "index.lock")
	if _, err := os.Lstat(lock); err != nil {
		return nil
	}
	return &Error{Code: GitRefused, What: "another git process has locked the index", Remedy: "run again when it has ended; if there is none, remove " + lock}
}

// checkFinished refuses a commit in the middle of something that ends with a commit.
func (r *Repository) checkFinished() error {
	for _, state := range []struct{ file, what string }{
		{"MERGE_HEAD", "merge"}, {"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"}, {"rebase-merge", "rebase"}, {"rebase-apply", "rebase"},
	} {
		if _, err := os.Stat(filepath.Join(r.dir, state.file)); err == nil {
			return &Error{Code: Unfinished, What: "a " + state.what + " is under way", Remedy: fmt.Sprintf("finish it, or end it with git %s --abort", state.what)}
		}
	}
	return nil
}

func (r *Repository) checkMerged(ctx context.Context) error {
	out, said, err := r.ask(ctx, nil, "ls-files", "--unmerged", "-z")
	if err != nil {
		return failed("git cannot read its index", said, err)
	}
	if unmerged := split(out); len(unmerged) > 0 {
		_, name, _ := strings.Cut(unmerged[0], "\t")
		return &Error{Code: Unmerged, Path: name, What: "git's index has conflicts that are not resolved", Remedy: "resolve them and git add the files"}
	}
	return nil
}

func (r *Repository) checkIdentity(ctx context.Context) error {
	for _, who := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		if _, said, err := r.ask(ctx, nil, "var", who); err != nil {
			if err := ctx.Err(); err != nil {
				return err
			}
			const remedy = `run: git config user.name "Your Name"; git config user.email you@example.com`
			return &Error{Code: NoIdentity, What: "git has no name and address to commit with", Remedy: remedy, Said: lastLine(said)}
		}
	}
	return nil
}

// lastLine is where git says what it came to, below its advice.
func lastLine(said string) string {
	said = strings.TrimSpace(said)
	return said[strings.LastIndexByte(said, '\n')+1:]
}

// checkOwn refuses files of repositories below this one, as submodules are.
func (r *Repository) checkOwn(_ context.Context, files []string) error {
	var errs []error
	own := map[string]bool{".": true}
	for _, name := range files {
		for dir := path.Dir(name); !own[dir]; dir = path.Dir(dir) {
			if _, err := os.Lstat(filepath.Join(r.top, filepath.FromSlash(dir), ".git")); err == nil {
				errs = append(errs, &Error{Code: OtherRepository, Path: name, What: "the file belongs to the repository in " + dir,
					Remedy: "apply the edits there, with -d " + filepath.Join(r.top, filepath.FromSlash(dir))})
				break
			}
			own[dir] = true
		}
	}
	return errors.Join(errs...)
}

// checkCase refuses a file that goes where another one comes whose name differs by case alone, if git takes these for one.
func (r *Repository) checkCase(ctx context.Context, files []string) error {
	as := map[string]string{}
	for _, name := range files {
		other, ok := as[strings.ToLower(name)]
		as[strings.ToLower(name)] = name
		if !ok || other == name {
			continue
		}
		if out, _, _ := r.ask(ctx, nil, "config", "--type=bool", "core.ignoreCase"); strings.TrimSpace(string(out)) == "true" {
			return &Error{Code: GitRefused, Path: name, What: "git cannot tell the file from " + other + " here", Remedy: "rename it with git mv first"}
		}
	}
	return nil
}

// checkIgnored refuses files that git would ignore. One that it knows is not ignored, whatever the patterns say.
func (r *Repository) checkIgnored(ctx context.Context, files []string) error {
	out, said, err := r.ask(ctx, strings.NewReader(nul(files)), "check-ignore", "-z", "--stdin")
	if err != nil && (said != "" || ctx.Err() != nil) { // it fails without a word if there is none
		return failed("git does not say what it ignores", said, err)
	}
	var errs []error
	for _, name := range split(out) {
		errs = append(errs, &Error{Code: Ignored, Path: name, What: "git ignores the file", Remedy: "change .gitignore, deny the file with --deny, or leave out --commit"})
	}
	return errors.Join(errs...)
}

// atOnce is how many files are named on one command line, which is short on Windows.
const atOnce = 50

// checkClean refuses files that are not as they are in HEAD, in the index or in the work tree. Git compares them, so that line ends and what its
// filters convert do not count. What an earlier run has changed may differ in the work tree.
func (r *Repository) checkClean(earlier map[string]bool) func(context.Context, []string) error {
	return func(ctx context.Context, files []string) error { return r.checkCleanExcept(ctx, files, earlier) }
}

func (r *Repository) checkCleanExcept(ctx context.Context, files []string, earlier map[string]bool) error {
	var errs []error
	refuse := func(name, what, remedy string) {
		errs = append(errs, &Error{Code: Dirty, Path: name, What: what, Remedy: remedy})
	}
	for some := range slices.Chunk(files, atOnce) {
		out, said, err := r.ask(ctx, nil, append([]string{"status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--"}, pathspecs(some)...)...)
		if err != nil {
			return failed("git does not say what is edited", said, err)
		}
		for _, line := range split(out) {
			fields, last := 9, 8
			if strings.HasPrefix(line, "? ") {
				fields, last = 2, 1
			}
			words := strings.SplitN(line, " ", fields)
			if len(words) < fields {
				continue
			}
			name := words[last]
			const remedy = "commit them first, or put them away with git stash"
			switch staged := words[0] != "?" && words[1][0] != '.'; {
			case earlier[name] && !staged:
			case words[0] == "?":
				refuse(name, "git does not track the file yet, so the commit would contain all of it", "git add it and commit it first")
			case staged:
				refuse(name, "the file has staged changes that are not the run's", remedy)
			default:
				refuse(name, "the file has uncommitted changes that are not the run's", remedy)
			}
		}
		if out, said, err = r.ask(ctx, nil, append([]string{"ls-files", "-v", "-z", "--"}, pathspecs(some)...)...); err != nil {
			return failed("git does not list its files", said, err)
		}
		for _, line := range split(out) {
			if tag, name, ok := strings.Cut(line, " "); ok && tag >= "a" {
				refuse(name, "git is told to ignore changes to the file", "run: git update-index --no-assume-unchanged on it")
			}
		}
	}
	return errors.Join(errs...)
}

// checkAddable has git say whether it would take the files. Those that are not there yet it is shown in a copy of its index.
func (r *Repository) checkAddable(ctx context.Context, files []string) error {
	s, err := r.copyIndex()
	if err != nil {
		return failed("git's index cannot be copied", "", err)
	}
	defer s.remove()
	blob, err := r.empty(ctx, "blob")
	if err != nil {
		return err
	}
	var made []string
	for _, name := range files {
		if _, err := os.Lstat(filepath.Join(r.top, filepath.FromSlash(name))); err != nil {
			made = append(made, "100644 "+blob+"\t"+name)
		}
	}
	if _, said, err := r.askWith(ctx, strings.NewReader(nul(made)), s.env(), "update-index", "-z", "--index-info"); err != nil {
		return failed("git would not take a file", said, err)
	}
	_, said, err := r.askWith(ctx, strings.NewReader(nul(pathspecs(files))), s.env(), "add", "--all", "--dry-run", "--ignore-missing", "--pathspec-from-file=-", "--pathspec-file-nul")
	if err == nil {
		return nil
	}
	var errs []error
	for line := range strings.Lines(said) { // it lists what is outside of a sparse checkout
		if name := strings.TrimPrefix(strings.TrimSpace(line), ":(top,literal)"); slices.Contains(files, name) {
			errs = append(errs, &Error{Code: GitRefused, Path: name, What: "the file is outside the sparse checkout, or marked skip-worktree", Remedy: "include it with git sparse-checkout add or git update-index --no-skip-worktree, or leave out --commit"})
		}
	}
	if errs == nil {
		return failed("git would not take the files", said, err)
	}
	return errors.Join(errs...)
}
