package apply

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// file is one file of a run: what it was, and what the blocks make of it.
type file struct {
	run    *run
	path   string
	exists bool
	before []byte
	items  []*item
	// unreadable is why the file cannot be used.
	unreadable error

	text     []byte             // before without a byte order mark
	snapshot *locator           // searches text
	lines    *strategy.Document // before, once it is asked for beside the blocks
	latest   *locator           // searches current, see onCurrent
	spans    []Span             // what the placed blocks changed, nil once blocks built on each other
	current  []byte
	present  bool // exists as the run stands
	created  bool // by a block of this reply
	movedTo  string
}

// bom is the byte order mark of UTF-8.
var bom = []byte("\ufeff")

// place finds the place of every block of the file, and applies what was placed.
//
// Blocks are located on the snapshot first, so that their order in the reply does not matter. What is not found there, or
// collides with an earlier block, is tried on the text as changed so far. The error is for a context that ended.
func (f *file) place(ctx context.Context) error {
	f.text = f.before
	if !f.run.opt.reference() {
		f.text = bytes.TrimPrefix(f.before, bom) // the first line matches with and without it
	}
	f.current, f.present = f.text, f.exists
	f.snapshot = newLocator(strategy.NewDocument(f.text), f.path, f.run.opt)
	f.snapshot.doc.Expect(len(f.items))
	if f.exists && !f.run.opt.reference() {
		if err := f.placeOnSnapshot(ctx); err != nil {
			return err
		}
	}
	for _, it := range f.items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !it.done {
			f.sequential(it)
		}
	}
	f.consultLog()
	return nil
}

// placeOnSnapshot finds the places of blocks in the file as it was, and applies those that do not collide.
func (f *file) placeOnSnapshot(ctx context.Context) error {
	for _, it := range f.items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !it.done && onSnapshot(it.block.Op) {
			f.locate(it, f.snapshot)
		}
	}
	f.choose()
	for _, it := range f.items {
		if it.placed != nil && !it.done {
			f.splice(it, f.snapshot)
		}
	}
	f.merge()
	return nil
}

// consultLog asks the tree's memory about blocks that leave no trace in the text, such as deletions: where the file is as an
// earlier run of the same reply left it, nothing is left to do.
func (f *file) consultLog() {
	open := slices.ContainsFunc(f.items, func(it *item) bool {
		return it.report.Status == BlockApplied || it.report.Status == BlockFailed
	})
	if !open || !f.run.remembers(f.path) {
		return
	}
	f.current, f.present, f.movedTo, f.spans = f.text, f.exists, "", nil
	for _, it := range f.items {
		it.already()
	}
}

// remembers reports whether the tree knows the file to be as an earlier run of the same reply left it.
func (r *run) remembers(path string) bool {
	log, ok := r.engine.tree.(Recorder)
	return ok && log.AfterImage(path)
}

// onSnapshot reports whether blocks of this kind have a place in the file as it was.
func onSnapshot(op parser.Op) bool { return op == parser.OpEdit || op == parser.OpInsert }

// readings are the ways to read the block, the first reading first.
func (it *item) readings() []*variant {
	b, hint := it.block, it.hint
	out := []*variant{written(bytes.TrimPrefix(b.Search, bom), bytes.TrimPrefix(b.Replace, bom), hint)}
	for i, r := range b.Readings {
		if i == 0 {
			out[0].divider = r.Divider
			continue
		}
		v := written(r.Search, r.Replace, hint)
		v.divider = r.Divider
		out = append(out, v)
	}
	for i := range out {
		out[i] = withoutReplaceGutter(out[i])
	}
	return out
}

// locate searches the item's block in the document of l.
func (f *file) locate(it *item, l *locator) {
	b := it.block
	it.hint = b.StartLine
	if b.Op == parser.OpEdit && (it.hint < 0 || it.hint > l.doc.Len()) {
		it.warn(fmt.Sprintf("the line hint %d is ignored: the file ends at line %d", it.hint, l.doc.Len()))
		it.hint = 0
	}
	if b.Op == parser.OpInsert {
		f.insertAt(it, l.doc)
		return
	}
	if bytes.Equal(b.Search, b.Replace) && len(b.Readings) < 2 {
		it.warn("SEARCH and REPLACE are the same")
		it.settle(BlockNoOp)
		return
	}
	switch {
	case b.Text:
		l.text(it)
	case b.ReplaceAll:
		l.all(it)
	case f.run.opt.Policy == Loose:
		it.found = l.loose(it.readings())
	default:
		it.found = l.safe(it.readings())
	}
	it.bound()
}

