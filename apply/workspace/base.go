package workspace

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/git"
)

// git prepares a git command about the root. Nothing that the repository's configuration names is run.
func (w *Workspace) git(args ...string) *exec.Cmd {
	cmd := git.Command(context.Background(), w.dir, append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1") // a fetch would run what the remote's configuration says
	return cmd
}

// checkBase compares a file with what [Options.Base] has of it. Line ends do not count: git may convert them on checkout.
func (w *Workspace) checkBase(name string, at spot) error {
	if w.opt.Base == "" {
		return nil
	}
	tree, err := w.git("rev-parse", "--verify", "--quiet", "--end-of-options", w.opt.Base+"^{tree}").Output()
	if err != nil {
		return refuse(NoBase, "", fmt.Sprintf("git knows no revision %q of this tree", w.opt.Base), "name a commit, a branch or a tag")
	}
	// A blob as it is stored: without filters, which would be commands.
	want, err := w.git("cat-file", "blob", strings.TrimSpace(string(tree))+":./"+at.real).Output()
	switch {
	case err != nil && at.info == nil:
		return nil
	case err != nil:
		return refuse(apply.Stale, name, "the file is not in "+w.opt.Base, "make the edits anew for the file as it is")
	case at.info == nil:
		return refuse(apply.Stale, name, "the file is gone since "+w.opt.Base, "make the edits anew")
	}
	raw, err := w.readRaw(name, at)
	if err != nil {
		return err
	}
	crlf, lf := []byte("\r\n"), []byte("\n")
	if !bytes.Equal(bytes.ReplaceAll(raw, crlf, lf), bytes.ReplaceAll(want, crlf, lf)) {
		return refuse(apply.Stale, name, "the file has changed since "+w.opt.Base, "make the edits anew for the file as it is")
	}
	return nil
}
