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
// Git's own files (repository.go) and the journals (guard.go) are off limits. docs/security.md
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
//	N.begun    the record is complete; there may be     removes temporary files and empty new
//	           temporary files and new directories,     directories, then N.begun
//	           but no file is replaced, or all are back
//	N.writing  files are being replaced, or all are     if all are replaced and the run has no check,
//	           and the check may be running             removes temporary files and renames to N; else
//	                                                    puts the files back and goes on as for N.begun
//	N          committed by this rename: in the log     does nothing
//	N.kept     closed by a recovery, which kept it for  does nothing
//	           its images; it cannot be undone
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
//	after    nothing         replaced: the old content is written from the journal, or a created file
//	                         removed
//	after    foreign         saved right before it was replaced: exchanged, the save stays
//	after    after           somebody else made the same change first: it stays
//	foreign  after           saved before it was to be replaced: it stays
//	foreign  anything else   saved since: stuck
//
// A file that the run deletes has a mark under its temporary name, which counts as after. If both
// names are links to one new file, both are removed. If a file is stuck, Recover puts none back and
// fails with [RecoveryNeeded], and so do new runs. [RecoverKeep] then leaves the edited files
// alone. It completes the run if all others are replaced and there is no check, and otherwise puts
// the others back. [RecoverRestore] puts all files back. Before that, Recover copies to the
// journal: with RecoverRestore the edits, otherwise the old content of the edited files. The copies
// stay.
//
// If the tree's disk is full, old content that must be written from the journal can't be. The other
// files are put back, Recover fails, and N.writing stays. This happens to runs killed during or
// after their check, and where names can't be exchanged. Make room, and repeat Recover.
//
// If the journal's disk is full or read-only, a new run fails before it replaces a file, but it may
// first recover an interrupted run. If files are stuck, Recover fails unless it can save their
// copies. Otherwise it puts the files back or, if the run is complete, leaves them. On a full disk
// it can usually still remove or rename the run's file. On a read-only one that fails once the
// files are done, and an edit would then count as stuck. Make the disk writable and repeat Recover
// before you edit them.
//
// Recover returns what it did for each run; one with stuck files is in the result and in the error.
// Any other failure is in the error alone, and older runs then wait. N.kept remains if a run that was
// put back had stuck files. It also remains if the run left no trace in the tree, for example because
// the journal was read-only.
package workspace
