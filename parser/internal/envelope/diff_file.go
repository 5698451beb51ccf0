package envelope

import (
	"cmp"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/warning"
)

// finish sets the path of the hunks and adds the block for the header's action, if any. If the
// header contradicts itself or the hunks, or requests what no block can do, a fault replaces the
// blocks. whole says that the file's part of the diff is complete.
func (e *diff) finish(whole bool) {
	fills := !e.git && len(e.Blocks) == 1 && e.Blocks[0].Op == OpCreate // @@ -0,0, whatever the names
	old, new := e.sideNames(fills)
	if e.contradicts(old, new) {
		e.Blocks = nil
		e.diagnose(diagnosis.Malformed, e.first, "the same file in all header lines, and one action",
			"write the header again: /dev/null is the old name of a new file and the new name of a deleted one")
		return
	}
	if e.refuseUnsupported() {
		e.Blocks = nil
		return
	}
	head := Block{Path: old, RawPath: e.old, Dialect: Diff, Lines: [2]int{e.first.number, e.last}}
	switch renameFrom := e.fields["rename from"]; {
	case renameFrom != "":
		head.Path, head.RawPath = renameFrom, ""
	case isMissing(old) || fills && !isMissing(new):
		head.Path, head.RawPath = new, e.new
	}
	if head.RawPath == head.Path { // there was no prefix, a/ or b/
		head.RawPath = ""
	}
	for i := range e.Blocks {
		e.Blocks[i].Path, e.Blocks[i].RawPath = head.Path, head.RawPath
	}
	e.act(head, old, new, whole)
	e.refuseEmpty(whole)
}

// sideNames returns the file's old and new names, without the prefixes a/ and b/. fills says that
// the only hunk creates a file. sideNames also corrects e.old if it is a/dev/null or a copy's name.
func (e *diff) sideNames(fills bool) (old, new string) {
	if fills && isNull(e.old) && !isNull(e.new) {
		e.old = devNull
	}
	old, new = bareName(e.old, e.new)
	if old == new+".orig" { // a copy kept for comparison
		old, e.old = new, e.new
	}
	_, a, _ := strings.Cut(old, "/")
	_, b, _ := strings.Cut(new, "/")
	if fills && old != new && a == b && a != "" { // two trees were compared: diff -urN before after
		old, new = a, b
	}
	return old, new
}

// creates reports whether the header says that the file is new.
func (h *diffHeader) creates() bool { return h.old == devNull || h.fields["new file mode"] != "" }

// removes reports whether the header says that the file is deleted.
func (h *diffHeader) removes() bool { return h.new == devNull || h.fields["deleted file mode"] != "" }

// refuseUnsupported adds a fault if the header requests something that no block can do, and reports
// whether it did.
func (e *diff) refuseUnsupported() bool {
	mode := e.newMode()
	other := strings.HasPrefix(mode, "12") || strings.HasPrefix(mode, "16") // a link, a submodule
	if !e.merge && !other && e.fields["Binary files"]+e.fields["GIT binary"]+e.fields["copy"] == "" {
		return false
	}
	e.Faults = nil // those of a merge's hunks, which were read as those of a usual diff
	e.diagnose(diagnosis.Unsupported, e.first, "a diff that edits, creates, deletes or renames a text file",
		"make other changes, such as copies, links and binary files, yourself")
	return true
}

// act applies the header's action (create, delete or rename) to the hunks. If no hunk carries out
// the action and nothing was refused, it adds head as a separate block. old and new are the names
// without prefixes.
func (e *diff) act(head Block, old, new string, whole bool) {
	complete := whole && len(e.Faults) == 0
	renameTo := e.fields["rename to"]
	switch {
	case e.creates() || e.removes():
		if mode := e.fields["new file mode"] + e.fields["deleted file mode"]; complete && mode != "" &&
			len(e.Blocks) == 0 {
			e.Blocks = []Block{head}
		}
		for i := range e.Blocks {
			switch b := &e.Blocks[i]; {
			case e.creates() && len(b.Search) == 0:
				b.Op, b.StartLine = OpCreate, 0
			case e.removes() && len(b.Replace) == 0:
				b.Op, b.StartLine = OpDelete, 0
			}
		}
	case renameTo != "" && renameTo != head.Path:
		if complete {
			head.Op, head.NewPath = OpMove, renameTo
			e.Blocks = append(e.Blocks, head)
		}
	case old != new && e.headed && e.old != "" && e.new != "" && len(e.Blocks) > 0 && len(e.Faults) == 0:
		e.Blocks[0].Names = []Name{{Text: new}} // without a rename, the file may have either name
	}
}

// newMode returns the mode to which the header changes the file's mode, or that of a new file if it
// isn't the usual one; otherwise it returns "".
func (h *diffHeader) newMode() string {
	mode := cmp.Or(h.fields["new mode"], h.fields["new file mode"])
	if mode == cmp.Or(h.fields["old mode"], "100644") {
		return ""
	}
	return mode
}

// contradicts reports whether a header that creates, deletes or renames a file names different
// files or requests two of these actions. git refuses most such headers. old and new are the names
// without prefixes.
func (e *diff) contradicts(old, new string) bool {
	creates, removes := e.creates(), e.removes()
	from, to := e.fields["rename from"], e.fields["rename to"]
	renames := from+to != ""
	named := e.git && e.headed && (e.old != e.oldName || e.new != e.newName) // below the line diff --git
	oneNull := isNull(e.old) != isNull(e.new)
	switch {
	case creates && (removes || renames), removes && renames: // two actions
		return true
	case oneNull && (old == bareNull || new == bareNull): // "a/dev/null" may be either
		return true
	case renames:
		return from == "" || to == "" || named && (old != from || new != to)
	case !creates && !removes: // it is unclear which of two files is emptied or filled
		return old != new && (e.empties || e.git && len(e.Blocks) > 0 && e.Blocks[0].Op == OpCreate)
	}
	return e.git && e.namesAnother(named, old, new)
}

// namesAnother reports whether the "diff --git" line of a created or deleted file names a file
// other than old and new in the lines below it. If named is false, these lines give no names.
func (h *diffHeader) namesAnother(named bool, old, new string) bool {
	oldName, newName := bareName(h.oldName, h.newName)
	switch {
	case !named:
		return oldName != newName && oldName != devNull && newName != devNull
	case h.creates():
		return new != newName
	}
	return old != oldName
}

// refuseEmpty adds a fault for a header with no change below it. If whole is false, the change may
// have been cut off. A change of the file's mode is only a warning if there are blocks.
func (e *diff) refuseEmpty(whole bool) {
	switch mode := e.newMode(); {
	case mode != "" && len(e.Blocks) > 0:
		e.Blocks[0].Warnings = append(e.Blocks[0].Warnings,
			warning.FileMode.Say("the file's mode is not changed to %s", mode))
	case len(e.Blocks)+len(e.Faults) > 0:
	case mode != "":
		e.diagnose(diagnosis.Unsupported, e.first, "a change to text", "change the mode with chmod")
	case whole:
		e.diagnose(diagnosis.Malformed, e.first, "@@ and the lines to change",
			"give at least one hunk below the file's header")
	default:
		e.diagnose(diagnosis.Truncated, e.first, "@@ and the lines to change",
			"give at least one hunk below the file's header")
	}
}
