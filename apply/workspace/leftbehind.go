package workspace

import "path"

// leftBehind says that a run that touched no file could not clear up after itself, and how to. What
// stopped it is one error for all the names that it came to, if the process has too many files
// open, say.
func (t *transaction) leftBehind(err error) error {
	names := tempPrefix + "*"
	if len(t.edits) > 0 {
		names = path.Base(t.edits[0].temp[:len(t.edits[0].temp)-1]) + "*"
	}
	remedy := "remove them"
	if t.log != nil {
		remedy = "run Workspace.Recover"
	}
	return refuseErr(IO, "", "temporary files of the run ("+names+") or new directories of it are left behind", remedy, err)
}
