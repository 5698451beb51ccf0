package eval

import (
	"fmt"
	"slices"
	"strings"
)

// A slip makes the block differ from its file. It notes its variant, and reports whether it could
// be made with the right result still certain.
type slip func(g *gen, d *draft) bool

// on makes the slip. It returns d, or nil if the slip couldn't be made.
func (s slip) on(g *gen, d *draft) *draft {
	if s(g, d) {
		return d
	}
	return nil
}

// anyOf picks one of the slips.
func (g *gen) anyOf(slips ...slip) slip { return pick(g.rng, slips) }

// commonIndent returns the indentation that all lines of the block share.
func (d *draft) commonIndent() string {
	return sharedIndent(slices.Concat(d.search(), d.replace()))
}

func dedentAll(g *gen, d *draft) bool {
	common := d.commonIndent()
	d.note("dedent_all")
	return common != "" && d.bend(every, func(l string) string { return strings.TrimPrefix(l, common) })
}

// indentShift shifts the whole block by a level or part of one.
func indentShift(g *gen, d *draft) bool {
	d.note("indent_shift")
	by := pick(g.rng, []string{d.src.unit, d.src.unit, "  ", "    "})
	if d.src.unit == "\t" && by != "\t" && g.chance(0.7) {
		by = "\t"
	}
	if g.chance(0.5) {
		if common := d.commonIndent(); common != by && strings.HasPrefix(common, by) {
			return d.bend(every, func(l string) string { return strings.TrimPrefix(l, by) })
		}
	}
	return d.bend(every, deeper(by))
}

// searchDedented takes the shared indentation off SEARCH alone. A line that REPLACE keeps shows how
// much that is.
func searchDedented(_ *gen, d *draft) bool {
	d.note("search_dedented")
	in := sharedIndent(d.search())
	for i := range d.rows {
		d.rows[i].search = strings.TrimPrefix(d.rows[i].search, in)
	}
	return in != "" && sharedIndent(d.replace()) == in &&
		d.some(func(r row) bool { return r.op == kept && telling(r.text) })
}

// levelOff indents a line of SEARCH by a level too many. The lines above and below it are right.
func levelOff(g *gen, d *draft) bool {
	d.note("level_off")
	at := d.where(func(r row) bool { return r.op.search && telling(r.text) })
	if len(at) < 3 {
		return false
	}
	r := &d.rows[pick(g.rng, at[1:len(at)-1])]
	r.search = d.src.unit + r.search
	return true
}

