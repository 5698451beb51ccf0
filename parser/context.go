package parser

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// binding says which file a block is for, judging by the text around it.
type binding struct {
	path      string
	names     []Name
	inherited bool   // path comes from the previous block
	label     string // a word that labels the block, if nothing near names its file
	direct    bool   // path is next to the block
	line      int    // number of the line that names path; 0 if there is none
	doubt     bool   // path may not be a file name, see filename.IsDoubtful
}

// applyTo sets a block's file, its other possible names and its label. If the block creates a file
// and the path may not be a file name, the path becomes only a possible name.
func (b *binding) applyTo(block *Block) {
	block.Path, block.Names, block.Inherited = b.path, slices.Concat(block.Names, b.names), b.inherited
	if b.label != "" {
		block.Labels = []string{b.label}
	}
	if b.doubt && block.Op == OpCreate {
		block.Path, block.Names, block.Inherited = "", []Name{{Text: b.path, Near: true}}, false
	}
}

// heading is the last heading that consists of a file name or mentions files.
type heading struct {
	level int
	path  string
	doubt bool
	names []string
}

// maxLinesAbove is how many lines above a block are searched for its name.
const maxLinesAbove = 12

// context is what the text above a block says about it: the fences around it, the heading above it,
// and the names of earlier blocks.
type context struct {
	in  *lines
	req *request

	outside         int // offset of the first line after the last block; names before it don't count
	fences          []fence
	doc             hereDocument
	names           filename.Memo
	heading         heading
	element         element
	inherited       string
	inheritedNames  []Name // names offered for the block that set inherited
	inheritedLabels []string
}

// bind finds the file of the block whose opener is k, in the line at: the nearest name above it,
// inside the fence, in its info string or above it; otherwise the heading above it; otherwise the
// file of the previous block. Names within prose are only candidates.
func (c *context) bind(k fsm.Mark, at fsm.Pos) binding {
	if c.req.bare {
		return binding{}
	}
	if len(k.Rest) > 0 { // the opener's line names the file
		name, strength := filename.OfLine(k.Rest)
		if strength < filename.Plain {
			name = string(k.Rest)
		}
		return binding{path: name, direct: true}
	}
	var b binding
	var w filename.Found
	w.Search(c.linesAbove(at.Start), k.Prefix, &c.names)
	b.path = w.Path
	switch {
	case b.path != "":
		b.direct = w.Prose == 0
		b.line = at.Line - w.Above
		b.doubt = w.Doubt
	case c.heading.path != "":
		b.path, b.doubt = c.heading.path, c.heading.doubt
	default:
		b.path, b.inherited = c.inherited, c.inherited != ""
		near := !w.Named() // a heading or a label counts less than a file named above the block
		if near {
			b.label = w.Label
		}
		for _, name := range c.heading.names {
			w.Add(Name{Text: name, Near: near})
		}
		for _, n := range c.inheritedNames {
			w.Add(n)
		}
		b.names = w.Names
		return b
	}
	b.names = slices.DeleteFunc(w.Names, func(n Name) bool { return n.Text == b.path })
	return b
}

// fenceName returns the file that is named next to a fence, or "" if there is none. doubt says that
// path may not be a file name.
func (c *context) fenceName(f *fence) (path string, doubt bool) {
	if c.req.bare {
		return "", false
	}
	var w filename.Found
	w.SearchNext(c.linesAbove(f.text), &c.names)
	return cmp.Or(w.Path, c.req.file), w.Doubt
}

// inherit records a block's path and, unless the block names its file itself, its candidates for
// the next block. inherited says that path comes from the previous block. path is "" if no file is
// known.
func (c *context) inherit(path string, names []Name, inherited bool) {
	c.inherited = cmp.Or(path, c.inherited)
	if path != "" && !inherited {
		c.inheritedNames = c.inheritedNames[:0]
		return
	}
	// The names above this block are nearer than inherited ones; names contains both.
	c.inheritedNames = c.inheritedNames[:0]
	for _, n := range names {
		n.Inherited = true
		c.inheritedNames = append(c.inheritedNames, n)
	}
}

// inheritLabels adds the labels of earlier blocks to a block that names no file, back to the last
// block that names one. A block with candidates but without a label ends the series, too.
func (c *context) inheritLabels(b *Block) {
	if b.Path != "" && !b.Inherited || len(b.Labels) == 0 && len(b.Names) > 0 {
		b.Labels, c.inheritedLabels = nil, nil
		return
	}
	b.Labels = append(b.Labels, c.inheritedLabels...)
	c.inheritedLabels = b.Labels[:min(len(b.Labels), filename.MaxNames)]
}

// linesAbove returns the lines before the offset, nearest first, back to the last block, at most
// maxLinesAbove.
func (c *context) linesAbove(offset int) [][]byte {
	low := max(c.outside, offset-lookBack, 0)
	lines := make([][]byte, 0, maxLinesAbove)
	for offset > low && len(lines) < maxLinesAbove {
		i := bytes.LastIndexByte(c.in.buf[low:offset-1], '\n')
		if i < 0 && low > c.outside {
			break // the line begins before the searched text
		}
		start := low + i + 1
		lines = append(lines, c.in.buf[start:offset])
		offset = start
	}
	return lines
}

// headingLine records a heading that consists of a file name or, below no such heading, mentions
// files. It applies until the next heading of the same or a higher level, or the next file name.
func (c *context) headingLine(raw []byte) {
	if c.req.bare || len(raw) == 0 || raw[0] != '#' || c.top() != nil { // in a fence, "#" is text
		return
	}
	level := len(raw) - len(bytes.TrimLeft(raw, "#"))
	if level < len(raw) && raw[level] != ' ' { // "#define"
		return
	}
	if name, strength := filename.OfLine(raw); strength >= filename.Plain {
		c.heading = heading{level: level, path: name, doubt: filename.IsDoubtful(raw, name)}
	} else if level <= c.heading.level {
		c.heading = heading{}
	}
	if c.heading.path == "" && bytes.IndexByte(raw, '.') >= 0 {
		if names := slices.Collect(filename.InProse(raw)); len(names) > 0 {
			c.heading = heading{level: level, names: names}
		}
	}
}

// labelAbove returns the line above the one at offset, or the line above that one if the first is
// blank. It returns nil if there are no such lines after the last block.
func (c *context) labelAbove(offset int) []byte {
	for i, line := range c.linesAbove(offset) {
		if i == 2 {
			break
		}
		if !text.Blank(line) {
			return line
		}
	}
	return nil
}

// otherAction returns a diagnostic if a tag above an edit requests another action than the edit
// performs, such as <action>insert_after</action>; otherwise nil. Only other tags and fences may
// come between the tag and the edit, which begins at offset, in the given line.
func (c *context) otherAction(offset, line int, edit *Block) *Diagnostic {
	if c.req.bare {
		return nil
	}
	for _, above := range c.linesAbove(offset) {
		tag, other := envelope.ActionOfTag(above, edit)
		if other {
			return &Diagnostic{Code: diagnosis.Unsupported, Line: line, Found: mdline.Excerpt(above),
				Expected: envelope.ExpectedReplacement, Remedy: envelope.RemedyReplacement}
		}
		if _, fence := mdline.ParseFence(above); !tag && !fence {
			break
		}
	}
	return nil
}
