// Package workspace writes a plan to disk. It is the only package of srpatch that reads or writes
// the files of a tree. It imports apply, parser and internal packages.
//
// A [Tree] is a directory opened once. It resolves names and links, applies the guards and reads
// files; it is the [apply.Tree] that the engine uses. A [Workspace] adds the lock, the journal and
// the log: [Workspace.Commit] writes all files of a plan or none. Start reading with tree.go and
// commit.go; docs/journal.md describes the format of the journal.
//
// # Containment
//
// Every access goes through [os.Root]: no name, symbolic link or undo record leads out of the tree.
// Names are checked before they reach the file system (names.go), links are followed one at a time
// inside the tree (resolve.go), and a name must be spelled as its directory lists it (spelling.go).
// Git's own files (repository.go) and the journals (ownstate.go) are off limits. docs/security.md
// says what a hostile reply cannot do.
//
// # A run and its recovery
//
// A run holds the lock of the tree. Its record is one file of the journal, outside the tree. The
// name of that file is the state of the run (journal.go), and says what [Workspace.Recover] does if
// the run is killed. Every run starts with such a recovery.
//
//	file       state of the run                         recovery
//	N.new      the record is being written; the tree    removes N.new
//	           is untouched
//	N.begun    the record is complete; there may be     removes these, the directories only if they
//	           temporary files and new directories,     are empty, then N.begun
//	           but no file is replaced, or all are back
//	N.writing  files are being replaced, or all are     if all are replaced and the run has no check,
//	           and the check may be running             renames to N; else puts the files back, then
//	                                                    does as for N.begun
//	N          committed by this rename: in the log     does nothing
//	N.kept     closed by a recovery that kept its       does nothing
//	           images; it cannot be undone
//
// While a run is begun, it writes new contents to temporary files next to their targets. While it
// is writing, it looks at each target a last time, exchanges the two names, and checks what it got.
//
// An error, a failed check and a recovery put files back by this table (putBack in transaction.go).
// Before and after are the images in the journal; foreign is anything else, such as a save by an
// editor.
//
//	file     temporary name  what happened, and what is done
//	before   not foreign     not replaced, or already back: nothing
//	before   foreign         putting it back displaced a save: exchanged again; stuck
//	after    before          replaced: exchanged, so that the original file comes back
//	after    nothing         replaced: the old content is written from the journal
//	after    foreign         saved right before it was replaced: exchanged, the save stays
//	after    after           somebody else made the same change first: it stays
//	foreign  after           saved before it was to be replaced: it stays
//	foreign  anything else   saved since: stuck
//
// A file that the run deletes has a mark under its temporary name, which counts as after. If both
// names are links to one new file, the temporary one is removed. If a file is stuck, Recover puts
// none back and fails with [RecoveryNeeded], and so do new runs. [RecoverKeep] then leaves the
// edited files alone and puts back or completes the others; [RecoverRestore] puts back these as
// well. Before it fails or puts anything back, Recover copies to the journal what could be lost of
// the edited files: with RecoverRestore the edits, otherwise their content from before the run.
// These copies stay there.
//
// If the tree's disk is full, a file whose temporary file is gone can't come back, but the others
// do. Make room, and repeat Recover.
//
// If the journal's disk is full or read-only, a new run fails before it replaces a file, but it may
// first recover an interrupted run. Recover fails if it can't save such a copy. Otherwise it puts
// the files back or, if the run is complete, leaves them. On a full disk it can usually still remove
// or rename the run's file; on a read-only one that fails, after the files are done. Then repeat it
// before you edit these files: their temporary files are gone, so an edit would count as stuck.
//
// Recover returns what it did for each run. A run that it failed to recover is named in the error
// alone. N.kept is left if a run that was put back had stuck files, or no trace in the tree.
package workspace
