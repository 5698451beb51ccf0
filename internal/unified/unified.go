package unified

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Change is what happens to one file.
type Change struct {
	// Old and New are the file's names before and after, slash-separated. Old is empty for a
	// created file, New for a deleted one.
	Old, New      string
	Before, After []byte
	// Spans are the regions in which Before and After differ, in order, with at least one equal
	// byte between two of them. Only these are compared line by line. If Spans is nil, everything
	// is.
	Spans []Span
}

// Span is a region of the text before, and the region that takes its place: byte offsets, end
// exclusive.
type Span struct {
	BeforeStart, BeforeEnd int
	AfterStart, AfterEnd   int
}

// context is the number of unchanged lines around a change.
const context = 3

// Count returns the number of lines that a change adds and removes.
func Count(c Change) (added, removed int) {
	before, after := index(c.Before), index(c.After)
	for _, e := range before.edits(after, c.Spans) {
		added, removed = added+e.b1-e.b0, removed+e.a1-e.a0
	}
	return added, removed
}

// Regions returns the whole lines in which the two texts of a change differ, in order and apart.
func Regions(c Change) (regions []Span) {
	before, after := index(c.Before), index(c.After)
	for _, e := range before.edits(after, c.Spans) {
		regions = append(regions,
			Span{before.starts[e.a0], before.starts[e.a1], after.starts[e.b0], after.starts[e.b1]})
	}
	return regions
}

// Format writes the diff of one change, with "a/" and "b/" before the names. If nothing changes, it
// writes nothing.
func Format(w io.Writer, c Change) error {
	out := bufio.NewWriter(w)
	before, after := index(c.Before), index(c.After)
	edits := before.edits(after, c.Spans)
	if len(edits) > 0 || c.Old != c.New {
		c.header(out, len(edits) > 0)
	}
	for len(edits) > 0 {
		n := 1 // how many edits are so close that their context lines meet
		for n < len(edits) && edits[n].a0-edits[n-1].a1 <= 2*context {
			n++
		}
		hunk(out, before, after, edits[:n])
		edits = edits[n:]
	}
	return out.Flush()
}

// header writes the lines above the hunks. text says that there are hunks, because the text changes
// as well as the name. The file's mode is unknown here, so new files are regular ones.
func (c Change) header(w io.Writer, text bool) {
	from, to := c.Old, c.New
	if from == "" {
		from = c.New
	}
	if to == "" {
		to = c.Old
	}
	// If patch has no other line to take a name with blanks from, it needs the quotes. Git doesn't
	// mind them.
	blanks := !text || from != to
	fmt.Fprintf(w, "diff --git %s %s\n", name("a/"+from, blanks), name("b/"+to, blanks))
	switch {
	case c.Old == "":
		fmt.Fprint(w, "new file mode 100644\n")
	case c.New == "":
		fmt.Fprint(w, "deleted file mode 100644\n")
	case from != to:
		fmt.Fprintf(w, "rename from %s\nrename to %s\n", name(from, false), name(to, false))
	}
	if text {
		fmt.Fprintf(w, "--- %s\n+++ %s\n", side("a/", c.Old), side("b/", c.New))
	}
}

// name returns a path as git writes it: quoted in C style if it has quotes, backslashes or control
// characters, or, if blanks is set, blanks.
func name(path string, blanks bool) string {
	odd := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7F || blanks && r == ' ' }
	if !strings.ContainsFunc(path, odd) {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7F:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// side returns the name of one side for the line above the hunks that starts with --- or +++. Like
// git, it puts a tab after a name with blanks, which patch would otherwise cut off. A path "" is an
// absent file.
func side(prefix, path string) string {
	if path == "" {
		return "/dev/null"
	}
	path = name(prefix+path, false)
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}

// hunk writes edits that are close to each other as one hunk, with the lines between and around
// them.
func hunk(w *bufio.Writer, before, after text, edits []edit) {
	first, last := edits[0], edits[len(edits)-1]
	lead := min(context, first.a0)
	tail := min(context, before.len()-last.a1)
	fmt.Fprintf(w, "@@ -%s +%s @@\n",
		extent(first.a0-lead, last.a1+tail), extent(first.b0-lead, last.b1+tail))
	at := first.a0 - lead
	for _, e := range edits {
		before.write(w, ' ', at, e.a0)
		before.write(w, '-', e.a0, e.a1)
		after.write(w, '+', e.b0, e.b1)
		at = e.a1
	}
	before.write(w, ' ', at, last.a1+tail)
}

// extent returns the range of lines from start (0-based) to end for a hunk header: the first line,
// 1-based, and the number of lines unless that is 1. An empty range names the line before it.
func extent(start, end int) string {
	switch n := end - start; n {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprintf("%d", start+1)
	default:
		return fmt.Sprintf("%d,%d", start+1, n)
	}
}

// write writes the lines from first to end, each after a mark.
func (t text) write(w *bufio.Writer, mark byte, first, end int) {
	for i := first; i < end; i++ {
		line := t.line(i)
		w.WriteByte(mark)
		w.Write(line)
		if !bytes.HasSuffix(line, []byte{'\n'}) {
			w.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
