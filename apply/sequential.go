package apply

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// sequential applies a block that has no place in the original text: one that is about a whole
// file, or one that edits text written by an earlier block.
func (f *file) sequential(it *item) {
	switch it.block.Op {
	case parser.OpCreate, parser.OpWrite, parser.OpAppend:
		f.create(it)
	case parser.OpDelete:
		f.remove(it)
	case parser.OpMove:
		f.move(it)
	default:
		f.editCurrent(it)
	}
}

// create applies a block with an empty SEARCH or a block that writes a whole file. It fills a
// missing or empty file. It appends to a file that the reply itself created, or if the block or the
// options say so. Any other file stays, and the block is refused or already applied.
func (f *file) create(it *item) {
	text := it.block.Replace
	already := f.present && bytes.Equal(f.current, text) // the file has exactly this text
	if !already && f.refuseStandIn(it, text) || !f.present && !f.run.claimPath(it, f.path) {
		return
	}
	switch {
	case !f.present:
		f.run.warnNewDirectory(it, f.path)
		f.fill(it, text)
	case f.created && it.block.Whole() && already:
		it.settle(BlockAlready)
	case f.created && it.block.Whole():
		it.fail(Exists, "an earlier edit of the reply wrote this file, "+
			"and this one gives its whole content again; keep one of them")
	case f.created && nearer(it.block) != "" && !f.run.opt.AppendEmpty:
		it.fail(Exists, existsMessage(it.block)) // it may be meant for the file named above it
	case it.block.Op == parser.OpAppend || f.created || f.run.opt.AppendEmpty:
		f.append(it, text)
	case len(f.current) == 0:
		f.fill(it, text)
	case already:
		it.settle(BlockAlready)
	case saysNothing(f.current, text):
		f.fill(it, f.encoding().withLineEnds(text)) // the file has at most a comment
	case f.run.opt.reference():
		f.reference(it)
	default:
		f.refuseExisting(it)
	}
}

// append adds the text to the end of the file, in its line ends, unless a check refuses the item.
func (f *file) append(it *item, text []byte) {
	end := len(f.current)
	edit := splice.Edit{Start: end, End: end, Text: appended(f.current, text)[end:]}
	if !f.apply(it, strategy.NewDocument(f.current), edit) {
		return
	}
	if f.created && it.block.Op != parser.OpAppend {
		it.warn(warning.OnEarlier.Say("added to the end of the file that an earlier block creates"))
	}
	it.report.Appended = true
}

// refuseStandIn refuses a block that writes a file, and returns true, if its text leaves lines out
// or describes the file's content instead of giving it, or if a new file's path is only an example.
func (f *file) refuseStandIn(it *item, text []byte) bool {
	switch {
	case f.refuseLeftOut(it, reading.New(nil, text, 0), strategy.NewDocument(nil), nil):
	case f.present || f.run.opt.AllowPlaceholders:
		return false
	case strings.Contains("/"+f.path, "/path/to/") && !f.run.paths().hasTop(f.path):
		it.fail(Placeholder, f.path+" is a name for examples; write the file's own")
	case isStandIn(text):
		it.fail(Placeholder, fmt.Sprintf("%q stands for the text of the file; write it out", bytes.TrimSpace(text)))
	default:
		return false
	}
	return true
}

// isStandIn reports whether a text is a single line of words in brackets that describes a text,
// such as [file contents here]. One of the words must be "content", "code", "text", "here" or the
// like.
func isStandIn(text []byte) bool {
	line := bytes.TrimSpace(text)
	words := bytes.Fields(bytes.Trim(line, "[]<>(). …"))
	if len(line) == 0 || bytes.IndexByte([]byte("[<("), line[0]) < 0 ||
		bytes.IndexByte([]byte("])>"), line[len(line)-1]) < 0 || len(words) < 2 {
		return false
	}
	describes := false
	for _, w := range words {
		if bytes.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return false
		}
		switch strings.ToLower(string(w)) {
		case "content", "contents", "code", "text", "here":
			describes = true
		}
	}
	return describes
}

