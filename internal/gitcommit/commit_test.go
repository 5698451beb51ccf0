package gitcommit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/internal/effort"
)

// place is a directory in a repository, and a shell to set it up.
type place struct {
	*testing.T
	dir string
}

// template is a repository with a commit of a.txt, b.txt and sub/c.txt, which all tests copy; "" if git or a shell is missing.
var template string

func TestMain(m *testing.M) {
	os.Exit(withTemplate(m.Run))
}

// withTemplate runs tests in an environment of their own.
func withTemplate(run func() int) int {
	_, noGit := exec.LookPath("git")
	_, noShell := exec.LookPath("sh")
	if noGit != nil || noShell != nil {
		return run()
	}
	home, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_GLOBAL": filepath.Join(home, "config"), "GIT_CONFIG_NOSYSTEM": "1"} {
		os.Setenv(name, value)
	}
	template = filepath.Join(home, "r")
	setup := exec.Command("sh", "-ec", `git config --global init.defaultBranch main; git config --global user.name N; git config --global user.email n@example.com
git config --global protocol.file.allow always; git config --global gc.auto 0; git init -q r; cd r
echo a >a.txt; echo b >b.txt; mkdir sub; echo c >sub/c.txt; git add .; git commit -qm one; rm .git/hooks/*`)
	setup.Dir = home
	if out, err := setup.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%s%v", out, err))
	}
	return run()
}

// newPlace copies the template.
func newPlace(t *testing.T) *place {
	t.Helper()
	if template == "" {
		t.Skip("git is not installed, or no sh for its hooks")
	}
	p := &place{t, filepath.Join(t.TempDir(), "r")}
	if err := os.CopyFS(p.dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	return p
}

// checked is the repository, which has passed the names for a commit.
func (p *place) checked(names ...string) *Repository {
	p.Helper()
	r, err := Open(p.Context(), p.dir)
	if err == nil {
		err = r.Check(p.Context(), p.files(names))
	}
	if err != nil {
		p.Fatal(err)
	}
	return r
}

// sh runs a script in the directory, and gives what it prints.
func (p *place) sh(script string) string {
	p.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.Fatalf("%s\n%s%v", script, out, err)
	}
	return string(out)
}

// files are the names as a run leaves them.
func (p *place) files(names []string) (out []File) {
	for _, name := range names {
		f := File{Name: name}
		if text, err := os.ReadFile(filepath.Join(p.dir, name)); err == nil {
			sum := sha256.Sum256(text)
			f.Sum = hex.EncodeToString(sum[:])
		}
		out = append(out, f)
	}
	return out
}

// hook is the command that installs a script as the hook that goes before a commit.
func hook(script string) string {
	return "cat >.git/hooks/pre-commit <<'END'\n#!/bin/sh\n" + script + "\nEND\nchmod +x .git/hooks/pre-commit\n"
}

