package parser

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// lookahead keeps a block in a fence pending, because the lines after its closer decide what the
// block means:
//
//   - REPLACE is empty: if text follows up to the end of the fence, that text should have been in REPLACE, and taking the
//     block for a deletion would lose it;
//   - REPLACE ends with a line that closes the fence around the block: if the fence is not closed after the closer, it was
//     closed too early, and the line is no content;
//   - its file is that of the block before, and a name is directly below its fence: the block may be meant for that file.
type lookahead struct {
	block      *Block
	below      nameBelow
	name       string // the name below it
	early      bool   // REPLACE ends with the line that closes the fence; else it is empty
	blankSeen  bool   // a blank line was passed
	lastCloses bool   // the last line closes the fence
	textLine   int    // number of the first line of text
	certain    bool   // text is directly below the closer, and is more than a comment
	maybeName  bool   // the last line is such text, too; it is the next block's name if that begins below it
}

// nameBelow is how far the search for a name below a block has come.
type nameBelow uint8

const (
	notBelow   nameBelow = iota // it is another reason for which the block is pending
	belowBlock                  // the fence has to close
	belowFence                  // the name has to follow
	belowName                   // whatever is next decides
	belowCall                   // a sentence may go on
)

// waits reports whether a block is kept pending, for one of the reasons of [lookahead]. fenced says
// that it is the first one in its fence.
func (out *output) waits(b *Block, fenced bool) bool {
	f := out.ctx.top()
	early := f != nil && out.ctx.closesEarly(b)
	if f == nil || b.Readings != nil || len(b.Search)+len(b.Replace) == 0 || len(b.Replace) > 0 && !early || !f.hasEdit && !fenced {
		return out.waitsForName(b)
	}
	out.ahead = lookahead{block: b, early: early}
	return true
}

// waitsForName reports whether a block is kept pending because its file is that of the block
// before.
func (out *output) waitsForName(b *Block) bool {
	if !b.Inherited {
		return false
	}
	out.ahead = lookahead{block: b, below: belowFence}
	if out.ctx.top() != nil {
		out.ahead.below = belowBlock
	}
	return true
}

// closesEarly reports whether a block has just one fence line, which is its last line and closes
// the fence around the block.
func (c *context) closesEarly(b *Block) bool {
	text := bytes.TrimRight(b.Replace, " \t\r\n")
	if len(text) == 0 || text[len(text)-1] != '`' && text[len(text)-1] != '~' && text[len(text)-1] != '>' {
		return false
	}
	last, _ := lastLine(b)
	return c.closesFence(text[last:]) && !mdline.HasFence(b.Search) && !mdline.HasFence(text[:last])
}

// lastLine returns where the last line of REPLACE that is not blank begins, and its number.
func lastLine(b *Block) (offset, number int) {
	text := bytes.TrimRight(b.Replace, " \t\r\n")
	return bytes.LastIndexByte(text, '\n') + 1, b.Lines[1] - bytes.Count(b.Replace[len(text):], []byte("\n"))
}

// lookAhead judges the pending block by a line after it.
func (out *output) lookAhead(raw []byte, at fsm.Pos) {
	l := &out.ahead
	if l.below != notBelow {
		out.lookForName(raw)
		return
	}
	closes := out.ctx.closesFence(raw)
	switch {
	case l.lastCloses && fsm.Classify(raw).Kind != fsm.Opener:
		out.endLookahead()
	case text.Blank(raw):
		l.blankSeen = true
	case l.early && closes && !l.blankSeen:
		l.lastCloses = true // or opens the fence of the next block
	case l.early && (closes || l.lastCloses):
		_, line := lastLine(l.block)
		out.refuseWaiting(at.Line-1, line, "the end of a fence before the closer, and one after it",
			"the fence closed once, after the closer", "write the block again, in a longer fence if the line is text")
	case l.early:
		out.closedEarly()
	case closes:
		out.decide(l.textLine > 0, at.Line-1)
	case fsm.Classify(raw).Kind == fsm.Closer:
		out.ignoreNextCloser = l.textLine > 0
		out.decide(l.textLine > 0, at.Line-1)
	case opens(raw):
		out.decide(l.certain, at.Line-1)
	default:
		if _, ok := mdline.ParseFence(raw); ok {
			out.settle()
			return
		}
		l.certain, l.maybeName = l.certain || l.maybeName, false
		comment := text.BeginsComment(raw)
		name, strength := filename.OfLine(raw)
		if strength >= filename.Plain || l.blankSeen && (comment || isAside(raw, l.block.Path)) {
			return
		}
		if l.textLine == 0 {
			l.textLine = at.Line
		}
		if !l.blankSeen && !comment {
			l.maybeName = strength == filename.Weak && len(text.Margin(raw)) == 0 && strings.Contains(name, "/") && !strings.Contains(name, " ")
			l.certain = l.certain || !l.maybeName
		}
	}
}

