package eval

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// gen makes one case. Its random source decides everything.
type gen struct {
	rng   *rand.Rand
	trees []*Tree
	// lot chooses the variant of a case. It stays the same over many attempts, so that variants
	// that fit few places are as frequent as those that fit everywhere.
	lot uint64
}

// variant returns a number below n, the same for all attempts with one lot. Each level is an
// independent choice.
func (g *gen) variant(level, n int) int { return int(g.lot>>(8*level)&0xff) * n >> 8 }

// choose picks by [gen.variant].
func choose[T any](g *gen, level int, of []T) T { return of[g.variant(level, len(of))] }

func (g *gen) chance(p float64) bool { return g.rng.Float64() < p }

// between returns a number from lo to hi, inclusive.
func (g *gen) between(lo, hi int) int { return lo + g.rng.IntN(hi-lo+1) }

// source picks a tree, then one of its files.
func (g *gen) source() *source { return pick(g.rng, pick(g.rng, g.trees).sources) }

// ask says what edit a kind needs to start from.
type ask struct {
	min, max int                // lines of the window
	ops      int                // separate changes; 0 means one to three
	fits     func(*source) bool // nil means any
	// margin limits how similar, 0 to 1, another place of the file may be; 0 means the default.
	margin float64
	// edges asks for a kept, distinctive line at both ends.
	edges  bool
	insert bool // lines are only added
	remove bool // lines are only deleted
	swap   bool // lines are replaced, so some are deleted
}

// edit returns an edit whose rows match a file. It tries one place, and returns nil if that doesn't
// fit.
func (g *gen) edit(a ask) *draft { return g.editOf(g.source(), a) }

// editOf is edit for a given file.
func (g *gen) editOf(s *source, a ask) *draft {
	if a.fits != nil && !a.fits(s) {
		return nil
	}
	n := g.between(a.min, a.max)
	d, start := g.anyWindow(s, n)
	if d == nil {
		return nil
	}
	ops := a.ops
	if ops == 0 {
		ops = 1
		if n >= 8 {
			ops = g.between(1, 3)
		}
	}
	for range ops {
		g.change(d, a)
	}
	return g.judge(d, start, start+n, a)
}

// window returns lines [start, end) as kept rows, or nil if they begin or end with a blank line, as
// blocks rarely do.
func (g *gen) window(s *source, start, end int) *draft {
	if blank(s.lines[start]) || blank(s.lines[end-1]) {
		return nil
	}
	return &draft{src: s, above: s.lines[:start:start], below: s.lines[end:], rows: rowsOf(kept, s.lines[start:end])}
}

// anyWindow returns a window of n lines of s and its start, or nil if s is too short or window
// returns nil.
func (g *gen) anyWindow(s *source, n int) (d *draft, start int) {
	if n >= len(s.lines) {
		return nil, 0
	}
	start = g.rng.IntN(len(s.lines) - n + 1)
	return g.window(s, start, start+n), start
}

// judge returns d if it changes something, fits a, and no other place is too similar; otherwise
// nil.
func (g *gen) judge(d *draft, start, end int, a ask) *draft {
	has := map[op]bool{}
	for _, r := range d.rows {
		has[r.op] = true
	}
	if !has[added] && !has[deleted] || a.insert && has[deleted] || a.remove && has[added] || a.swap && !has[deleted] {
		return nil
	}
	if a.edges {
		first, last := d.rows[0], d.rows[len(d.rows)-1]
		if first.op != kept || last.op != kept || !telling(first.text) || !telling(last.text) {
			return nil
		}
	}
	enough := min(2, end-start)
	for _, t := range d.src.telling[start:end] {
		if t {
			enough--
		}
	}
	if enough > 0 {
		return nil
	}
	if d.comesBack() || d.repeatsPlace() {
		return nil
	}
	margin := a.margin
	if margin == 0 {
		margin = 0.85
		if end-start < 4 {
			margin = 0.75
		}
	}
	if d.src.rival(start, end) > margin {
		return nil
	}
	return d
}

// comesBack reports whether a deleted line is added again unchanged.
func (d *draft) comesBack() bool {
	return d.some(func(r row) bool {
		return r.op == deleted && d.some(func(x row) bool { return x.op == added && x.text == r.text })
	})
}

