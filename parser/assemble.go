package parser

import (
	"bytes"
	"path"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// fault returns a diagnostic for the current block, which ends at offset end.
type fault func(o *openBlock, out *output, end int) *Diagnostic

// division describes how the body of a block may be divided.
type division struct {
	splits []fsm.Split
	end    int       // end of REPLACE
	other  fsm.Split // the last divider, if it may be the real one, followed by an empty REPLACE
}

// complete emits the current block, or a diagnostic if the block is refused. Reading continues
// below the block.
func (s *scanner) complete(end ending) {
	b, f := s.assemble(end)
	if f == nil && s.block.m.HasInnerOpener() && mdline.LeavesFenceOpen(b.Replace) &&
		!mdline.LeavesFenceOpen(b.Search) { // REPLACE runs on into the next block and its fence
		f = unclear("with another block and an unclosed fence inside")
	}
	if f == nil {
		if len(b.Search) == 0 {
			b.Op = OpCreate
		}
		if d := s.ctx.otherAction(s.block.blockStart(), b.Lines[0], b); d != nil {
			f = func(*openBlock, *output, int) *Diagnostic { return d }
		}
	}
	if f != nil {
		s.rejectEnded(f, end.block)
		return
	}
	s.name(b)
	if b.Op == OpCreate && text.IsCode(b.Path) && len(b.Readings) == 0 { // REPLACE may be in a fence
		inner, warnings := envelope.WholeFile(b.Path, b.Replace)
		b.Replace, b.Warnings = inner, append(b.Warnings, warnings...)
	}
	s.out.uses.put(inBlock, b.Lines[0], b.Lines[1])
	s.out.uses.name(s.block.binding.line)
	if d := s.below(b, end); d != nil {
		s.reject(func(*openBlock, *output, int) *Diagnostic { return d }, end.block)
		return
	}
	s.ctx.markFenceHasEdit()
	s.block.m.Reset()
	s.rewind(end.block, b.Lines[1]+1)
	s.ctx.outside = end.block
	s.count(b)
	s.out.emit(item{Block: b})
}

// name sets a block's file and, if its hints are in Roo's style, its dialect. If the block is
// tentative, name records that this reply writes edits like merge conflicts.
func (s *scanner) name(b *Block) {
	s.block.binding.applyTo(b)
	if b.Op == OpCreate && b.Inherited && s.block.otherLanguage(b.Path) {
		b.Path, b.Names, b.Inherited = "", nil, false // the new file's name is missing
	}
	d := s.block.dialect()
	if d == fsm.Aider && s.block.rooHead() {
		b.Dialect = "roo"
	}
	s.block.seenHead = s.block.seenHead || d.Tentative()
}

// assemble turns the lines read so far into a block and divides its body. If that is impossible, it
// returns the fault that says why. The block's file is not set yet.
func (s *scanner) assemble(end ending) (*Block, fault) {
	d := division{splits: s.block.m.Splits(end.body), end: end.body}
	if len(d.splits) == 0 {
		return nil, missing(diagnosis.MissingDivider)
	}
	b := s.newBlock(end)
	s.block.dropSurplus(b, &d)
	if !s.block.joinDividers(b, &d) {
		return nil, unclear("with a divider directly after another one, which may underline a title")
	}
	if last := s.block.mustUseLast(d.splits); last > 0 {
		b.Warnings = append(b.Warnings, warning.OddMarkers.Say("line %d: the last of several dividers was used; "+
			"put a backslash before any that is a line of REPLACE", d.splits[last].Line))
		d.splits = d.splits[last:]
	}
	if !d.splits[0].Own {
		b.Warnings = append(b.Warnings, warning.OddMarkers.Say(
			"line %d: the divider does not match the opener", d.splits[0].Line))
	}
	fsm.Rank(d.splits) // the best comes first
	r, ok := s.block.readings(d.splits, d.end)
	switch {
	case !ok:
		return nil, unclear("that can be divided in too many ways")
	case len(r) == 0:
		return nil, misplacedHint
	case d.other.End > 0: // the text above the surplus divider may be SEARCH, see dropSurplus
		body := s.in.buf[s.block.m.Body():d.end]
		search := mdline.WithoutMargin(body, s.block.dedent(body, d.splits), s.block.m.Escapes())
		r = append(r, Reading{Divider: d.other.Line, Search: bytes.Clone(search), Replace: []byte{}})
		b.Readings = r
	case len(r) > 1:
		b.Readings = r
	}
	b.Search, b.Replace = r[0].Search, r[0].Replace
	return b, nil
}

// newBlock returns the current block, with SEARCH and REPLACE still empty.
func (s *scanner) newBlock(end ending) *Block {
	opener, at := s.block.m.Opener()
	b := &Block{Op: OpEdit, Dialect: opener.Dialect.String(), Lines: [2]int{at.Line, s.block.lineAt(end.block) - 1}}
	if s.in.buf[end.block-1] != '\n' { // the input ends without a line end
		b.Lines[1]++
	}
	b.StartLine, b.EndLine = s.block.m.Hints()
	if end.warning != "" {
		b.Warnings = append(b.Warnings, end.warning)
	}
	return b
}

// dropSurplus drops a surplus divider or closer from the end of REPLACE, with a warning.
//
// A divider directly before the closer is surplus unless it underlines a title. A closer without a
// label is surplus unless SEARCH contains the same line. A body of the lines "=======", "x = 1" and
// "=======" is ambiguous: either SEARCH is empty and the second divider is surplus, or the second
// divider is the real one and REPLACE is empty. If so, d.other is set to the second divider.
func (o *openBlock) dropSurplus(b *Block, d *division) {
	splits := d.splits
	if last := splits[len(splits)-1]; len(splits) > 1 && last.Own && last.End == d.end && !o.underline(last) {
		does := "a second divider before the closer was ignored"
		if len(splits) == 2 && splits[0].Start == o.m.Body() && splits[0].End < last.Start {
			d.other, does = last, "there is a second divider before the closer"
		}
		d.splits, d.end = splits[:len(splits)-1], last.Start
		b.Warnings = append(b.Warnings, warning.OddMarkers.Say("line %d: %s", last.Line, does))
	}
	if at, ok := o.m.Stray(); ok && at.End == d.end && o.unlabelled(at, d.splits[len(d.splits)-1].Start) {
		d.end = at.Start
		b.Warnings = append(b.Warnings, warning.OddMarkers.Say(
			"line %d: a second closer, without a label, was ignored", at.Line))
	}
}

// joinDividers treats two adjacent dividers as one, because the divider was written twice. In a
// document, one of them may instead underline a title. ok is false if they are the block's only
// dividers and the first one may be the last line of SEARCH.
func (o *openBlock) joinDividers(b *Block, d *division) (ok bool) {
	splits := d.splits
	if len(splits) < 2 || !splits[0].Own || splits[0].End != splits[1].Start || o.underline(splits[0]) {
		return true
	}
	switch search := o.in.buf[o.m.Body():splits[0].Start]; {
	case !o.document() || len(splits) == 2 && len(search) == 0:
		splits[0].End = splits[1].End
		b.Warnings = append(b.Warnings, warning.OddMarkers.Say("line %d: a second divider was ignored", splits[1].Line))
	case len(splits) == 2 && splits[1].End < d.end && !isUnderline(search):
		return false
	}
	return true
}

// mustUseLast returns the index of the last divider if it must be the real one: with any other,
// REPLACE would contain a divider that neither underlines a title nor belongs to a conflict.
// Otherwise it returns 0, also if a hint follows a divider or no divider matches the opener.
func (o *openBlock) mustUseLast(splits []fsm.Split) int {
	n := len(splits)
	joined := n == 2 && splits[0].End == splits[1].End // see joinDividers
	if joined || o.document() || !splits[0].Own {      // a document has many titles
		return 0
	}
	for _, d := range splits {
		if d.Depth > 0 || d.HintAfter || o.underline(d) {
			return 0
		}
	}
	return n - 1
}

// otherLanguage reports whether the fence around the current block is for a language other than
// that of the file called name.
func (o *openBlock) otherLanguage(name string) bool {
	lang := filename.LanguageOf(strings.TrimPrefix(path.Ext(name), "."))
	return lang != "" && o.fenced() && o.ctx.top().lang != "" && o.ctx.top().lang != lang
}

// isUnderline reports whether the first line of SEARCH is blank or looks like a title's underline.
// If so, REPLACE may begin with another underline.
func isUnderline(search []byte) bool {
	line, _, _ := bytes.Cut(search, []byte("\n"))
	return len(bytes.Trim(line, "-=~^*\"'`#+ \t\r")) == 0
}

// unlabelled reports whether the line at is a closer without a label, and no line of the body
// before offset end is identical to it.
func (o *openBlock) unlabelled(at fsm.Pos, end int) bool {
	sign := bytes.TrimSpace(o.in.buf[at.Start:at.End])
	if len(bytes.Trim(sign, ">")) > 0 {
		return false
	}
	for line := range bytes.Lines(o.in.buf[o.m.Body():end]) {
		if bytes.Equal(bytes.TrimSpace(line), sign) {
			return false
		}
	}
	return true
}

// rooHead reports whether the block's head is in Roo's style: hints on lines of their own, or a
// "-------" line after a hint in the opener.
func (o *openBlock) rooHead() bool {
	_, at := o.m.Opener()
	_, sep := o.m.Separator()
	return o.m.Body() > at.End || sep && o.m.Hinted()
}

// readings lists the ways to divide the body, best first: by divider, then with and without the
// separator, then with and without escapes. ok is false if there are more than maxReadings, or if
// copies of them would use too much memory. A divider followed by a hint gives no reading. end is
// the offset at which REPLACE ends.
func (o *openBlock) readings(splits []fsm.Split, end int) (list []Reading, ok bool) {
	starts := o.searchStarts(splits, end)
	base := o.m.Body()
	body := o.in.buf[base:end]
	prefix := o.dedent(body, splits)
	copied := len(prefix) > 0 || o.m.Escapes() // if not, readings are slices of the body
	if d := splits[0]; len(splits) == 1 && len(starts) == 1 && !d.HintAfter && !copied {
		start, end, next := starts[0]-base, d.Start-base, d.End-base // usually: no copies
		return []Reading{{Divider: d.Line, Search: body[start:end:end], Replace: body[next:]}}, true
	}
	modes := []bool{false}
	if o.m.Escapes() {
		modes = append(modes, true)
	}
	most := maxReadings
	if copied {
		most = max(1, min(most, o.req.maxBlock/max(1, len(body))))
	}
	for _, d := range splits {
		if d.HintAfter {
			continue
		}
		for _, start := range starts {
			if start > d.Start { // the separator would be below the divider
				continue
			}
			for _, literal := range modes {
				if len(list) == most {
					return nil, false
				}
				list = append(list, Reading{Divider: d.Line, Literal: literal,
					Search:  mdline.WithoutMargin(body[start-base:d.Start-base], prefix, !literal && o.m.Escapes()),
					Replace: mdline.WithoutMargin(body[d.End-base:], prefix, !literal && o.m.Escapes())})
			}
		}
	}
	return list, true
}

// searchStarts returns the offsets where SEARCH may begin. A "-------" line after the head is the
// separator if a hint precedes it. Otherwise it may also be part of SEARCH. If REPLACE begins with
// such a line, too, the line after the head is certainly not the separator. splits are the
// dividers, and end is the offset at which REPLACE ends.
func (o *openBlock) searchStarts(splits []fsm.Split, end int) []int {
	sep, ok := o.m.Separator()
	switch {
	case !ok, o.beginsWithSeparator(splits[0].End, end):
		return []int{o.m.Body()}
	case o.m.Hinted():
		return []int{sep.End}
	}
	return []int{sep.End, o.m.Body()}
}

// beginsWithSeparator reports whether the text between two offsets begins with a "-------" line.
func (o *openBlock) beginsWithSeparator(from, end int) bool {
	line, _, _ := bytes.Cut(o.in.buf[from:end], []byte("\n"))
	return fsm.Classify(line).Kind == fsm.Separator
}

// dedent returns the margin to remove from the body: the opener's prefix if every line, except
// blank lines and dividers, begins with it. Otherwise it returns nil, because only the markers are
// indented. If the divider's prefix differs and every line begins with that, it is the margin: the
// model forgot the opener's quote marks, or SEARCH is empty and only the opener is not indented.
func (o *openBlock) dedent(body []byte, splits []fsm.Split) []byte {
	opener, _ := o.m.Opener()
	if len(splits) > 0 && !splits[0].Own {
		d := splits[0]
		prefix := fsm.Classify(body[d.Start-o.m.Body() : d.End-o.m.Body()]).Prefix
		quoted, noSearch := bytes.IndexByte(prefix, '>') >= 0, d.Start == o.m.Body()
		if (quoted || noSearch && len(prefix) > 0) && mdline.HaveMargin(body, prefix) {
			return prefix
		}
	}
	if len(opener.Prefix) > 0 && mdline.HaveMargin(body, opener.Prefix) {
		return opener.Prefix
	}
	return nil
}
