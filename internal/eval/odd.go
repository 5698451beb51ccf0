package eval

import "strings"

// odd texts mean something to regular expressions, replacement templates, printf, shells or HTML,
// and nothing to a block.
var odd = []string{`$&`, `$1${2}`, `$$`, `\1 \g<0>`, `s/\(a\)/\2/g`, `%s %d %%`,
	`^\s*(\w+)\.(\d+)$`, `C:\temp\new`, `\\host\share`,
	`{{ user.name }}`, `<%= value %>`, `&amp;&lt;b&gt;`, `a\nb\tc`, `'\''`, "`date`", `#{x}`,
	`\u00e9\x1b[0m`, `"""`, `/* x */`, `a\\b`,
	"a\tb", "\f", `a|b||c`, `<b>x</b>`, `[^\]]*`, `@@ -1,2 +1,2 @@`, `+added`, `--flag`, "\u200b", `?.!`, `*p++ = ~x;`}

// oddText files have such texts in and around the lines of the block, or a line of thousands of
// characters.
func oddText(g *gen, d *draft) *Case {
	changed := false
	for i := range d.rows {
		r := &d.rows[i]
		if blank(r.text) || !g.chance(0.35) {
			continue
		}
		*r = rowOf(r.op, g.oddLine(r.text))
		changed = true
	}
	v := choose(g, 0, []string{"odd", "odd", "odd", "long_line"})
	d.note(v)
	if v == "long_line" {
		i := g.rng.IntN(len(d.rows))
		if r := &d.rows[i]; !blank(r.text) {
			var b strings.Builder
			b.WriteString(r.text)
			for range g.between(150, 900) {
				b.WriteString(" " + g.word())
			}
			*r = rowOf(r.op, b.String())
			changed = true
		}
	}
	if !changed || d.repeatsPlace() || d.comesBackAs(squeeze) {
		return nil
	}
	if g.variant(1, 3) == 0 {
		return d.finish()
	}
	return g.finishHinted(g.anyOf(dedentAll, indentShift, tabsSpaces, trailingAdded, keptTypo, deletedTypo,
		blankDropped, missingLine, extraLine).on(g, d))
}

// oddLine inserts an odd text somewhere after the indentation.
func (g *gen) oddLine(l string) string {
	o := pick(g.rng, odd)
	in := len(indentOf(l))
	at := []int{len(l)}
	for i := in + 1; i < len(l); i++ {
		if l[i] == ' ' {
			at = append(at, i)
		}
	}
	i := pick(g.rng, at)
	return l[:i] + " " + o + l[i:]
}
