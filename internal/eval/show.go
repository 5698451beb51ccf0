package eval

import (
	"fmt"
	"io"
	"strings"
)

// WriteCase prints a case with its outcome for a reader: the block, and how the result differs from what was expected.
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
			b.WriteString("--- refusing was right, but this was done:\n" + diffText(c.Files[p], got))
		case o.Files == nil:
			b.WriteString("--- expected:\n" + diffText(c.Files[p], want))
		default:
			b.WriteString("--- expected:\n" + diffText(c.Files[p], want) + "--- result against expected:\n" + diffText(want, got))
		}
	}
	for _, x := range c.Offers {
		b.WriteString("--- to be offered:\n" + diffText(c.Files[c.Path], x[c.Path]))
	}
	if len(c.Offers) > 0 {
		for _, x := range o.Corrected {
			b.WriteString("--- corrected block:\n" + visible(x.Text))
		}
	}
	if Miscorrected(c, o) {
		for _, x := range o.Corrected {
			b.WriteString("--- corrected block:\n" + visible(x.Text))
			if x.Files == nil {
				b.WriteString("--- which is refused\n")
				continue
			}
			want := c.meanings()[0][c.Path]
			b.WriteString("--- its result against what was meant:\n" + diffText(want, x.Files[c.Path]))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// visible shows tabs, trailing blanks, carriage returns and no-break spaces.
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

// diffText shows the region in which two texts differ, with two lines around it.
func diffText(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	top := 0
	for top < len(x) && top < len(y) && x[top] == y[top] {
		top++
	}
	end := 0
	for end < len(x)-top && end < len(y)-top && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	var out strings.Builder
	from := max(0, top-2)
	fmt.Fprintf(&out, "@@ line %d @@\n", from+1)
	put := func(sign string, lines []string) {
		for _, l := range lines {
			out.WriteString(sign + strings.TrimSuffix(visible(l), "\n") + "\n")
		}
	}
	put(" ", x[from:top])
	inner(x[top:len(x)-end], y[top:len(y)-end], put)
	put(" ", x[len(x)-end:min(len(x), len(x)-end+2)])
	return out.String()
}

// inner prints a line diff of the differing region by the longest common subsequence, plainly for regions too large.
func inner(x, y []string, put func(string, []string)) {
	if len(x)*len(y) > 1<<22 {
		put("-", x)
		put("+", y)
		return
	}
	t := make([][]int, len(x)+1)
	for i := range t {
		t[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				t[i][j] = t[i+1][j+1] + 1
			} else {
				t[i][j] = max(t[i+1][j], t[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			put(" ", x[i:i+1])
			i, j = i+1, j+1
		case i < len(x) && (j == len(y) || t[i+1][j] >= t[i][j+1]):
			put("-", x[i:i+1])
			i++
		default:
			put("+", y[j:j+1])
			j++
		}
	}
}
