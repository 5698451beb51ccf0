// Package workspace puts a plan on disk. It is the only package of srpatch that reads or writes
// files.
//
// A [Workspace] is a directory tree, opened once. It is the [apply.Tree] that the engine reads, and
// [Workspace.Commit] makes what a plan says true on disk: every file of the plan, or none.
//
// # Containment
//
// Every access goes through [os.Root]: no name, symbolic link or undo record leads out of the tree.
// Names are checked before they reach the file system (see names.go), links are followed one at a
// time inside the tree (resolve.go), and each name counts as its directory lists it (spelling.go).
// Git's own files are out of reach (repository.go), and so are the journals (ownstate.go).
// docs/security.md says what is promised of a hostile reply.
//
// # Transactions
//
// A run holds the lock of the tree, and together with others those of the directories above it. It
// is one file of the journal, outside the tree, whose name says how far the run is (journal.go).
// While it is begun, new contents are written to temporary files next to their targets; no target
// is touched. While it is writing, the temporary files and their targets exchange names, after a
// last look, and what came out is looked at once more. A run that stops by an error is rolled back.
// So is one that stops by a crash, by the next run, unless it had replaced its last file: then it
// is completed. Both go back by one table (revert in transaction.go). docs/journal.md is the format.
//
// Undo and redo are runs like any other, with a journal of their own.
package workspace
