package workspace

import (
	"fmt"
	"path"
	"strings"

	"github.com/srpatch/srpatch/internal/git"
)

// Target is the file that a name of a plan leads to, below the root and without links, be it there or not.
func (w *Workspace) Target(name string) (string, error) {
	_, at, err := w.locate(name)
	return at.real, err
}

// NoteCommit keeps with a run in the log which commit of git has it, by its name: [Workspace.Undo] then leaves the run to git.
func (w *Workspace) NoteCommit(run, commit string) error {
	defer w.forget()
	s, err := w.openState(false)
	if err == nil && s != nil {
		err = s.writeFile(path.Join(doneRuns, run, commitFile), []byte(commit+"\n"), false)
	}
	return failed("", "the commit of run "+run+" cannot be recorded", err)
}

// commitOf is the commit that has a run; "" for none.
func (s *state) commitOf(dir string) string {
	text, err := s.readFile(path.Join(dir, commitFile))
	if err != nil {
		return "" // as of most runs
	}
	return strings.TrimSpace(string(text))
}

// checkUncommitted refuses to take a run back whose commit is part of what is checked out: git has the means for that. If the commit was
// dropped, the run is taken back like any other.
func (w *Workspace) checkUncommitted(run *Run) error {
	if run.Commit == "" || git.Top(w.realDir) == "" {
		return nil
	}
	if w.git("merge-base", "--is-ancestor", run.Commit, "HEAD").Run() == nil {
		return refuse(Committed, "", fmt.Sprintf("run %s is committed as %s", run.ID, run.Commit),
			"undo the commit with git revert "+run.Commit+", or put the files back and leave the commit with UndoOptions.Force")
	}
	if _, err := w.git("rev-parse", "--git-dir").Output(); err != nil {
		why, remedy := git.Refusal(err)
		return refuse(Unguarded, "", fmt.Sprintf("run %s was committed as %s, and git cannot tell whether HEAD still has it: %s", run.ID, run.Commit, why),
			remedy+", or put the files back with UndoOptions.Force")
	}
	return nil
}