// fill gives a missing or empty file its first content.
func (f *file) fill(it *item, text []byte) {
	if f.apply(it, strategy.NewDocument(f.current), splice.Edit{End: len(f.current), Text: text}) {
		f.present, f.created = true, true
	}
}

// apply changes the file's current text, that of doc, by the item's edits, and returns true. If the
// edits may not be made, it refuses the item and returns false.
func (f *file) apply(it *item, doc *strategy.Document, edits ...splice.Edit) bool {
	if !f.mayWrite(it, doc, 0, edits) {
		return false
	}
	slices.SortFunc(edits, func(a, b splice.Edit) int { return a.Start - b.Start })
	f.current, _ = applyEdits(f.current, edits)
	f.spans = nil
	it.settle(BlockApplied)
	return true
}

// warnNewDirectory warns if the new file p is in a new directory, and the only file whose path ends in
// p may be meant.
func (r *run) warnNewDirectory(it *item, p string) {
	top, _, _ := strings.Cut(p, "/")
	if path.Dir(p) == "." || r.isDirectory(top) || r.paths().hasTop(p) {
		return
	}
	if like, _ := r.paths().endingIn(p); len(like) == 1 {
		it.warn(warning.NewDirectory.Say("%s is a new file; the tree has %s", p, like[0]))
	}
}

// nearer returns a file name above a block that has no name of its own and inherits the file of the
// block before. The block may be meant for the named file instead. It returns "" if there is none.
func nearer(b *parser.Block) string {
	i := slices.IndexFunc(b.Names, func(n parser.Name) bool {
		return strings.ContainsAny(n.Text, "./") && !n.Inherited && n.Text != b.Path
	})
	if b.Inherited && i >= 0 {
		return b.Names[i].Text
	}
	return ""
}

// existsMessage returns the message for a refused block that would create a file that exists. It
// says what to do.
func existsMessage(b *parser.Block) string {
	if b.Whole() {
		return "the file exists and is not empty, and this edit creates it; " +
			"give the text to change and its replacement, or delete the file first"
	}
	const message = "the file exists and is not empty, and an empty SEARCH names no place in it; "
	if name := nearer(b); name != "" {
		return fmt.Sprintf("%sthe block has no name of its own and was taken for this file; "+
			"if it was meant for %s, write that path on the line above it", message, name)
	}
	if b.Inherited {
		return message + "the block has no name of its own and was taken for this file; " +
			"write the path of the new file on the line above it, " +
			"or put the lines to change into SEARCH"
	}
	return message + "put the lines to change into SEARCH"
}

// appended returns text followed by more, converted to the line ends of text. If the last line of
// text isn't terminated, it's terminated first.
func appended(text, more []byte) []byte {
	if len(text) == 0 {
		return more
	}
	eol := splice.LineEnd(strategy.NewDocument(text), 1<<30) // of the last line
	if text[len(text)-1] != '\n' {
		text = slices.Concat(text, eol)
	}
	if len(eol) > 1 && !bytes.Contains(more, eol) {
		more = bytes.ReplaceAll(more, []byte{'\n'}, eol)
	}
	return slices.Concat(text, more)
}

// remove deletes the file. It refuses the item if the file is missing, if another block changes it,
// or if the block gives the file's text and the file differs from that.
func (f *file) remove(it *item) {
	if f.movedTo != "" {
		it.already() // nothing is left under the old name
		return
	}
	if !f.present {
		it.fail(NoSuchFile, "there is no such file to delete")
		return
	}
	if i := slices.IndexFunc(f.below(it), func(e *item) bool { return e.report.Status == BlockApplied }); i >= 0 {
		it.fail(Overlap, fmt.Sprintf("block %d changes the file that this one deletes", f.below(it)[i].block.ID))
		return
	}
	if want := it.block.Search; len(want) > 0 && !bytes.Equal(want, f.current) {
		it.fail(Stale, "the file is not what the block says it deletes; look at it before you delete it")
		return
	}
	if f.run.refuseVetoed(it, f.current, []splice.Edit{{End: len(f.current)}}) {
		return
	}
	f.current, f.present, f.spans = nil, false, nil
	it.settle(BlockApplied)
}

