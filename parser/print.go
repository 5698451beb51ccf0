package parser

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Format returns blocks as a reply. Parsing the reply gives the same operations, paths, sides of the
// first reading, and hints. Format uses the markers of each block's dialect, or aider's if the
// dialect has none. The markers are longer than those in the content; if that is impossible, the
// content is escaped. Deletions and moves become V4A patches. If a block can't be written in either
// form, Format returns an error.
func Format(blocks []Block) ([]byte, error) {
	var out bytes.Buffer
	for i := range blocks {
		if err := formatBlock(&out, &blocks[i]); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// formatBlock writes a block after checking that it can be read back. If it can't, formatBlock
// returns an error and writes nothing.
func formatBlock(out *bytes.Buffer, b *Block) error {
	d, ok := fsm.DialectNamed(b.Dialect)
	if !ok {
		d = fsm.Aider
	}
	var text bytes.Buffer
	switch b.Op {
	case OpDelete:
		text.WriteString("*** Begin Patch\n*** Delete File: " + b.Path + "\n*** End Patch\n\n")
	case OpMove:
		text.WriteString("*** Begin Patch\n*** Update File: " + b.Path +
			"\n*** Move to: " + b.NewPath + "\n*** End Patch\n\n")
	default:
		if b.Path != "" {
			text.WriteString(nameText(b.Path) + "\n")
		}
		fence := strings.Repeat("`", max(3, 1+max(longestFence(b.Search), longestFence(b.Replace))))
		text.WriteString(fence + "\n")
		writeMarked(&text, d, b)
		text.WriteString(fence + "\n\n")
	}
	got := Parse(text.Bytes())
	if len(got.Blocks) != 1 || len(got.Diagnostics) > 0 || !envelope.Same(&got.Blocks[0], b) {
		return fmt.Errorf("block %d: the %s of %q cannot be written as a block", b.ID, b.Op, b.Path)
	}
	out.Write(text.Bytes())
	return nil
}

// writeMarked writes the lines of a block, from its opener to its closer.
func writeMarked(out *bytes.Buffer, d fsm.Dialect, b *Block) {
	length, escape := markers(d, b)
	formatHead(out, d, length, b)
	formatSide(out, b.Search, escape)
	out.WriteString(d.Divider(length) + "\n")
	formatSide(out, b.Replace, escape)
	out.WriteString(d.Closer(length) + "\n")
}

// nameText returns a line that is read as the file name path.
func nameText(path string) string {
	if got, how := filename.OfLine([]byte(path)); how >= filename.Plain && got == path {
		return path
	}
	return "File: `" + path + "`"
}

// formatHead writes the opener and the hints. In Roo's and the tentative dialects, or without a
// start line, each hint is on a line below the opener; otherwise the hints are on its line.
func formatHead(out *bytes.Buffer, d fsm.Dialect, length int, b *Block) {
	out.WriteString(d.Opener(length))
	switch {
	case b.Dialect == "roo" || d.Tentative() || b.StartLine == 0:
		out.WriteByte('\n')
		if b.StartLine > 0 {
			fmt.Fprintf(out, ":start_line:%d\n", b.StartLine)
		}
		if b.EndLine > 0 {
			fmt.Fprintf(out, ":end_line:%d\n", b.EndLine)
		}
		if b.StartLine > 0 || b.EndLine > 0 {
			out.WriteString("-------\n")
		}
	case b.EndLine > 0:
		fmt.Fprintf(out, " (%d-%d)\n", b.StartLine, b.EndLine)
	default:
		fmt.Fprintf(out, " line:%d\n", b.StartLine)
	}
}

// markers returns the length of the markers and whether the content has to be escaped. It prefers
// markers longer than any in the content. If that is impossible, it returns the usual length and
// true.
func markers(d fsm.Dialect, b *Block) (length int, escape bool) {
	longest := 0
	for _, side := range [...][]byte{b.Search, b.Replace} {
		first := true
		for line := range bytes.Lines(side) {
			switch k := fsm.Classify(line); k.Kind {
			case fsm.Escaped:
				escape = true
			case fsm.Hint, fsm.Separator: // above the text, it would be read as part of the head
				escape = escape || first
			case fsm.Text, fsm.NearOpener: // inside a block, a near-opener is text
			default:
				longest = max(longest, k.Length)
			}
			first = false
		}
	}
	length = 7
	if longest > 0 {
		length = max(length, longest) + 1
	}
	if escape || length > d.MaxLength() {
		return 7, true
	}
	return length, false
}

// formatSide writes SEARCH or REPLACE. If escape is set, lines that would be read as markers or as
// escaped markers get a backslash.
func formatSide(out *bytes.Buffer, side []byte, escape bool) {
	for line := range bytes.Lines(side) {
		switch k := fsm.Classify(line); {
		case !escape, k.Kind == fsm.Text:
		case k.Kind == fsm.NearOpener: // inside a block, it is text
		case k.Kind == fsm.Escaped && len(k.Prefix) > 0: // an indented backslash is no escape
		default:
			out.WriteByte('\\')
		}
		out.Write(line)
	}
}

// longestFence returns the length of the longest backtick fence in the text.
func longestFence(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if m, ok := mdline.ParseFence(line); ok && m.Char == '`' {
			n = max(n, m.Length)
		}
	}
	return n
}
