// Package gitcommit commits what a run has changed, and nothing else: what else is staged stays staged, what else is edited stays edited.
//
// [Repository.Check] comes before the run writes. It refuses where a commit could not be told from other people's work, or would not come to
// be. [Repository.Commit] comes after it. It works on a copy of the index, so that the repository is as it was if a hook says no; git itself
// builds the commit of HEAD and the files named (git commit --only), with all hooks. Then the entries of the index that are as they were in the
// commit before are brought up to date.
package gitcommit