// move gives the file the item's new name, or refuses the item. Nothing is overwritten.
func (f *file) move(it *item) {
	to, err := f.run.newPath(it)
	switch {
	case err != nil:
		it.fail(OutsideRoot, err.Error())
	case !f.present, f.movedTo != "" && f.movedTo != to: // missing, or already moved elsewhere
		it.fail(NoSuchFile, "there is no such file to move")
	case f.run.file(to).unreadable != nil:
		it.failFor(f.run.file(to).unreadable, Unreadable)
	case to == f.path:
		it.warn(warning.NoChange.Say("the new name is the old one"))
		it.settle(BlockNoOp)
	case f.run.opt.Single != "":
		it.fail(NoSuchFile, fmt.Sprintf("the run may change only the file %s, "+
			"and this would rename it to %s", f.path, to))
	case f.movedTo == to:
		it.already()
	case f.run.exists(to), f.run.made[to] != making{} && !f.run.made[to].dir: // made by the reply
		it.fail(Exists, "the file "+to+" exists; a move does not overwrite")
	case f.run.refuseVetoed(it, f.current, nil):
	case f.run.claimPath(it, to):
		f.movedTo = to
		it.settle(BlockApplied)
	}
}

// making says how a run creates a path: as a file or as a file's directory.
type making struct {
	by  int // block
	dir bool
}

// claimPath records that the item creates a file at the path p, and returns true. If an earlier
// block makes p a directory, or makes one of p's directories a file, it refuses the item and
// returns false instead.
func (r *run) claimPath(it *item, p string) bool {
	for at := p; at != "."; at = path.Dir(at) {
		if m, ok := r.made[at]; ok && m.dir == (at == p) {
			it.fail(Exists, fmt.Sprintf("block %d and this one need %s as a file and as a directory; "+
				"give one of them another name", m.by, at))
			return false
		}
	}
	if r.made == nil {
		r.made = map[string]making{}
	}
	r.made[p] = making{by: it.block.ID}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if _, ok := r.made[dir]; !ok {
			r.made[dir] = making{by: it.block.ID, dir: true}
		}
	}
	return true
}

// editCurrent places an edit that wasn't placed in the original file in the text as changed so far,
// or refuses it.
func (f *file) editCurrent(it *item) {
	several := len(it.found.placements) > 1 && f.exists
	switch {
	case len(f.current) == 0 && len(bytes.TrimSpace(it.block.Search)) == 0 && !it.block.Substring:
		f.create(it) // a SEARCH of blank lines identifies no place either
	case !f.present:
		it.fail(NoSuchFile, "there is no such file; to create it, leave SEARCH empty")
	case f.run.opt.reference():
		f.reference(it)
	case len(it.found.placements) == 0 && it.collision == "" && f.exists && f.choice().settleCorrected(it):
		// a later block made its change in the right place
	case f.exists && bytes.Equal(f.current, f.text):
		// The rules have already searched this text. Only the wider search of the policy loose is left.
		if f.placeLoosely(it, f.snapshot); it.placed == nil {
			f.refuse(it, it.found, f.snapshot)
			return
		}
		f.write(it, f.snapshot)
	case several && (it.found.mayBeApplied() || f.choice().correctionTakes(it)):
		f.refuse(it, it.found, f.snapshot) // it's ambiguous in the original file
	case f.refuseTakingBack(it):
	default:
		f.editChanged(it)
	}
}