// repeatsPlace reports whether lines are added next to equal ones, as if the edit were done
// already.
func (d *draft) repeatsPlace() bool {
	at := len(d.above) // in the old file
	for i := 0; i < len(d.rows); i++ {
		if d.rows[i].op != added {
			at++
			continue
		}
		var run []string
		for ; i < len(d.rows) && d.rows[i].op == added; i++ {
			run = append(run, d.rows[i].text)
		}
		i--
		lines, n := d.src.lines, len(run)
		if at+n <= len(lines) && equalRun(lines[at:], run, squeeze) || at >= n && equalRun(lines[at-n:], run, squeeze) {
			return true
		}
	}
	return false
}

// likeness returns how similar the place most like the draft's is, see [source.rival].
func (d *draft) likeness() float64 {
	return d.src.rival(len(d.above), len(d.above)+len(d.before()))
}

// rival returns how similar the other place most like lines [start, end) is: the mean similarity of
// the telling lines, each of which may have moved by one line.
func (s *source) rival(start, end int) (like float64) {
	var probe []int
	for i := start; i < end; i++ {
		if s.telling[i] {
			probe = append(probe, i)
		}
	}
	if len(probe) == 0 {
		return 1
	}
	for len(probe) > 24 {
		half := probe[:0]
		for k := 0; k < len(probe); k += 2 {
			half = append(half, probe[k])
		}
		probe = half
	}
	for o := start - end + 1; o < len(s.lines); o++ {
		if o == start {
			continue
		}
		sum := 0.0
		for k, p := range probe {
			best := 0.0
			for _, j := range [...]int{o + p - start - 1, o + p - start, o + p - start + 1} {
				if j >= 0 && j < len(s.lines) && j != p {
					best = max(best, alike(s.signs[p], s.signs[j]))
				}
			}
			sum += best
			if sum+float64(len(probe)-k-1) <= like*float64(len(probe)) {
				break
			}
		}
		like = max(like, sum/float64(len(probe)))
	}
	return like
}

var (
	numberWord = regexp.MustCompile(`\b[0-9]+\b`)
	callEnd    = regexp.MustCompile(`([\w\])"'])\)`)
	comparison = regexp.MustCompile(` (==|!=|<=|>=|<|>|&&|\|\||\+|-|and|or) `)
	literal    = regexp.MustCompile(`\b(true|false|True|False|nil|null|None)\b`)
	identifier = regexp.MustCompile(`\b[A-Za-z_]\w{3,}\b`)
	quoted     = regexp.MustCompile(`"[^"\\]*"|'[^'\\]*'`)
)

