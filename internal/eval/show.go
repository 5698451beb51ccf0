package eval

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/srpatch/srpatch/internal/unified"
)

// WriteCase prints a case and its outcome: the block, and how the result differs from the expected
// one.
func WriteCase(w io.Writer, c *Case, o Outcome) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n=== %s [%s] %s", c.ID, c.Variant, c.Path)
	if c.StartLine != 0 {
		fmt.Fprintf(&b, " line %d", c.StartLine)
	}
	fmt.Fprintf(&b, "\n%s\n", o.Note)
	if c.Reply != "" {
		b.WriteString(visible(c.Reply))
	} else {
		fmt.Fprintf(&b, "<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n", visible(c.Search), visible(c.Replace))
	}
	for _, p := range c.paths() {
		want, got := "refused", "refused"
		if c.Expected != nil {
			want = c.Expected[p]
		}
		if o.Files != nil {
			got = o.Files[p]
		}
		switch {
		case want == got:
		case c.Expected == nil:
			b.WriteString("--- should be refused, but this was applied:\n" + diffText(c.Files[p], got))
		case o.Files == nil:
			b.WriteString("--- expected:\n" + diffText(c.Files[p], want))
		default:
			b.WriteString("--- expected:\n" + diffText(c.Files[p], want) +
				"--- result compared with expected:\n" + diffText(want, got))
		}
	}
	if Miscorrected(c, o) {
		for _, x := range o.Corrected {
			b.WriteString("--- corrected block:\n" + visible(x.Text))
			if x.Files == nil {
				b.WriteString("--- this block is refused\n")
				continue
			}
			want := c.meanings()[0][c.Path]
			b.WriteString("--- its result compared with what was meant:\n" + diffText(want, x.Files[c.Path]))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// visible marks tabs, trailing blanks, carriage returns, no-break spaces and byte order marks.
func visible(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		l = strings.TrimSuffix(l, "\n")
		body := strings.TrimRight(l, " ")
		b.WriteString(strings.NewReplacer("\t", "→", "\r", "␍", "\u00a0", "⍽", "\ufeff", "<BOM>").Replace(body))
		b.WriteString(strings.Repeat("·", len(l)-len(body)) + "\n")
	}
	return b.String()
}

// diffText returns a diff of two texts.
func diffText(a, b string) string {
	var out bytes.Buffer
	change := unified.Change{Old: "file", New: "file", Before: []byte(a), After: []byte(b)}
	if err := unified.Format(&out, change); err != nil {
		return err.Error() + "\n"
	}
	_, hunks, _ := strings.Cut(out.String(), "@@")
	return visible("@@" + hunks)
}