// editChanged applies or refuses an edit whose place is in text that earlier blocks have already
// changed.
func (f *file) editChanged(it *item) {
	inOriginal := it.found // what was found in the original file
	it.again()             // forgets it
	l := f.onCurrent()
	f.placeChanged(it, l)
	switch {
	case it.settled:
	case it.collision != "" && (it.placed == nil || it.placed.tier == tierSimilar):
		it.fail(Overlap, it.collision) // it collided with an earlier block, and fits nowhere else
	case it.placed == nil && (len(inOriginal.placements) > 1 ||
		inOriginal.near != nil && f.exists && !f.run.opt.Partial):
		f.refuse(it, inOriginal, f.snapshot) // the reader of the report has the original file
	case it.placed == nil:
		f.refuse(it, it.found, l)
		if near := it.report.Nearest; near != nil {
			near.Changed = true
		}
	default:
		if !it.refuseAlternative(f.alternative(it, l)) && f.write(it, l) {
			it.warnOnEarlier()
		}
	}
}

// placeChanged searches the changed text, with l, for the item's place. Each step runs only if those
// before found no place. The item is settled afterwards if it's already applied or refused.
func (f *file) placeChanged(it *item, l *locator) {
	f.locate(it, l)
	if !it.repeats { // a copy of other blocks needs a place that is equal to theirs, not similar
		f.locateSimilar(it, l)
	}
	if it.settled || it.placed != nil {
		return
	}
	switch ps := it.found.placements; {
	case len(ps) == 1:
		it.place(ps[0], "")
	case len(ps) > 1:
		if p, _ := f.choice().byOwnHint(it, l.doc); p != nil {
			it.place(p, "")
		}
	}
	if it.placed == nil {
		f.placeLoosely(it, l)
	}
	if it.placed == nil && it.repeats {
		f.placeAgain(it)
	}
}

// placeAgain handles a block that repeats earlier ones and found no place of its own. If the best
// rejected place has SEARCH with another indentation, the block is placed there. Otherwise it's
// already applied.
func (f *file) placeAgain(it *item) {
	if p := it.found.near; p != nil && p.alignment.Relation() <= align.Indented {
		p.objection = nil // its result elsewhere is the result of the block that it repeats
		it.place(p, "")
	} else {
		it.already()
		it.warn(warning.SameChange.Say("an earlier block makes the same change"))
	}
}

func (it *item) warnOnEarlier() {
	it.warn(warning.OnEarlier.Say("placed on the text that other blocks wrote"))
}

// placeLoosely places a block that no rule finds at the first place of the loose search, if the
// policy is loose. Otherwise the item stays unplaced, and its findings are extended for the report.
func (f *file) placeLoosely(it *item, l *locator) {
	if f.run.opt.Policy != Loose {
		return
	}
	switch found := l.loose(it.readings(), it.found.tried); {
	case len(found.placements) == 1:
		it.found = found
		it.place(found.placements[0], "")
	case len(it.found.placements) > 0:
		it.found.tried = found.tried // the rules found several places too, and say more
	default:
		it.found.tried, it.found.placements = found.tried, found.placements
		it.found.exhausted = it.found.exhausted || found.exhausted
	}
}

// write changes the current text, which l searches, at the item's placement, and returns true. It
// returns false if the item is settled without a change, because it's refused or already applied.
func (f *file) write(it *item, l *locator) bool {
	f.splice(it, l)
	return !it.settled && f.apply(it, l.doc, it.edits...)
}

// onCurrent returns a locator for the text as changed so far. All blocks share it until the next
// change, because a new one must index the text again, which is charged to the run.
func (f *file) onCurrent() *locator {
	if f.latest == nil || !bytes.Equal(f.latest.doc.Text(), f.current) {
		f.latest = f.run.newLocator(strategy.NewDocument(f.current), f.path)
		f.run.work.scans -= f.latest.scan() // its indexes must be rebuilt
	}
	return f.latest
}