// TestCommitHoldsTheRunAlone: the commit has the run's files and no others, what was staged and edited besides is so still, and the index says
// of the run's files what the commit says.
func TestCommitHoldsTheRunAlone(t *testing.T) {
	tests := map[string]struct {
		before string // what people did before the run
		dir    string // the tree, below the repository
		run    string // what the run writes
		after  string // what happens to the files then
		names  []string
		want   string // git show --name-status
		status string // git status --porcelain, afterwards
		differ []string
		branch string
	}{
		"a changed file":              {run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt"},
		"a new file":                  {run: "echo n >new.txt", names: []string{"new.txt"}, want: "A\tnew.txt"},
		"a deleted file":              {run: "rm a.txt", names: []string{"a.txt"}, want: "D\ta.txt"},
		"a renamed file":              {run: "mv a.txt z.txt", names: []string{"a.txt", "z.txt"}, want: "D\ta.txt\nA\tz.txt"},
		"a directory for a file":      {run: "rm a.txt; mkdir a.txt; echo x >a.txt/x", names: []string{"a.txt", "a.txt/x"}, want: "D\ta.txt\nA\ta.txt/x"},
		"a file for a directory":      {run: "rm -r sub; echo x >sub", names: []string{"sub/c.txt", "sub"}, want: "A\tsub\nD\tsub/c.txt"},
		"an executable file":          {before: "chmod +x a.txt; git commit -qam x", run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt"},
		"what is staged of others":    {before: "echo B >b.txt; git add b.txt", run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", status: "M  b.txt"},
		"what is staged in part":      {before: "echo B >b.txt; git add b.txt; echo BB >b.txt", run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", status: "MM b.txt"},
		"what is edited":              {before: "echo B >b.txt; rm sub/c.txt", run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", status: " M b.txt\n D sub/c.txt"},
		"what is new":                 {before: "echo u >u; echo n >n; git add n; echo i >i; git add -N i", run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", status: " A i\nA  n\n?? u"},
		"a staged removal":            {before: "git rm -q --cached b.txt", run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", status: "D  b.txt\n?? b.txt"},
		"below the top":               {dir: "sub", run: "echo C >sub/c.txt; echo d >sub/d.txt", names: []string{"c.txt", "d.txt"}, want: "M\tsub/c.txt\nA\tsub/d.txt"},
		"strange names":               {run: "echo 1 >'*'; echo 2 >':(top)x'; echo 3 >'#q \"'; printf 4 >'ü\nn'; echo 5 >-v", names: []string{"*", ":(top)x", "#q \"", "ü\nn", "-v"}, want: "A\t\"#q \\\"\"\nA\t*\nA\t-v\nA\t:(top)x\nA\t\"\\303\\274\\nn\""},
		"a name that is a pattern":    {run: "echo A >a.txt; echo s >'*.txt'", names: []string{"*.txt"}, want: "A\t*.txt", status: " M a.txt"},
		"line ends that git converts": {before: "git config core.autocrlf true; rm a.txt; git checkout -q a.txt", run: `printf 'A\r\n' >a.txt`, names: []string{"a.txt"}, want: "M\ta.txt"},
		"on a detached head":          {before: "git checkout -q --detach", run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", branch: "-"},
		"in a worktree":               {before: "git worktree add -q w; echo w >>.git/info/exclude", dir: "w", run: "echo A >w/a.txt; echo n >w/n", names: []string{"a.txt", "n"}, want: "M\ta.txt\nA\tn", branch: "w"},
		"in a submodule":              {before: "git init -q ../m; echo x >../m/x; git -C ../m add x; git -C ../m commit -qm x; git submodule add -q ../m m; git commit -qm m", dir: "m", run: "echo X >m/x", names: []string{"x"}, want: "M\tx"},
		"next to a staged submodule":  {before: "git init -q ../m; git -C ../m commit -q --allow-empty -m x; git submodule add -q ../m m", run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", status: "A  .gitmodules\nA  m"},
		"in a sparse checkout":        {before: "git sparse-checkout set --cone sub", run: "echo C >sub/c.txt; echo n >sub/n", names: []string{"sub/c.txt", "sub/n"}, want: "M\tsub/c.txt\nA\tsub/n"},
		"with a sparse index":         {before: "mkdir o; echo o >o/o; git add o; git commit -qm o; git sparse-checkout set --cone --sparse-index sub", run: "echo C >sub/c.txt", names: []string{"sub/c.txt"}, want: "M\tsub/c.txt"},
		"with a split index":          {before: "git update-index --split-index; echo B >b.txt; git add b.txt", run: "echo A >a.txt; echo n >n", names: []string{"a.txt", "n"}, want: "M\ta.txt\nA\tn", status: "M  b.txt"},
		"where names have SHA-256":    {before: "rm -rf .git; git init -q --object-format=sha256; git add .; git commit -qm one", run: "echo A >a.txt; rm b.txt", names: []string{"a.txt", "b.txt"}, want: "M\ta.txt\nD\tb.txt"},
		"the first commit":            {before: "rm -rf .git; git init -q; git add b.txt", run: "echo n >n", names: []string{"n"}, want: "A\tn", status: "A  b.txt\n?? a.txt\n?? sub/"},
		"a hook that adds what it formats": {before: hook("echo AAA >a.txt; git add a.txt"), run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt",
			differ: []string{"a.txt"}},
		"a hook that formats too late":     {before: hook("echo AAA >a.txt"), run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", status: " M a.txt"},
		"where somebody commits meanwhile": {run: "echo A >a.txt", after: "echo B >b.txt; git commit -qm theirs b.txt", names: []string{"a.txt"}, want: "M\ta.txt"},
		"a hook that adds a file": {before: hook("echo g >gen; git add gen") + "echo B >b.txt; git add b.txt", run: "echo A >a.txt", names: []string{"a.txt"},
			want: "M\ta.txt\nA\tgen", status: "M  b.txt", differ: []string{"gen"}},
		"a check that formats":        {run: "echo A >a.txt", after: "echo AAA >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", differ: []string{"a.txt"}},
		"a file that a check removes": {run: "echo A >a.txt; echo n >n", after: "git rm -q -f --cached b.txt; rm a.txt", names: []string{"a.txt", "n"}, want: "D\ta.txt\nA\tn", status: "D  b.txt\n?? b.txt", differ: []string{"a.txt"}},
		"a hook that asks for git's own": {before: hook("test \"$(git diff --cached --name-only)\" = a.txt && test \"$(git rev-parse --show-toplevel)\" = \"$PWD\" && ! read line") + "echo B >b.txt; git add b.txt",
			run: "echo A >a.txt", names: []string{"a.txt"}, want: "M\ta.txt", status: "M  b.txt"},
	}
	for name, c := range tests {
		if !effort.Tries(name, 5) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.sh(c.before)
			top := filepath.Join(p.dir, c.dir)
			in := &place{t, top}
			r, err := Open(t.Context(), top)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Check(t.Context(), in.files(c.names)); err != nil {
				t.Fatal(err)
			}
			p.sh(c.run)
			files := in.files(c.names)
			p.sh(c.after)
			got, err := r.Commit(t.Context(), files, "subject\n\n# kept\n")
			if err != nil || got == nil {
				t.Fatal(got, err)
			}
			if shown := strings.TrimSpace(in.sh("git -c core.autocrlf=false show --format= --no-renames --name-status HEAD")); shown != c.want {
				t.Errorf("the commit has\n%s\nwant\n%s", shown, c.want)
			}
			if status := strings.TrimRight(in.sh("git status --porcelain"), "\n"); status != c.status {
				t.Errorf("afterwards\n%s\nwant\n%s", status, c.status)
			}
			if stale := in.sh("git diff-files --name-only"); c.status == "" && stale != "" {
				t.Errorf("git takes for edited: %s", stale)
			}
			if message := in.sh("git log -1 --format=%B"); message != "subject\n\n# kept\n\n" {
				t.Errorf("the message is %q", message)
			}
			branch := strings.Trim(c.branch, "-")
			if c.branch == "" && c.dir != "m" {
				branch = "main"
			}
			if c.dir == "m" {
				branch = strings.TrimSpace(in.sh("git branch --show-current"))
			}
			if want := strings.TrimSpace(in.sh("git rev-parse HEAD")); got.ID != want || !strings.HasPrefix(want, got.Short) || got.Short == "" || got.Subject != "subject" || got.Branch != branch {
				t.Errorf("%+v, want %s on %q", got, want, branch)
			}
			if !slices.Equal(got.Differs, c.differ) || got.Stale != nil {
				t.Errorf("it differs in %q, %v", got.Differs, got.Stale)
			}
			p.leavesNothing()
		})
	}
}

// leavesNothing: no lock stays behind.
func (p *place) leavesNothing() {
	p.Helper()
	filepath.WalkDir(filepath.Join(p.dir, ".git"), func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".lock") {
			p.Errorf("%s is left", name)
		}
		return err
	})
}

// TestCheckRefuses: where the run could not be committed, or not alone, it is refused before it writes.
func TestCheckRefuses(t *testing.T) {
	tests := map[string]struct {
		before string
		dir    string
		names  []string
		want   Code
		says   string
	}{
		"an edited file":                  {before: "echo x >>a.txt", names: []string{"a.txt", "b.txt"}, want: Dirty, says: "a.txt: the file has uncommitted changes"},
		"a staged file":                   {before: "echo x >>a.txt; git add a.txt", names: []string{"a.txt"}, want: Dirty, says: "a.txt: the file has staged changes"},
		"a file staged in part":           {before: "echo x >>a.txt; git add a.txt; echo y >>a.txt", names: []string{"a.txt"}, want: Dirty, says: "a.txt: "},
		"a staged removal":                {before: "git rm -q --cached a.txt", names: []string{"a.txt"}, want: Dirty, says: "a.txt: "},
		"a file that is gone":             {before: "rm a.txt", names: []string{"a.txt"}, want: Dirty, says: "a.txt: "},
		"a new file":                      {before: "echo n >n", names: []string{"n"}, want: Dirty, says: "n: git does not track the file yet"},
		"a new file below":                {before: "mkdir d; echo n >d/n", names: []string{"d/n"}, want: Dirty, says: "d/n: git does not track"},
		"a file to be added":              {before: "echo n >n; git add -N n", names: []string{"n"}, want: Dirty, says: "n: "},
		"a file that is not looked at":    {before: "git update-index --assume-unchanged a.txt; echo x >>a.txt", names: []string{"a.txt"}, want: Dirty, says: "a.txt: git is told to ignore"},
		"a changed mode":                  {before: "git config core.fileMode true; chmod +x a.txt", names: []string{"a.txt"}, want: Dirty, says: "a.txt: "},
		"files before a first commit":     {before: "rm -rf .git; git init -q; git add a.txt", names: []string{"a.txt"}, want: Dirty, says: "a.txt: the file has staged changes"},
		"an ignored file":                 {before: "echo '*.log' >.gitignore; echo x >x.log", names: []string{"x.log"}, want: Ignored, says: "x.log: git ignores the file"},
		"a new file that is ignored":      {before: "echo out/ >.gitignore", names: []string{"a.txt", "out/x"}, want: Ignored, says: "out/x: git ignores"},
		"an ignored tree":                 {before: "echo out/ >.gitignore; mkdir out", dir: "out", names: []string{"x"}, want: Ignored, says: "out/x: git ignores"},
		"a file of a submodule":           {before: "git init -q ../m; git -C ../m commit -q --allow-empty -m x; git submodule add -q ../m m; git commit -qm m", names: []string{"m/x"}, want: OtherRepository, says: "m/x: the file belongs to the repository in m; apply the edits there, with -d "},
		"a file of one that is not there": {before: "git init -q ../m; git -C ../m commit -q --allow-empty -m x; git submodule add -q ../m m; git commit -qm m; git submodule deinit -q -f m", names: []string{"m/x"}, want: GitRefused, says: "submodule"},
		"a file of another repository":    {before: "git init -q d/e", names: []string{"d/e/f/x"}, want: OtherRepository, says: "in d/e; "},
		"an edited file in a worktree":    {before: "git worktree add -q w; echo x >>w/a.txt", dir: "w", names: []string{"a.txt"}, want: Dirty, says: "a.txt: "},
		"outside of a sparse checkout":    {before: "mkdir o; echo o >o/o; git add o; git commit -qm o; git sparse-checkout set --cone sub", names: []string{"o/new", "a.txt"}, want: GitRefused, says: "o/new: the file is outside the sparse checkout"},
		"there by hand":                   {before: "mkdir o; echo o >o/o; git add o; git commit -qm o; git sparse-checkout set --cone sub; mkdir -p o; echo o >o/o", names: []string{"o/o"}, want: GitRefused, says: "o/o: the file is outside"},
		"a conflict":                      {before: "git checkout -q -b x; echo x >a.txt; git commit -qam x; git checkout -q main; echo y >a.txt; git commit -qam y; git merge -q x || rm .git/MERGE_HEAD", names: []string{"b.txt"}, want: Unmerged, says: "a.txt: git's index has conflicts"},
		"a merge":                         {before: "git checkout -q -b x; echo x >a.txt; git commit -qam x; git checkout -q main; echo y >b.txt; git commit -qam y; git merge -q --no-commit x", names: []string{"sub/c.txt"}, want: Unfinished, says: "a merge is under way"},
		"a rebase":                        {before: "echo x >a.txt; git commit -qam x; GIT_SEQUENCE_EDITOR='sed -i s/pick/edit/' git rebase -q -i HEAD~1 2>/dev/null", names: []string{"b.txt"}, want: Unfinished, says: "a rebase is under way"},
		"a cherry-pick":                   {before: "git checkout -q -b x; echo x >a.txt; git commit -qam x; git checkout -q main; echo y >a.txt; git commit -qam y; git cherry-pick x >/dev/null 2>&1 || true", names: []string{"b.txt"}, want: Unfinished, says: "a cherry-pick is under way"},
		"marked as not to be there":       {before: "git update-index --skip-worktree a.txt; echo x >>a.txt", names: []string{"a.txt"}, want: GitRefused, says: "git update-index --no-skip-worktree"},
		"nobody":                          {before: "git config user.name ''", names: []string{"a.txt"}, want: NoIdentity, says: "git has no name and address to commit with"},
		"no repository":                   {before: "rm -rf .git", names: []string{"a.txt"}, want: NoRepository, says: "the tree is not in the work tree of a git repository"},
		"a bare repository":               {before: "rm -rf .git; git init -q --bare .git; git -C .git config core.bare true", dir: ".git", names: []string{"x"}, want: NoRepository},
		"a name in another case":          {before: "git config core.ignoreCase true", names: []string{"a.txt", "A.txt"}, want: GitRefused, says: "git cannot tell the file from a.txt here"},
	}
	for name, c := range tests {
		if !effort.Tries(name, 5) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.sh(c.before)
			index, _ := os.ReadFile(filepath.Join(p.dir, ".git/index"))
			dir := filepath.Join(p.dir, c.dir)
			r, err := Open(t.Context(), dir)
			if err == nil {
				err = r.Check(t.Context(), (&place{t, dir}).files(c.names))
			}
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Code != c.want || !strings.Contains(err.Error(), c.says) || e.Remedy == "" && e.Said == "" {
				t.Errorf("%v, want %s with %q", err, c.want, c.says)
			}
			if now, _ := os.ReadFile(filepath.Join(p.dir, ".git/index")); !bytes.Equal(now, index) {
				t.Error("the index is another one")
			}
			p.leavesNothing()
		})
	}
}

// TestRefusedCommitLeavesAllAsItIs: where git makes no commit, index, branch and files are what they were.
func TestRefusedCommitLeavesAllAsItIs(t *testing.T) {
	tests := map[string]struct {
		before string
		says   string // of what git said
	}{
		"a hook before the commit": {hook("echo it does not build >&2; exit 3"), "it does not build"},
		"a hook that adds":         {hook("echo z >gen; git add gen a.txt b.txt; rm gen; exit 1"), ""},
		"a hook on the message":    {"printf '#!/bin/sh\necho the message is bad; exit 1' >.git/hooks/commit-msg; chmod +x .git/hooks/commit-msg", "the message is bad"},
		"a signature":              {"git config commit.gpgSign true; git config gpg.program false", "gpg failed to sign"},
		"a filter":                 {"git config filter.f.clean false; git config filter.f.required true; echo 'new filter=f' >.git/info/attributes", "clean filter 'f' failed"},
	}
	for name, c := range tests {
		if !effort.Tries(name, 5) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.sh(c.before + "\necho B >b.txt; git add b.txt; echo BB >b.txt; echo u >u")
			names := []string{"a.txt", "new", "sub/c.txt"}
			r, err := Open(t.Context(), p.dir)
			if err == nil {
				err = r.Check(t.Context(), p.files(names))
			}
			if err != nil {
				t.Fatal(err)
			}
			p.sh("echo A >a.txt; echo n >new; rm sub/c.txt")
			index, err := os.ReadFile(filepath.Join(p.dir, ".git/index"))
			if err != nil {
				t.Fatal(err)
			}
			before := p.sh("git rev-parse HEAD; git ls-files --stage; git status --porcelain; cat a.txt b.txt new u")
			if now, _ := os.ReadFile(filepath.Join(p.dir, ".git/index")); !bytes.Equal(now, index) {
				index = now // git status has refreshed it
			}
			got, err := r.Commit(t.Context(), p.files(names), "m\n")
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Code != NotCommitted || !strings.Contains(e.Said, c.says) || got != nil {
				t.Errorf("%v, %v", got, err)
			}
			if now, _ := os.ReadFile(filepath.Join(p.dir, ".git/index")); !bytes.Equal(now, index) {
				t.Error("the index is another one")
			}
			if after := p.sh("git rev-parse HEAD; git ls-files --stage; git status --porcelain; cat a.txt b.txt new u"); after != before {
				t.Errorf("before\n%s\nafter\n%s", before, after)
			}
			p.leavesNothing()
		})
	}
}

// TestLockedIndex: nothing is written beside a git that has the index locked; a lock that comes later is waited for, as an editor takes one that asks
// for the status of files.
func TestLockedIndex(t *testing.T) {
	p := newPlace(t)
	r, err := Open(t.Context(), p.dir)
	if err != nil {
		t.Fatal(err)
	}
	before, err := r.head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.sh("cp .git/index old; echo A >a.txt; git commit -qm m a.txt; mv old .git/index; : >.git/index.lock")
	lock := filepath.Join(p.dir, ".git", "index.lock")
	err = r.Check(t.Context(), p.files([]string{"b.txt"}))
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != GitRefused || !strings.HasPrefix(err.Error(), "another git process has locked the index; ") || !strings.HasSuffix(e.Remedy, "remove "+lock) {
		t.Error(err)
	}
	after, err := r.head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	committed, err := r.between(t.Context(), before, after)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(lockPause/2, func() { os.Remove(lock) })
	if err := r.update(t.Context(), before, committed); err != nil {
		t.Error(err)
	}
	if status := p.sh("git status --porcelain"); status != "" {
		t.Errorf("afterwards\n%s", status)
	}
}

// TestFileThatSomebodyCommits: a file is not committed over what somebody has committed since the run began.
func TestFileThatSomebodyCommits(t *testing.T) {
	p := newPlace(t)
	r := p.checked("a.txt")
	p.sh("echo theirs >a.txt; git commit -qam theirs; echo A >a.txt")
	_, err := r.Commit(t.Context(), p.files([]string{"a.txt"}), "m\n")
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != NotCommitted || e.What != "a.txt was committed by another process in the meantime" {
		t.Error(err)
	}
	if log := p.sh("git log -1 --format=%s; git status --porcelain"); log != "theirs\n M a.txt\n" {
		t.Errorf("afterwards %q", log)
	}
}

// TestCommitSeesNoChange: what git converts away is no change to commit.
func TestCommitSeesNoChange(t *testing.T) {
	p := newPlace(t)
	p.sh("git config core.autocrlf input")
	r := p.checked("a.txt")
	p.sh(`printf 'a\r\n' >a.txt`)
	if got, err := r.Commit(t.Context(), p.files([]string{"a.txt"}), "m\n"); got != nil || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestHookOfAnotherRepository: where srpatch runs in a hook, git's variables name the repository of the hook.
func TestHookOfAnotherRepository(t *testing.T) {
	p, other := newPlace(t), newPlace(t)
	before := other.sh("git rev-parse HEAD; git status --porcelain")
	for name, value := range map[string]string{"GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index", "GIT_WORK_TREE": "."} {
		t.Setenv(name, filepath.Join(other.dir, value))
	}
	r := p.checked("a.txt")
	if err := os.WriteFile(filepath.Join(p.dir, "a.txt"), []byte("A\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Commit(t.Context(), p.files([]string{"a.txt"}), "m\n"); err != nil || got.Branch != "main" {
		t.Fatal(got, err)
	}
	if after := other.sh("git rev-parse HEAD; git status --porcelain"); after != before {
		t.Errorf("the other repository is now\n%s", after)
	}
	os.Unsetenv("GIT_DIR")
	os.Unsetenv("GIT_INDEX_FILE")
	os.Unsetenv("GIT_WORK_TREE")
	if log := p.sh("git log --format=%s; git status --porcelain"); log != "m\none\n" {
		t.Errorf("the log is %q", log)
	}
}

// TestCopyOfTheIndexGoes: whatever becomes of the commit, no copy stays behind.
func TestCopyOfTheIndexGoes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := newPlace(t)
	r, err := Open(t.Context(), p.dir)
	if err == nil {
		err = r.Check(t.Context(), p.files([]string{"a.txt"}))
	}
	p.sh(hook("exit 1") + "echo A >a.txt")
	_, refused := r.Commit(t.Context(), p.files([]string{"a.txt"}), "m\n")
	p.sh("rm .git/hooks/pre-commit")
	_, made := r.Commit(t.Context(), p.files([]string{"a.txt"}), "m\n")
	if left, _ := os.ReadDir(os.TempDir()); err != nil || refused == nil || made != nil || len(left) > 0 {
		t.Errorf("%v, %v, %v; left: %v", err, refused, made, left)
	}
}

// TestNoGit: without git there is nothing to commit with.
func TestNoGit(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := Open(t.Context(), t.TempDir())
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != NoGit {
		t.Error(err)
	}
}

// TestMessageSaysWhatWasDone: in a subject of 72 columns at most, and where that is too short in the lines below it.
func TestMessageSaysWhatWasDone(t *testing.T) {
	many := func(n int, verb, dir string) (out []Change) {
		for i := range n {
			out = append(out, Change{Verb: verb, Name: fmt.Sprintf("%s/file-%02d.go", dir, i)})
		}
		return out
	}
	for name, c := range map[string]struct {
		prefix string
		all    []Change
		want   string
	}{
		"one":                  {"", []Change{{Verb: "Change", Name: "a.go"}}, "Change a.go\n"},
		"below the top":        {"sub/", []Change{{Verb: "Add", Name: "a.go"}, {Verb: "Rename", From: "b", Name: "c"}}, "Add sub/a.go, rename sub/b to sub/c\n"},
		"of one kind":          {"", []Change{{Verb: "Delete", Name: "a"}, {Verb: "Delete", Name: "b"}, {Verb: "Change", Name: "c"}}, "Delete a, b, change c\n"},
		"many":                 {"", many(6, "Change", "some/where/deep"), "Change 6 files in some/where/deep\n\n"},
		"in several":           {"", append(many(4, "Change", "some/where/deep"), many(1, "Add", "some/where/else")...), "Change 4 files, add 1 in some/where\n\n"},
		"one with a long name": {"", []Change{{Verb: "Add", Name: "d/" + strings.Repeat("x", 99)}}, "Add a file in d\n\nAdd d/xxx"},
		"all over":             {"", []Change{{Verb: "Add", Name: strings.Repeat("x", 99)}, {Verb: "Add", Name: "y"}}, "Add 2 files\n\n"},
		"with a line end":      {"", []Change{{Verb: "Add", Name: "a\nb"}}, "Add a\\nb\n"},
	} {
		got := (&Repository{prefix: c.prefix}).Message(c.all)
		if !strings.HasPrefix(got, c.want) || strings.HasSuffix(c.want, "\n") && !strings.HasSuffix(c.want, "\n\n") && got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if subject, _, _ := strings.Cut(got, "\n"); len(subject) > mostColumns {
			t.Errorf("%s: the subject has %d columns", name, len(subject))
		}
	}
	if got := (&Repository{}).Message(many(1000, "Change", "d")); strings.Count(got, "\n") != 2+mostListed+1 || !strings.HasSuffix(got, "and 900 more\n") {
		t.Errorf("the message has %d lines and ends with %q", strings.Count(got, "\n"), got[len(got)-20:])
	}
}