// insertAt handles blocks that name the line behind which their text goes.
func (f *file) insertAt(it *item, doc *strategy.Document) {
	n := it.block.StartLine
	if n < 0 || n > doc.Len() {
		it.fail(NotFound, fmt.Sprintf("the file has %d lines; there is no line %d to insert after", doc.Len(), n))
		return
	}
	at := doc.Start(n)
	text := bytes.TrimSuffix(it.block.Replace, []byte{'\n'})
	eol := lineEnd(doc, n-1)
	text = slices.Concat(bytes.ReplaceAll(text, []byte{'\n'}, eol), eol)
	if n == doc.Len() && n > 0 && len(doc.EOL(n-1)) == 0 {
		text = slices.Concat(eol, bytes.TrimSuffix(text, eol))
	}
	it.edits = []edit{{at, at, text}}
	it.placed = &placement{strategy: "exact", score: 1}
	it.report.Lines = &[2]int{n + 1, n}
}

// choose settles which placement each item takes.
func (f *file) choose() {
	for _, it := range f.items {
		if len(it.found.dividers) > 1 {
			continue
		}
		if !it.done && len(it.found.placements) == 1 {
			it.placed = it.found.placements[0]
		}
	}
	f.bindCopies()
	for i, it := range f.items {
		if it.done || it.placed != nil || len(it.found.placements) < 2 || len(it.found.dividers) > 1 {
			continue
		}
		if p, why := f.byOwnHint(it, f.snapshot.doc); p != nil {
			it.placed = p
			it.warn(why)
			continue
		}
		if it.found.countless {
			continue // others may stand between the blocks around as well
		}
		if p := f.byOrder(i); p != nil {
			it.placed = p
			it.warn("several places fit; the blocks around leave this one")
		}
	}
}

// bindCopies gives n identical blocks with n equal places one each, in order.
func (f *file) bindCopies() {
	for i, it := range f.items {
		ps := it.found.placements
		if it.done || it.placed != nil || len(ps) < 2 || it.found.countless || it.hint > 0 {
			continue
		}
		same := []*item{it}
		for _, other := range f.items[i+1:] {
			if !other.done && other.placed == nil && bytes.Equal(other.block.Search, it.block.Search) && bytes.Equal(other.block.Replace, it.block.Replace) && other.hint == 0 {
				same = append(same, other)
			}
		}
		if len(same) != len(ps) {
			continue
		}
		ordered := slices.SortedFunc(slices.Values(ps), func(a, b *placement) int { return cmp.Compare(first(a), first(b)) })
		for k, s := range same {
			s.placed = ordered[k]
			s.warn("identical blocks bound to equal places in order")
		}
	}
}

// byOwnHint chooses by what the block itself says of its place: the line, the anchors above it, the end of the file.
func (f *file) byOwnHint(it *item, doc *strategy.Document) (*placement, string) {
	ps, b := it.found.placements, it.block
	if p, why := byHint(ps, it.lineHint()); p != nil {
		return p, why
	}
	if b.AtEOF {
		for _, p := range ps {
			if _, end := p.span(); end == doc.Len() && p.rejected == "" {
				return p, fmt.Sprintf("%d places fit; taken at the end of the file", len(ps))
			}
		}
	}
	if line := scopeLine(doc, b.Scope); line >= 0 && !it.found.countless {
		var below *placement
		for _, p := range ps {
			if first(p) >= line && (below == nil || first(p) < first(below)) {
				below = p
			}
		}
		if below != nil && below.rejected == "" {
			return below, fmt.Sprintf("%d places fit; taken below the anchor %q", len(ps), b.Scope[len(b.Scope)-1])
		}
	}
	return nil, ""
}

// scopeLine is the line of the innermost anchor, each looked for below the one around it; -1 if one is not there, or
// the outermost is there twice.
func scopeLine(doc *strategy.Document, scope []string) int {
	at := -1
	for _, anchor := range scope {
		want := bytes.TrimSpace([]byte(anchor))
		found := -1
		for i := at + 1; i < doc.Len(); i++ {
			if line := bytes.TrimSpace(doc.Line(i)); len(want) > 0 && (bytes.Equal(line, want) || bytes.HasPrefix(line, want)) {
				if found >= 0 {
					if at < 0 {
						return -1
					}
					break
				}
				found = i
			}
		}
		if found < 0 {
			return -1
		}
		at = found
	}
	return at
}