// sharedIndent returns the indentation shared by all lines that are not blank.
func sharedIndent(lines []string) string {
	shared, first := "", true
	for _, l := range lines {
		if blank(l) {
			continue
		}
		in := indentOf(l)
		if first {
			shared, first = in, false
		}
		for !strings.HasPrefix(in, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	return shared
}

// deeper indents lines that are not blank.
func deeper(by string) func(string) string {
	return func(l string) string {
		if blank(l) {
			return l
		}
		return by + l
	}
}

// tabsSpaces writes the file's tabs as spaces, or its spaces as tabs.
func tabsSpaces(g *gen, d *draft) bool {
	from, to := "\t", strings.Repeat(" ", pick(g.rng, []int{2, 4, 4, 8}))
	if d.src.unit != "\t" {
		from, to = d.src.unit, "\t"
	}
	d.note(fmt.Sprintf("%s_to_%s", nameBlank(from), nameBlank(to)))
	known := false
	for _, r := range d.rows {
		in := indentOf(r.text)
		if blank(r.text) {
			continue
		}
		if r.op.search && in != "" {
			known = true
		}
		if strings.Trim(in, from) != "" || len(in)%len(from) != 0 {
			return false
		}
	}
	return known && d.bend(every, func(l string) string {
		in := indentOf(l)
		return strings.ReplaceAll(in, from, to) + l[len(in):]
	})
}

func nameBlank(s string) string {
	if s == "\t" {
		return "tabs"
	}
	return fmt.Sprintf("w%d", len(s))
}

// trailingAdded puts blanks at the ends of some or all lines from the file.
func trailingAdded(g *gen, d *draft) bool {
	p, v := 1.0, "trailing_added_all"
	if g.chance(0.6) {
		p, v = 0.3, "trailing_added_some"
	}
	d.note(v)
	// Blanks at the ends of added lines could be meant.
	if d.some(func(r row) bool {
		return r.op == added && strings.TrimRight(r.text, " \t") != r.text
	}) {
		return false
	}
	tail := pick(g.rng, []string{" ", "  ", "\t"})
	return d.bend(func(r row) bool { return old(r) && g.chance(p) }, func(l string) string { return l + tail })
}

// trailingLost gives the file blanks at line ends that the block lacks.
func trailingLost(g *gen, d *draft) bool {
	d.note("trailing_lost")
	tail := pick(g.rng, []string{" ", "  ", "\t"})
	n := 0
	for i := range d.rows {
		if r := &d.rows[i]; r.op.before && g.chance(0.4) {
			r.text += tail
			n++
		}
	}
	return n > 0
}

// innerWidened doubles blanks inside lines.
func innerWidened(g *gen, d *draft) bool {
	d.note("inner_widened")
	p := 0.2 + 0.6*g.rng.Float64()
	return d.bend(old, g.onSome(p, func(l string) string {
		in := indentOf(l)
		return in + strings.Replace(l[len(in):], " ", "  ", g.between(1, 3))
	}))
}

// innerCollapsed joins runs of blanks inside lines.
func innerCollapsed(g *gen, d *draft) bool {
	d.note("inner_collapsed")
	return d.bend(old, func(l string) string {
		in := indentOf(l)
		rest := l[len(in):]
		for strings.Contains(rest, "  ") {
			rest = strings.ReplaceAll(rest, "  ", " ")
		}
		return in + rest
	})
}

// innerTabs gives the file tabs inside lines where the block has blanks.
func innerTabs(g *gen, d *draft) bool {
	d.note("inner_tabs")
	n := 0
	for i := range d.rows {
		r := &d.rows[i]
		in := len(indentOf(r.text))
		k := strings.LastIndexByte(r.text, ' ')
		if r.op == kept && k > in && g.chance(0.5) && !strings.ContainsAny(r.text, "\"'`") {
			r.text = r.text[:k] + "\t" + r.text[k+1:]
			n++
		}
	}
	return n > 0
}

// onSome applies f to a share p of the lines, the same ones in SEARCH and REPLACE.
func (g *gen) onSome(p float64, f func(string) string) func(string) string {
	chosen := map[string]string{}
	return func(l string) string {
		if to, ok := chosen[l]; ok {
			return to
		}
		to := l
		if g.chance(p) {
			to = f(l)
		}
		chosen[l] = to
		return to
	}
}

// blankAdded invents a blank line inside the block.
func blankAdded(g *gen, d *draft) bool {
	d.note("blank_added")
	at := d.loose(func(r row) bool { return !blank(r.text) })
	for len(at) > 0 {
		i := pick(g.rng, at)
		if !blank(d.rows[i-1].text) {
			d.rows = slices.Insert(d.rows, i, rowOf(invented, ""))
			return true
		}
		at = slices.DeleteFunc(at, func(k int) bool { return k == i })
	}
	return false
}

// blankDropped leaves out a blank line of the file.
func blankDropped(g *gen, d *draft) bool {
	d.note("blank_dropped")
	at := d.loose(func(r row) bool { return blank(r.text) })
	if len(at) == 0 {
		return false
	}
	d.rows[pick(g.rng, at)].op = unsaid
	return true
}

// leadingBlank begins the block with a blank line that the file lacks.
func leadingBlank(g *gen, d *draft) bool {
	if len(d.above) == 0 || blank(d.above[len(d.above)-1]) || d.rows[0].op != kept {
		return false
	}
	o, v := invented, "leading_blank_both"
	if g.chance(0.4) {
		o, v = misread, "leading_blank_search"
	}
	d.note(v)
	d.rows = slices.Insert(d.rows, 0, rowOf(o, ""))
	return true
}

// smartQuotes makes straight quotes curly.
func smartQuotes(g *gen, d *draft) bool {
	if d.some(func(r row) bool { return strings.ContainsAny(r.text, "“”‘’–—\u00a0") }) {
		return false
	}
	where, v := old, "quotes"
	if g.chance(0.5) && !d.newChars("\"'") {
		where, v = every, "quotes_plus"
	}
	d.note(v)
	return d.bend(where, curly)
}

func curly(l string) string {
	var b strings.Builder
	open := false
	for i, r := range l {
		switch {
		case r == '"' && open:
			b.WriteString("”")
			open = false
		case r == '"':
			b.WriteString("“")
			open = true
		case r == '\'' && i > 0 && wordRune(rune(l[i-1])):
			b.WriteString("’")
		case r == '\'':
			b.WriteString("‘")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// sideHas reports whether a line that isn't added (or, with fresh, an added one) has one of the
// characters.
func (d *draft) sideHas(chars string, fresh bool) bool {
	return d.some(func(r row) bool {
		return (r.op == added) == fresh && strings.ContainsAny(r.text, chars)
	})
}

// newChars reports whether only added lines have one of the characters.
func (d *draft) newChars(chars string) bool {
	for _, c := range chars {
		if d.sideHas(string(c), true) && !d.sideHas(string(c), false) {
			return true
		}
	}
	return false
}

// fullWidth writes the punctuation of kept comments in its East Asian form.
func fullWidth(g *gen, d *draft) bool {
	d.note("full_width")
	return d.bend(func(r row) bool {
		return r.op == kept && isComment(d.src, r.text) &&
			len(r.text) > 20
	}, func(l string) string {
		in := len(indentOf(l)) + len(strings.TrimSpace(d.src.lang.comment))
		if in >= len(l) {
			return l
		}
		return l[:in] + strings.NewReplacer(", ", "，", ": ", "：", "(", "（", ")", "）").Replace(l[in:])
	})
}

// dashes turns hyphens between words into dashes, on lines from the file.
func dashes(g *gen, d *draft) bool {
	d.note("dashes")
	return d.bend(old, func(l string) string { return strings.NewReplacer(" -- ", " — ", " - ", " – ").Replace(l) })
}

// nbsp turns some blanks into no-break spaces.
func nbsp(g *gen, d *draft) bool {
	if d.some(func(r row) bool { return strings.Contains(r.text, "\u00a0") }) {
		return false
	}
	where, v := old, "nbsp"
	if g.chance(0.3) {
		where, v = every, "nbsp_plus"
	}
	d.note(v)
	return d.bend(where, g.onSome(0.5, func(l string) string {
		in := indentOf(l)
		return in + strings.Replace(l[len(in):], " ", "\u00a0", g.between(1, 3))
	}))
}

// entities writes & < > " as HTML entities.
func entities(g *gen, d *draft) bool {
	if d.some(func(r row) bool {
		return strings.Contains(r.text, "&") && strings.Contains(r.text, ";")
	}) {
		return false
	}
	rep := []string{"&", "&amp;", "<", "&lt;", ">", "&gt;"}
	if g.chance(0.4) {
		rep = append(rep, `"`, "&quot;")
	}
	where, v := every, "html_entities_plus"
	if g.chance(0.3) {
		where, v = old, "html_entities"
	}
	d.note(v)
	return d.bend(where, strings.NewReplacer(rep...).Replace)
}

// overescapedQuotes puts a backslash before each double quote.
func overescapedQuotes(g *gen, d *draft) bool {
	if d.sideHas(`\`, false) || d.sideHas(`\`, true) {
		return false
	}
	return overescaped(g, d, "quote", strings.NewReplacer(`"`, `\"`))
}

// overescapedBackslashes doubles backslashes.
func overescapedBackslashes(g *gen, d *draft) bool {
	// Next to doubled backslashes, one that the file doubles itself could be read either way.
	if d.some(func(r row) bool {
		return strings.Contains(r.text, `\\`) || strings.HasSuffix(r.text, `\`)
	}) {
		return false
	}
	return overescaped(g, d, "backslash", strings.NewReplacer(`\`, `\\`))
}

func overescaped(g *gen, d *draft, what string, escape *strings.Replacer) bool {
	where, v := every, "_plus"
	if g.chance(0.35) {
		where, v = old, ""
		if d.sideHas(`\`, true) {
			return false // only some escapes would be undone
		}
	}
	d.note("overescaped_" + what + v)
	return d.bend(where, escape.Replace)
}

// lineNumbers copies the line numbers of a listing into the block.
func lineNumbers(g *gen, d *draft) bool {
	format := pick(g.rng, []string{"%d | ", "%d|", "%4d: ", "%4d | ", "%d\t", "%6d\t"})
	both := g.chance(0.5)
	d.note(fmt.Sprintf("line_numbers_%q", format))
	if both {
		d.note("both")
	}
	s, r := d.line(), d.line()
	for i := range d.rows {
		x := &d.rows[i]
		if x.op.search {
			x.search = fmt.Sprintf(format, s) + x.search
			s++
		}
		if x.op.replace && both {
			x.replace = fmt.Sprintf(format, r) + x.replace
			r++
		}
	}
	return true
}

// missingLine leaves out a line that the edit does not touch.
func missingLine(g *gen, d *draft) bool {
	at := d.loose(func(r row) bool { return !blank(r.text) })
	if len(at) == 0 {
		return false
	}
	d.note("missing_line")
	d.rows[pick(g.rng, at)].op = unsaid
	return true
}

// missingLines leaves out two or three lines in a row.
func missingLines(g *gen, d *draft) bool {
	d.note("missing_lines")
	at := d.loose(func(row) bool { return true })
	at = slices.DeleteFunc(at, func(i int) bool { return !slices.Contains(at, i+1) })
	if len(at) == 0 || len(d.rows) < 10 {
		return false
	}
	i := pick(g.rng, at)
	n := 2
	if len(d.rows) > 14 && d.rows[i+2].op == kept && !d.touchesEdit(i+2) && i+2 < len(d.rows)-1 && g.chance(0.5) {
		n = 3
	}
	for k := range n {
		d.rows[i+k].op = unsaid
	}
	return true
}

// commentsLeftOut leaves out all comments away from the edit.
func commentsLeftOut(g *gen, d *draft) bool {
	d.note("comments_left_out")
	at := d.loose(func(r row) bool { return isComment(d.src, r.text) })
	for _, i := range at {
		d.rows[i].op = unsaid
	}
	return len(at) > 0 && 3*len(at) <= len(d.rows)
}

// extraLine invents a line away from the edit.
func extraLine(g *gen, d *draft) bool {
	at := d.loose(func(r row) bool { return true })
	if len(at) == 0 {
		return false
	}
	i := pick(g.rng, at)
	in := d.indentAfter(i - 1)
	lang := d.src.lang
	l, v := in+lang.comment+"the "+g.word()+" of the "+g.word()+lang.commentEnd, "extra_comment"
	if g.chance(0.4) {
		l, v = g.line(d, in), "extra_code"
	}
	d.note(v)
	d.rows = slices.Insert(d.rows, i, rowOf(invented, l))
	return true
}

// rightHint gives the block its line number.
func (d *draft) rightHint() {
	d.hint = d.line()
	d.note("hint")
}

// wrongHint gives the block a wrong line number.
func (g *gen) wrongHint(d *draft) {
	n := len(d.content())
	d.hint = g.between(1, n)
	if g.chance(0.3) {
		d.hint = n + g.between(10, 400) // past the end of the file
	}
	d.note("hint_wrong")
}