// opens reports whether a block may begin with the line.
func opens(raw []byte) bool {
	k := fsm.Classify(raw)
	return k.Kind == fsm.Opener || k.Kind == fsm.NearOpener && isOddOpener(&k)
}

// lookForName judges the pending block, whose file is that of the block before, by a line after it.
// A name directly below its fence is offered for it, unless it is that of another edit below the
// name.
func (out *output) lookForName(raw []byte) {
	l := &out.ahead
	switch name, strength := filename.OfLine(raw); {
	case l.below == belowBlock && out.ctx.closesFence(raw):
		l.below = belowFence
	case l.below == belowFence && strength >= filename.Plain && name != l.block.Path:
		l.below, l.name = belowName, name
	case l.below != belowName:
		out.settle()
	case !text.Blank(raw):
		first, _ := utf8.DecodeRune(raw)
		out.offerBelow(unicode.IsLetter(first) && strength < filename.Plain)
	}
}

// offerBelow emits the pending block, with the name below it if that is the block's.
func (out *output) offerBelow(own bool) {
	if l := &out.ahead; own {
		l.block.Names = append([]Name{{Text: l.name, Near: true}}, l.block.Names...)
	}
	out.settle()
}

// endLookahead decides about the pending block by the lines read so far, mostly at the end of the
// input: more of the reply might have decided otherwise.
func (out *output) endLookahead() {
	switch l := &out.ahead; {
	case l.block == nil:
	case l.below != notBelow:
		out.offerBelow(l.below == belowName)
	case l.lastCloses:
		_, line := lastLine(l.block)
		out.warnWaiting(line, "the fence line before the closer is taken as text")
		out.settle()
	case l.early:
		out.closedEarly()
	default:
		out.warnWaiting(l.block.Lines[1], "the input ends in the fence after an empty REPLACE")
		out.decide(l.certain || l.maybeName, out.in.line-1)
	}
}

// closedEarly takes the end of the fence out of REPLACE.
func (out *output) closedEarly() {
	b := out.ahead.block
	last, line := lastLine(b)
	b.Replace = b.Replace[:last]
	out.warnWaiting(line, "the fence was closed before the closer; the line that closed it is no part of REPLACE")
	out.ctx.fences = out.ctx.fences[:len(out.ctx.fences)-1]
	out.settle()
}

func (out *output) warnWaiting(line int, text string) {
	b := out.ahead.block
	b.Warnings = append(b.Warnings, warning.Fence.Say("line %d: %s", line, text))
}

// decide refuses the pending block, whose REPLACE is empty, or emits it.
func (out *output) decide(refuse bool, last int) {
	if !refuse {
		out.settle()
		return
	}
	out.refuseWaiting(last, out.ahead.textLine, "text after the closer of a block whose REPLACE is empty",
		"the new lines before the closer", "write the block again, with the new lines between divider and closer")
}

// refuseWaiting refuses the pending block, and reports it with the lines after it up to last.
func (out *output) refuseWaiting(last, line int, found, expected, remedy string) {
	b := out.ahead.block
	out.ahead = lookahead{}
	out.blocks--
	code := diagnosis.Malformed
	out.uses.put(diagnosed, b.Lines[0], last)
	out.emit(item{
		Diagnostic: &Diagnostic{Code: code, Line: line, Found: found, Expected: expected, Remedy: out.remedy(remedy, fsm.Aider)},
		Attempt:    &Attempt{Code: code, Line: line, Lines: b.Lines, Path: b.Path, Names: b.Names, Inherited: b.Inherited},
		of:         b.Dialect,
	})
}

// settle emits the pending block.
func (out *output) settle() {
	b := out.ahead.block
	out.ahead = lookahead{}
	out.emit(item{Block: b})
}

// isAside reports whether a line, which a blank line separates from a block, is a remark on the
// block: a sentence that may have code in it, or a list item of several words. name is the file
// that the block is for.
func isAside(raw []byte, name string) bool {
	text := bytes.TrimSpace(mdline.WithoutCode(raw))
	item := len(text) > 2 && (text[0] == '-' || text[0] == '*') && text[1] == ' '
	if item {
		text = text[2:]
	}
	text = bytes.Trim(text, "* ")
	words := len(bytes.Fields(text))
	switch first, _ := utf8.DecodeRune(text); {
	case item && (listsItems(name) || !unicode.IsLetter(first) && first != '`' || words < 2):
		return false
	case !item && (!unicode.IsUpper(first) && first != '`' || words < 3 || bytes.IndexByte([]byte(".:!?"), text[len(text)-1]) < 0):
		return false
	}
	for _, c := range string(text) {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(" ,.:;!?'’“”`-–—/_()\"#*…", c) {
			return false
		}
	}
	return text[len(text)-1] != ';'
}

// listsItems reports whether a file of that name may have lines that look like list items in
// Markdown.
func listsItems(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case "", ".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc", ".org", ".yml", ".yaml":
		return true
	}
	return false
}