// byHint takes the placement closest to the hint, if it is at most half as far as any other: a hint in the middle, or far
// from all, tells nothing.
func byHint(ps []*placement, hint int) (p *placement, why string) {
	if hint <= 0 {
		return nil, ""
	}
	best, second := -1, -1
	for _, q := range ps {
		switch d := q.off(hint); {
		case best < 0 || d < best:
			p, best, second = q, d, best
		case second < 0 || d < second:
			second = d
		}
	}
	if p.rejected != "" || second >= 0 && 2*best > second {
		return nil, ""
	}
	return p, fmt.Sprintf("%d places fit; taken by the line hint", len(ps))
}

// byOrder takes the only placement between those of the blocks before and after item i.
func (f *file) byOrder(i int) *placement {
	from, to := 0, f.snapshot.doc.Len()
	bounded := false
	last := -1
	for j, it := range f.items {
		if it.placed == nil || it.placed.alignment == nil {
			continue
		}
		a, b := it.placed.span()
		if a < last {
			return nil // the reply does not go down the file
		}
		last = a
		if j < i {
			from, bounded = max(from, b), true
		} else if j > i {
			to, bounded = min(to, a), true
		}
	}
	if !bounded {
		return nil
	}
	var only *placement
	for _, p := range f.items[i].found.placements {
		a, b := p.span()
		if a < from || b > to {
			continue
		}
		if only != nil || p.rejected != "" {
			return nil
		}
		only = p
	}
	return only
}

// splice turns the item's placement into edits.
func (f *file) splice(it *item, l *locator) {
	p := it.placed
	if p.alignment == nil {
		return // made by a rule of its own
	}
	it.report.Strategy, it.report.Score = p.strategy, p.score
	a, b := p.span()
	it.report.Lines = &[2]int{a + 1, b}
	for _, n := range p.notes {
		it.warn(n)
	}
	switch {
	case p.tier == tierAlready, p.inside == nil && l.applied(p):
		it.settle(BlockAlready)
		return
	case p.inside != nil:
		it.edits = []edit{p.insert}
		return
	}
	if i := placeholder(p.variant, l.doc, f.path); i >= 0 && !f.run.opt.AllowPlaceholders {
		it.fail(Placeholder, fmt.Sprintf("REPLACE leaves lines out: %q; write them, or pair the line with the same one in SEARCH", p.variant.replace.Line(i)))
		return
	}
	var standing int
	it.edits, standing = l.edits(p)
	if standing > 0 {
		it.warn("part of the change stands in the file already")
	}
	it.edits = slices.DeleteFunc(it.edits, func(e edit) bool { return bytes.Equal(e.text, l.doc.Text()[e.start:e.end]) })
	if len(it.edits) == 0 {
		it.settle(BlockAlready)
	}
}

// edits are what p's block does to the document, in order and apart, and how many of its changes stand there already.
func (l *locator) edits(p *placement) (edits []edit, standing int) {
	if l.opt.Splice == Verbatim {
		return l.pasted(p), 0
	}
	s := l.splicer(p)
	standing = s.dropStanding()
	edits = s.run()
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	return edits, standing
}

// pasted puts REPLACE over the whole span, with the file's line ends.
func (l *locator) pasted(p *placement) []edit {
	first, end := p.span()
	if first < 0 {
		return nil
	}
	all := change{0, p.variant.search.Len(), 0, p.variant.replace.Len()}
	s := &splice{doc: l.doc, search: p.variant.search, replace: p.variant.replace, indent: asWritten}
	for i := range p.variant.search.Len() {
		s.alignment = append(s.alignment, strategy.Pair{Search: i, File: first + i})
	}
	if n := end - first; n < len(s.alignment) {
		for i := n; i < len(s.alignment); i++ {
			s.alignment[i].File = -1
		}
	} else if n > len(s.alignment) {
		for i := len(s.alignment); i < n; i++ {
			s.alignment = append(s.alignment, strategy.Pair{Search: i, File: first + i})
		}
		all.s1 = n
	}
	s.at = s.alignment.BySearch(all.s1)
	s.change(all)
	return s.edits
}

// merge applies the edits of all placed blocks to the snapshot. A block whose edits collide with those of an earlier one
// is left for later; one whose edits all stand in the plan already counts as applied.
func (f *file) merge() {
	var taken ledger
	for _, it := range f.items {
		if it.done || it.placed == nil {
			continue
		}
		all := len(it.edits)
		var clash *item
		it.edits = slices.DeleteFunc(it.edits, func(e edit) bool {
			equal, other := taken.meets(e)
			if clash == nil {
				clash = other
			}
			return equal
		})
		switch {
		case clash != nil:
			it.placed = nil
			it.found = findings{}
			it.fail(Overlap, fmt.Sprintf("it changes lines that block %d changes as well; merge the two blocks into one", clash.block.ID))
			it.done = false // tried again on the changed text
		case len(it.edits) == 0 && all > 0:
			it.settle(BlockAlready)
			it.warn("an earlier block makes the same change")
		default:
			for _, e := range it.edits {
				taken.add(e, it)
			}
			it.settle(BlockApplied)
		}
	}
	endLikeAbove(f.text, taken.edits)
	f.current, f.spans = applyEdits(f.text, taken.edits)
}

