// Package workspace puts a plan on disk. It is the only package of srpatch that reads or writes
// files. It imports apply, parser and internal packages.
//
// A [Tree] is a directory opened once: names, links, guards and reading. It is the [apply.Tree] that
// the engine reads, and writes nothing. A [Workspace] adds the lock, the journal and the log:
// [Workspace.Commit] makes what a plan says true on disk, every file of it or none. Start reading
// with tree.go and commit.go; docs/journal.md has the format of what is written down.
//
// # Containment
//
// Every access goes through [os.Root]: no name, symbolic link or undo record leads out of the tree.
// Names are checked before they reach the file system (names.go), links are followed one at a time
// inside the tree (resolve.go), and each name counts as its directory lists it (spelling.go). Git's
// own files are out of reach (repository.go), and so are the journals (ownstate.go).
// docs/security.md says what is promised of a hostile reply.
//
// # A run
//
// A run holds the lock of the tree. It is one file of the journal, outside the tree, and the name of
// that file is its state (journal.go):
//
//	file       the run                                  a recovery
//	N.new      is being written down                    removes it
//	N.begun    is written down; there may be temporary  removes these, and the directories that the
//	           files, and no file is replaced, or       run made, if they are empty
//	           none still is
//	N.writing  may have replaced files; if it is to be  goes on to N if all files are replaced and
//	           checked, its check may be running        there is no check; else puts them back
//	N          is in the log: the commit point          does nothing
//	N.kept     was closed by a recovery that kept its   does nothing
//	           images, and cannot be undone
//
// While it is begun, new contents are written to temporary files next to their targets. While it is
// writing, the two exchange names, after a last look, and what came out is looked at once more.
//
// # Going back
//
// An error, a failed check, a save by somebody else and a recovery go back by one table (revert in
// transaction.go): what a file holds, and what its temporary name holds. Before and after are the
// images in the journal, foreign is anything else.
//
//	file     temporary name  so
//	before   before, after,  not replaced, or back already
//	         or nothing
//	before   foreign         putting it back displaced a save: they change places; stuck
//	after    before          replaced: they change places, and the very file comes back
//	after    nothing         replaced: the image comes from the journal
//	after    foreign         saved right before it was replaced: they change places, the save stays
//	after    after           somebody else did the same first: it stays
//	foreign  after           saved before the run came to it: it stays
//	foreign  anything else   saved since: stuck
//
// For a file that the run removes, its mark counts as after. A new file takes its temporary name
// again; if both names are of one file, it was about to get its name, and the temporary one is
// removed. A file that is gone is foreign if the run modifies it, for it is none of its images.
//
// If a file is stuck, a recovery touches nothing, and the run stays open until somebody decides:
// keep the edited files, or restore them all.
//
// Undo and redo are runs like any other, with a record of their own.
package workspace