// change makes one more edit, on kept rows that touch no earlier one.
func (g *gen) change(d *draft, a ask) {
	free := make([]int, 0, len(d.rows))
	for i, r := range d.rows {
		inner := !a.edges || i > 0 && i < len(d.rows)-1
		if r.op == kept && !d.touchesEdit(i) && inner {
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return
	}
	i := pick(g.rng, free)
	switch {
	case a.insert:
		if g.chance(0.3) {
			g.borrow(d, i)
		} else if g.chance(0.85) {
			g.insertAfter(d, i, g.statement(d, d.indentAfter(i)))
		} else {
			g.insertFunction(d, i)
		}
		return
	case a.remove:
		g.deleteRows(d, i, g.between(1, 4))
		return
	}
	roll := g.rng.IntN(100)
	switch {
	case roll < 45:
		g.rewrite(d, i)
	case roll < 55:
		g.replaceRows(d, i, g.between(1, 4))
	case roll < 63:
		g.rename(d, i)
	case a.swap:
		g.rewrite(d, i)
	case roll < 77:
		g.insertAfter(d, i, g.statement(d, d.indentAfter(i)))
	case roll < 84:
		g.borrow(d, i)
	case roll < 90:
		g.deleteRows(d, i, g.between(1, 4))
	case roll < 94:
		g.insertFunction(d, i)
	default:
		g.wrap(d, i, g.between(1, 4))
	}
}

// rewrite changes a literal, argument, operator or name in line i.
func (g *gen) rewrite(d *draft, i int) {
	l := d.rows[i].text
	if to := g.reworded(d.src, l); to != l {
		d.splice(i, 1, []string{to})
	}
}

// reworded returns a line of s with a literal, argument, operator or name changed. It returns the
// line as it is if it has none.
func (g *gen) reworded(s *source, l string) string {
	// Half of the names are made up, the others are in the file.
	name := g.ident()
	if len(s.names) > 0 && g.chance(0.5) {
		name = pick(g.rng, s.names)
	}
	named := func(string) string { return name }
	turns := []struct {
		what *regexp.Regexp
		to   func(string) string
	}{
		{numberWord, g.otherNumber},
		{callEnd, func(m string) string { return m[:len(m)-1] + ", " + name + ")" }},
		{comparison, func(string) string {
			return " " + pick(g.rng, []string{"==", "!=", "<=", ">", "&&", "+", "or"}) + " "
		}},
		{quoted, func(q string) string { return q[:1] + g.word() + " " + g.word() + q[:1] }},
		{literal, named},
		{identifier, named},
	}
	g.rng.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	for _, t := range turns {
		if to := g.replaceOne(l, t.what, t.to); to != l && !blank(l) {
			return to
		}
	}
	return l
}

// otherNumber returns a number somewhat above n.
func (g *gen) otherNumber(n string) string {
	v, _ := strconv.Atoi(n)
	return strconv.Itoa(v + g.between(2, 97))
}

// replaceOne rewrites one match, chosen at random.
func (g *gen) replaceOne(l string, re *regexp.Regexp, f func(string) string) string {
	at := re.FindAllStringIndex(l, -1)
	if len(at) == 0 {
		return l
	}
	m := pick(g.rng, at)
	return l[:m[0]] + f(l[m[0]:m[1]]) + l[m[1]:]
}

// replaceRows replaces up to n lines from i on.
func (g *gen) replaceRows(d *draft, i, n int) {
	n = d.run(i, n)
	in := indentOf(d.rows[i].text)
	if blank(d.rows[i].text) {
		in = d.indentAfter(i)
	}
	d.splice(i, n, g.statement(d, in))
}

// rename renames one identifier of line i in all kept lines of the window.
func (g *gen) rename(d *draft, i int) {
	ids := identifier.FindAllString(d.rows[i].text, -1)
	if len(ids) == 0 {
		return
	}
	from, to := pick(g.rng, ids), g.ident()
	for k := 0; k < len(d.rows); k++ {
		if r := d.rows[k]; r.op == kept {
			if l := renamed(r.text, from, to); l != r.text {
				d.splice(k, 1, []string{l})
				k++
			}
		}
	}
}

// renamed replaces whole words.
func renamed(l, from, to string) string {
	return identifier.ReplaceAllStringFunc(l, func(w string) string {
		if w == from {
			return to
		}
		return w
	})
}

// borrow adds lines from elsewhere in the file, indented for their new place.
func (g *gen) borrow(d *draft, i int) {
	from := g.rng.IntN(len(d.src.lines))
	lines := d.src.lines[from:min(len(d.src.lines), from+g.between(1, 3))]
	in, to := indentOf(lines[0]), d.indentAfter(i)
	var out []string
	for _, l := range lines {
		if !strings.HasPrefix(l, in) || blank(l) {
			break
		}
		out = append(out, to+l[len(in):])
	}
	if len(out) > 0 && telling(out[0]) {
		g.insertAfter(d, i, out)
	}
}

// deleteRows deletes up to n lines from i on, if line i is telling.
func (g *gen) deleteRows(d *draft, i, n int) {
	n = d.run(i, n)
	if n == len(d.rows) || !telling(d.rows[i].text) {
		return
	}
	d.splice(i, n, nil)
}

// insertFunction adds a function after the end of a top-level one, or after an empty line.
func (g *gen) insertFunction(d *draft, i int) {
	for k := i; k < len(d.rows); k++ {
		l := d.rows[k].text
		if d.rows[k].op == kept && !d.touchesEdit(k) && (l == "}" || l == "</section>" || l == "") {
			g.insertAfter(d, k, g.function(d))
			return
		}
	}
}

// wrap puts up to n lines into a block.
func (g *gen) wrap(d *draft, i, n int) {
	n = d.run(i, n)
	lines := (&draft{rows: d.rows[i : i+n]}).before()
	in := indentOf(lines[0])
	if !blank(lines[0]) && !slices.ContainsFunc(lines, outside(in)) {
		d.splice(i, n, g.enclosed(d, lines, in))
	}
}

// enclosed returns the lines, which begin at an indentation, in a block of the file's language.
func (g *gen) enclosed(d *draft, lines []string, in string) []string {
	lang := d.src.lang
	out := append(g.fill(d, []string{lang.open}, in), mapped(lines, deeper(d.src.unit))...)
	if lang.shut != "" {
		out = append(out, in+lang.shut)
	}
	return out
}

// outside finds lines that are less indented.
func outside(in string) func(string) bool {
	return func(l string) bool { return !strings.HasPrefix(l, in) && !blank(l) }
}

// run limits n, to 1 at least, to consecutive kept rows that touch no edit.
func (d *draft) run(i, n int) int {
	k := 0
	for k < n && i+k < len(d.rows) && d.rows[i+k].op == kept && !d.touchesEdit(i+k) {
		k++
	}
	return max(k, 1)
}

// splice marks rows [i, i+n) as deleted and adds lines after them.
func (d *draft) splice(i, n int, with []string) {
	var out []row
	for _, r := range d.rows[i : i+n] {
		out = append(out, rowOf(deleted, r.text))
	}
	d.rows = slices.Replace(d.rows, i, i+n, append(out, rowsOf(added, with)...)...)
}

func (g *gen) insertAfter(d *draft, i int, lines []string) {
	d.rows = slices.Insert(d.rows, i+1, rowsOf(added, lines)...)
}

// indentAfter returns the indentation for a new line after row i.
func (d *draft) indentAfter(i int) string {
	in := ""
	for k := i; k >= 0; k-- {
		if !blank(d.rows[k].text) {
			in = indentOf(d.rows[k].text)
			break
		}
	}
	if i+1 < len(d.rows) && !blank(d.rows[i+1].text) && len(indentOf(d.rows[i+1].text)) > len(in) {
		in = indentOf(d.rows[i+1].text)
	}
	return in
}

// fill returns a template's lines at an indentation, in the file's own unit.
func (g *gen) fill(d *draft, template []string, indent string) []string {
	var out []string
	ids := []string{"value"}
	for _, r := range d.rows {
		ids = append(ids, identifier.FindAllString(r.text, -1)...)
	}
	for _, l := range template {
		body := strings.TrimLeft(l, "\t")
		l = strings.Repeat(d.src.unit, len(l)-len(body))
		for {
			i := strings.IndexByte(body, '$')
			if i < 0 || i+1 == len(body) {
				break
			}
			l += body[:i]
			switch body[i+1] {
			case 'i':
				l += pick(g.rng, ids)
			case 'w':
				l += g.word()
			case 'W':
				l += capital(g.word())
			case 'n':
				l += strconv.Itoa(g.between(2, 900))
			}
			body = body[i+2:]
		}
		if l += body; l != "" {
			l = indent + l
		}
		out = append(out, l)
	}
	return out
}

// statement returns the lines of a statement in the file's language, and line only its first.
func (g *gen) statement(d *draft, indent string) []string {
	return g.fill(d, pick(g.rng, d.src.lang.statements), indent)
}

func (g *gen) line(d *draft, indent string) string {
	return g.fill(d, pick(g.rng, d.src.lang.statements)[:1], indent)[0]
}

// function returns the lines of a function at the margin.
func (g *gen) function(d *draft) []string { return g.fill(d, pick(g.rng, d.src.lang.functions), "") }

var vocabulary = strings.Fields(`retry limit cache queue batch ledger meadow copper violet harbor signal quota window
	budget ticket anchor lantern basket orchard pepper walnut saddle ribbon pebble thicket gravel hammer kettle magnet
	napkin oyster parcel quiver rocket shutter tunnel umbra velvet willow yonder zephyr banner cobalt dagger ember fable
	garnet hollow island jigsaw kernel lumber mosaic nickel opal pillar quartz raven sable timber uplift vessel`)

func (g *gen) word() string { return pick(g.rng, vocabulary) }

// ident returns a made-up identifier.
func (g *gen) ident() string {
	w := capital(g.word())
	return g.word() + w
}

// capital returns an ASCII word with a capital.
func capital(w string) string { return strings.ToUpper(w[:1]) + w[1:] }
