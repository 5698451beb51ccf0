package parser

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// below looks at the text below a complete block. It may change the block's meaning if:
//
//   - REPLACE is empty and the block is in a fence. Text that follows in the fence should have been
//     in REPLACE, and deleting SEARCH would lose it.
//   - REPLACE ends with a line that closes the fence around the block. If no such line follows the
//     closer, the fence was closed too early, and the line is not content.
//   - The block has inherited its file, and another file name is directly below its fence. The
//     block may be meant for that file.
//
// If the block is refused, below returns a diagnostic that says why.
func (s *scanner) below(b *Block, end ending) (d *Diagnostic) {
	f, t := s.ctx.top(), textBelow{s, b, end.block}
	// The fence around the block contains edits, so it isn't a file's text. If the block has several
	// readings, its sides aren't known.
	fenced := f != nil && (f.hasEdit || s.block.fenced()) && b.Readings == nil
	switch {
	case end.warning != "": // there is no usual closer, so nothing is known of the text below
	case fenced && s.ctx.closesEarly(b):
		d = t.closedEarly()
	case fenced && len(b.Search) > 0 && len(b.Replace) == 0:
		d = t.lostReplace()
	default:
		t.offerName()
	}
	return d
}

// textBelow is the text below a complete block.
type textBelow struct {
	*scanner
	b    *Block
	from int // offset of the text
}

// closesEarly reports whether REPLACE ends with a line that closes the fence around the block, and
// the block has no other fence line. Blank lines may follow the line.
func (c *context) closesEarly(b *Block) bool {
	text := bytes.TrimRight(b.Replace, " \t\r\n")
	if len(text) == 0 || bytes.IndexByte([]byte("`~>"), text[len(text)-1]) < 0 {
		return false // most texts don't end like a fence line
	}
	last := bytes.LastIndexByte(text, '\n') + 1
	return c.closesFence(text[last:]) && !mdline.HasFence(b.Search) && !mdline.HasFence(text[:last])
}

// closedEarly handles a block of which REPLACE ends with a line that closes the fence around the
// block. If another such line follows, the block is refused: the first one may be text, or the second
// one may open the next fence. Otherwise the line in REPLACE ended the fence and is removed.
func (t *textBelow) closedEarly() *Diagnostic {
	trimmed := bytes.TrimRight(t.b.Replace, " \t\r\n")
	line := t.b.Lines[1] - bytes.Count(t.b.Replace[len(trimmed):], []byte("\n"))
	if t.ctx.closesFence(bytes.TrimLeft(t.in.buf[t.from:], " \t\r\n")) {
		return t.out.malformed(line, "the end of a fence before the closer, and one after it",
			"the fence closed once, after the closer", "write the block again, in a longer fence if the line is text")
	}
	t.b.Replace = t.b.Replace[:bytes.LastIndexByte(trimmed, '\n')+1]
	t.b.Warnings = append(t.b.Warnings, warning.Fence.Say("line %d: the fence was closed before the closer; "+
		"the line that closed it is not part of REPLACE", line))
	t.ctx.fences = t.ctx.fences[:len(t.ctx.fences)-1]
	return nil
}

// lostReplace refuses a block with an empty REPLACE if lines other than names and remarks follow in
// its fence: they should have been in REPLACE. The last of these lines may be the next block's file
// name, directly above its opener. If the input ends in the fence, lostReplace adds a warning.
func (t *textBelow) lostReplace() *Diagnostic {
	first, line := 0, t.b.Lines[1] // the first line of text, or 0; the current line
	certain := false               // a line is certainly text
	maybeName := false             // the last line is text, unless it names the next block's file
	blank := false                 // a blank line follows the block
	refused := func() *Diagnostic {
		return t.out.malformed(first, "text after the closer of a block whose REPLACE is empty",
			"the new lines before the closer", "write the block again, with the new lines between divider and closer")
	}
	for raw := range bytes.Lines(t.in.buf[t.from:]) {
		line++
		kind := fsm.Classify(raw).Kind
		_, fence := mdline.ParseFence(raw)
		comment := text.BeginsComment(raw)
		name, strength := filename.OfLine(raw)
		switch {
		case text.Blank(raw):
			blank = true
			continue
		case t.ctx.closesFence(raw), kind == fsm.Closer:
			certain = first > 0 // no opener follows, so the last line names no block
			fallthrough
		case kind == fsm.Opener || kind == fsm.NearOpener:
			if certain {
				return refused()
			}
			return nil
		case fence:
			return nil
		}
		certain = certain || maybeName
		maybeName = false
		if strength >= filename.Plain || blank && (comment || isRemark(raw, t.b.Path)) {
			continue
		}
		if first == 0 {
			first = line
		}
		if !blank && !comment {
			maybeName = strength == filename.Weak && len(text.Margin(raw)) == 0 &&
				strings.Contains(name, "/") && !strings.Contains(name, " ") // like "src/main"
			certain = certain || !maybeName
		}
	}
	if certain || maybeName {
		return refused()
	}
	t.b.Warnings = append(t.b.Warnings, warning.Fence.Say("line %d: the input ends in the fence after an empty REPLACE",
		t.b.Lines[1]))
	return nil
}

// isRemark reports whether a line below a blank line is a remark on the block above: a sentence,
// perhaps with code in it, or a list item ("Now update the tests.", "- Renames `x`"). Other signs
// than those of prose show that the line is code. name is the block's file: in some files, a list
// item may also be text.
func isRemark(raw []byte, name string) bool {
	line := bytes.TrimSpace(mdline.WithoutCode(raw))
	item := bytes.HasPrefix(line, []byte("- ")) || bytes.HasPrefix(line, []byte("* "))
	line = bytes.Trim(bytes.TrimLeft(line, "-"), "* ")
	if len(line) == 0 || bytes.ContainsFunc(line, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(" ,.:;!?'’“”`-–—/_()\"#*…", c)
	}) {
		return false
	}
	words, last := len(bytes.Fields(line)), line[len(line)-1]
	first, _ := utf8.DecodeRune(line)
	if item {
		return !listsItems(name) && (unicode.IsLetter(first) || first == '`') && words > 1 && last != ';'
	}
	return (unicode.IsUpper(first) || first == '`') && words > 2 && strings.IndexByte(".:!?", last) >= 0
}

// listsItems reports whether a file called name may contain lines that look like list items.
func listsItems(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case "", ".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc", ".org", ".yml", ".yaml":
		return true
	}
	return false
}

// offerName adds the name directly below a block, or below its fence, to the block's names if the
// block has inherited its file. The name counts only if the input ends below it, or text that
// begins with a letter and is not a name follows. Otherwise the name may be that of the next edit.
func (t *textBelow) offerName() {
	if !t.b.Inherited {
		return
	}
	rest := t.in.buf[t.from:]
	if t.ctx.top() != nil {
		if !t.ctx.closesFence(rest) {
			return
		}
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	line, rest, _ := bytes.Cut(rest, []byte("\n"))
	name, strength := filename.OfLine(line)
	if strength < filename.Plain || name == t.b.Path {
		return
	}
	next, _, _ := bytes.Cut(bytes.TrimLeft(rest, " \t\r\n"), []byte("\n"))
	first, _ := utf8.DecodeRune(next)
	if _, strength := filename.OfLine(next); len(next) == 0 || unicode.IsLetter(first) && strength < filename.Plain {
		t.b.Names = append([]Name{{Text: name, Near: true}}, t.b.Names...)
	}
}