// ledger holds the edits of several blocks, apart and in order, and whose they are.
type ledger struct {
	edits  []edit
	owners []*item
}

// position is where in the ledger an edit belongs.
func (l *ledger) position(e edit) int {
	at, _ := slices.BinarySearchFunc(l.edits, e, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	return at
}

// meets reports whether the ledger has e itself, and else whose edit it collides with.
func (l *ledger) meets(e edit) (equal bool, clash *item) {
	at := l.position(e)
	for i := max(0, at-1); i < len(l.edits) && l.edits[i].start <= e.end; i++ {
		switch t := l.edits[i]; {
		case t.start == e.start && t.end == e.end && bytes.Equal(t.text, e.text):
			return true, nil
		case collide(t, e) && clash == nil:
			clash = l.owners[i]
		}
	}
	return false, clash
}

func (l *ledger) add(e edit, owner *item) {
	at := l.position(e)
	l.edits = slices.Insert(l.edits, at, e)
	l.owners = slices.Insert(l.owners, at, owner)
}

// collide reports whether two edits delete or change the same bytes, or insert at the same place.
func collide(a, b edit) bool {
	if a.start == a.end && b.start == b.end {
		return a.start == b.start
	}
	return a.start < b.end && b.start < a.end
}

// endLikeAbove gives what is added behind a last line without an end the line end of the line above it as the other edits
// leave that one: blocks do the same together as one after the other.
func endLikeAbove(text []byte, edits []edit) {
	last := len(edits) - 1
	if last < 1 || edits[last].start != len(text) || len(text) == 0 || text[len(text)-1] == '\n' {
		return
	}
	added := edits[last].text
	was, now := "\n", ""
	if bytes.HasPrefix(added, []byte("\r\n")) {
		was = "\r\n"
	}
	at := bytes.LastIndexByte(text, '\n') + 1
	for i := last - 1; i >= 0 && edits[i].end == at && now == ""; i-- {
		at = edits[i].start
		now = trailingEnd(edits[i].text)
	}
	if now == "" {
		now = trailingEnd(text[:at])
	}
	if now != "" && now != was {
		edits[last].text = bytes.ReplaceAll(added, []byte(was), []byte(now))
	}
}

func trailingEnd(text []byte) string {
	switch {
	case bytes.HasSuffix(text, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(text, []byte("\n")):
		return "\n"
	}
	return ""
}

// applyEdits makes the changed text; edits are in order and apart.
func applyEdits(text []byte, edits []edit) ([]byte, []Span) {
	if len(edits) == 0 {
		return text, nil
	}
	size := len(text)
	for _, e := range edits {
		size += len(e.text) - (e.end - e.start)
	}
	out := make([]byte, 0, size)
	spans := make([]Span, 0, len(edits))
	at := 0
	for _, e := range edits {
		out = append(out, text[at:e.start]...)
		start := len(out)
		out = append(out, e.text...)
		spans = append(spans, Span{e.start, e.end, start, len(out)})
		at = e.end
	}
	return append(out, text[at:]...), spans
}

// changed is what the run does to the file.
func (f *file) changed() (FileChange, bool) {
	after, spans := f.current, f.spans
	if mark := len(f.before) - len(f.text); mark > 0 {
		after = slices.Concat(bom, after)
		spans = slices.Clone(spans)
		for i := range spans {
			spans[i] = Span{spans[i].BeforeStart + mark, spans[i].BeforeEnd + mark, spans[i].AfterStart + mark, spans[i].AfterEnd + mark}
		}
	}
	c := FileChange{Path: f.path, Before: f.before, After: after, Spans: spans, Action: Modify}
	switch {
	case !f.exists && !f.present:
		return c, false
	case !f.exists:
		c.Action, c.Before, c.Spans = Create, nil, nil
		if c.After == nil {
			c.After = []byte{}
		}
	case !f.present:
		c.Action, c.After, c.Spans = Delete, nil, nil
	case f.movedTo != "":
		c.Action, c.From, c.Path = Move, f.path, f.movedTo
	case bytes.Equal(f.before, after):
		return c, false
	}
	return c, true
}
