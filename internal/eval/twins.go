package eval

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// anyRival turns off the check for rivals, for kinds that want them.
const anyRival = 2

// plant puts lines into the file after a blank line, at least far lines away from the window. It
// returns their first line in the new content, 0-based, or false if there is no such place.
func (g *gen) plant(d *draft, lines []string, far int) (int, bool) {
	var at []int
	end := len(d.above) + len(d.before())
	content := d.content()
	for i := 1; i < len(content); i++ {
		if blank(content[i-1]) && (i <= len(d.above)-far || i >= end+far) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return 0, false
	}
	i := pick(g.rng, at)
	lines = append(slices.Clone(lines), "")
	if i <= len(d.above) {
		d.above = slices.Insert(slices.Clone(d.above), i, lines...)
	} else {
		k := i - end
		d.below = slices.Insert(slices.Clone(d.below), k, lines...)
	}
	return i, true
}

// copies returns an exact block that occurs in the file several times, and its lines there
// (0-based, in order).
func (g *gen) copies() (*draft, []int) {
	var d *draft
	if g.variant(2, 2) == 0 {
		a := ask{min: 1, max: 4, margin: anyRival}
		for range 40 {
			if d = g.edit(a); d != nil && count(d.content(), d.search(), verbatim) > 1 {
				break
			}
			d = nil
		}
	} else if d = g.edit(ask{min: 3, max: 14}); d != nil {
		if _, ok := g.plant(d, d.before(), 6); !ok {
			return nil, nil
		}
	}
	if d == nil {
		return nil, nil
	}
	s, c := d.search(), d.content()
	var at []int
	for i := 0; i+len(s) <= len(c); i++ {
		if equalRun(c[i:], s, verbatim) {
			if len(at) > 0 && i-at[len(at)-1] < len(s) {
				return nil, nil
			}
			at = append(at, i)
		}
	}
	if len(at) < 2 || len(at) > 6 {
		return nil, nil
	}
	return d, at
}

// dupNoHint blocks must be refused: they fit several places equally well.
func dupNoHint(g *gen) *Case {
	d, at := g.copies()
	if d == nil || count(d.content(), d.search(), squeeze) != len(at) {
		return nil
	}
	d.note(times(len(at)))
	if g.chance(0.4) && (!g.anyOf(dedentAll, trailingAdded, innerWidened, keptTypo, smartQuotes)(g, d) ||
		count(d.content(), d.search(), verbatim) > 0) {
		return nil
	}
	d.refuse, d.meant = true, true
	return d.finish()
}

func times(n int) string { return string(rune('0'+n)) + "x" }

// dupHint blocks fit several places. A line number, exact or slightly off, says which is meant.
func dupHint(g *gen) *Case {
	d, at := g.copies()
	if d == nil {
		return nil
	}
	here := slices.Index(at, len(d.above))
	gap := len(d.content())
	if here > 0 {
		gap = min(gap, at[here]-at[here-1])
	}
	if here+1 < len(at) {
		gap = min(gap, at[here+1]-at[here])
	}
	d.hint = d.line()
	v := times(len(at))
	if off := gap * 35 / 100; off > 0 && g.chance(0.5) {
		d.hint = min(max(1, d.hint+g.between(-off, off)), len(d.content()))
		v += "_off"
	}
	d.note(v)
	if g.chance(0.25) && (count(d.content(), d.search(), squeeze) != len(at) ||
		!g.anyOf(dedentAll, trailingAdded, innerWidened)(g, d)) {
		return nil
	}
	return d.finish()
}

// otherName returns an identifier with one part of id replaced by another word.
func (g *gen) otherName(id string) string {
	w := g.word()
	if i := strings.LastIndexByte(id, '_'); i > 0 && i < len(id)-1 {
		if g.chance(0.5) {
			return id[:i+1] + w
		}
		return w + id[i:]
	}
	for i := len(id) - 1; i > 1; i-- {
		if id[i] >= 'A' && id[i] <= 'Z' && id[i-1] >= 'a' {
			return id[:i] + capital(w)
		}
	}
	if id[0] >= 'A' && id[0] <= 'Z' {
		return capital(w)
	}
	return w
}

// otherUnlessKeyword is otherName, but leaves keywords as they are.
func (g *gen) otherUnlessKeyword(id string) string {
	if slices.Contains(keywords, id) {
		return id
	}
	return g.otherName(id)
}

// keywords are the words in which twins never differ.
var keywords = strings.Fields(`func return const else elif case switch default type struct interface import from class
	self this null true false None True False nil break continue while range defer async await export function public
	private static void string bool float double char unsigned extern package print raise except with lambda yield`)

// sibling says how a twin differs: from is replaced by to.
type sibling struct{ from, to string }

// siblingOf picks an identifier of SEARCH such that want holds for the rows that have it.
func (g *gen) siblingOf(d *draft, want func(with []row) bool) (sibling, bool) {
	set := map[string]bool{}
	for _, r := range d.rows {
		if r.op.search {
			for _, id := range identifier.FindAllString(r.text, -1) {
				if !slices.Contains(keywords, id) && !isComment(d.src, r.text) {
					set[id] = true
				}
			}
		}
	}
	ids := slices.Sorted(maps.Keys(set))
	g.rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		var with []row
		for _, r := range d.rows {
			if r.op.search && renamed(r.text, id, "_") != r.text {
				with = append(with, r)
			}
		}
		to := g.otherName(id)
		if len(with) > 0 && want(with) && distance(id, to) >= 3 && !d.src.words[to] {
			return sibling{id, to}, true
		}
	}
	return sibling{}, false
}

func hasDeleted(with []row) bool {
	return slices.ContainsFunc(with, func(r row) bool { return r.op == deleted })
}

func (s sibling) of(lines []string) []string {
	return mapped(lines, func(l string) string { return renamed(l, s.from, s.to) })
}

// twinIdentifier blocks mean one of two places that differ in one identifier.
func twinIdentifier(g *gen, d *draft) *Case {
	s, ok := g.siblingOf(d, func(with []row) bool {
		return hasDeleted(with) || len(with) > 1 ||
			isDefinition(with[0].text)
	})
	if !ok {
		return nil
	}
	if _, ok := g.plant(d, s.of(d.before()), 5); !ok {
		return nil
	}
	switch k := g.variant(0, 10); {
	case k < 3:
		d.note("exact")
		return d.finish()
	case k < 7:
		d = g.anyOf(dedentAll, indentShift, tabsSpaces, trailingAdded, innerWidened, smartQuotes).on(g, d)
	default:
		// The slip must not touch the lines that distinguish the twins.
		at := d.where(func(r row) bool {
			return r.op == kept && telling(r.text) && renamed(r.text, s.from, s.to) == r.text
		})
		if len(at) == 0 || !g.mistype(d, pick(g.rng, at)) {
			return nil
		}
		d.note("typo")
	}
	return g.finishHinted(d)
}

// isDefinition reports whether a line begins a definition.
func isDefinition(l string) bool {
	l = strings.TrimSpace(l)
	starts := []string{"func ", "def ", "class ", "function ", "export ", "type ", "interface ", "async def "}
	return slices.ContainsFunc(starts, func(p string) bool { return strings.HasPrefix(l, p) })
}

// nearTwin blocks have a slip, and another place of the file is almost as similar.
func nearTwin(g *gen) *Case {
	bends := []slip{dedentAll, indentShift, trailingAdded, innerWidened, innerCollapsed}
	if g.variant(0, 2) == 0 {
		d := g.edit(ask{min: 4, max: 20, margin: 0.96})
		if d == nil {
			return nil
		}
		if d.likeness() < 0.75 {
			return nil
		}
		d.note("natural")
		if g.chance(0.3) {
			// It is unclear how a misspelling weighs against a real difference elsewhere.
			bends, d.refuseOK = []slip{keptTypo}, true
		}
		if !pick(g.rng, bends)(g, d) || count(d.content(), d.before(), squeeze) != 1 {
			return nil
		}
		return d.finishBent()
	}
	d := g.edit(ask{min: 5, max: 20})
	if d == nil {
		return nil
	}
	a, ok := g.siblingOf(d, func([]row) bool { return true })
	b, also := g.siblingOf(d, hasDeleted)
	if !ok || !also && d.sideHasOp(deleted) || a.from == b.from {
		return nil
	}
	twin := a.of(d.before())
	if also {
		twin = b.of(twin)
	}
	if _, ok := g.plant(d, twin, 4); !ok {
		return nil
	}
	d.note("made")
	if g.chance(0.3) {
		bends = []slip{keptTypo}
	}
	return g.finishHinted(pick(g.rng, bends).on(g, d))
}

func (d *draft) sideHasOp(o op) bool {
	return d.some(func(r row) bool { return r.op == o })
}

// twinGone blocks must be refused: their place is gone, and a similar one is still there.
func twinGone(g *gen) *Case {
	if g.variant(0, 5) < 2 {
		return edited(ask{min: 3, max: 20, margin: 0.95, swap: true}, naturalTwinGone)(g)
	}
	d := g.edit(ask{min: 3, max: 20})
	if d == nil {
		return nil
	}
	// The other name is in a line that the edit changes, or in the block's only definition. In
	// other lines it would be drift.
	name := d.onlyDefined()
	s, ok := g.siblingOf(d, hasDeleted)
	if name != "" && (!ok || g.chance(0.5)) {
		s, ok = sibling{name, g.otherName(name)}, true
		if distance(s.from, s.to) < 3 || d.src.words[s.to] {
			return nil
		}
	}
	if !ok {
		return nil
	}
	d.note("renamed")
	if g.chance(0.3) && !g.anyOf(dedentAll, trailingAdded, innerWidened, keptTypo)(g, d) {
		return nil
	}
	gone := false
	for i := range d.rows {
		r := &d.rows[i]
		if to := renamed(r.text, s.from, s.to); r.op.before && to != r.text {
			gone = true
			if squeeze(r.search) != squeeze(r.text) || d.occursNear(r.text) {
				return nil // the slip hit the line with the name, or the line is not gone
			}
			r.text = to
		}
	}
	if !gone {
		return nil
	}
	d.refuse = true
	g.maybeHint(d, 0.25, 0)
	return d.finishBent()
}

// onlyDefined returns the name of the block's only definition if the edit comes after it, or "".
func (d *draft) onlyDefined() string {
	name, edits := "", false
	for _, r := range d.rows {
		edits = edits || r.op == added || r.op == deleted
		m := definition.FindStringSubmatch(r.text)
		if m == nil || !r.op.search {
			continue
		}
		if name != "" || edits || slices.Contains(keywords, m[1]) {
			return ""
		}
		name = m[1]
	}
	return name
}

var definition = regexp.MustCompile(`^\s*(?:export |async |default )*(?:func|def|class|function|type|interface)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w+)`)

// occursNear reports whether a line occurs more than once in or around the window.
func (d *draft) occursNear(l string) bool {
	around := slices.Concat(d.above[max(0, len(d.above)-4):], d.before(), d.below[:min(4, len(d.below))])
	return count(around, []string{l}, squeeze) > 1
}

func naturalTwinGone(g *gen, d *draft) *Case {
	if d.likeness() < 0.7 {
		return nil
	}
	rest := slices.Concat(d.above, d.below)
	lost := false
	for _, r := range d.rows {
		if r.op == deleted && telling(r.text) {
			lost = lost || !slices.ContainsFunc(rest,
				func(l string) bool { return distance(squeeze(l), squeeze(r.text)) < 3 })
		}
	}
	if !lost {
		return nil
	}
	d.vanish()
	d.note("natural")
	return d.finishTrap()
}

// glued blocks must be refused: they join two snippets, or a first and a last line, that are far
// apart.
func glued(g *gen, d *draft) *Case {
	n := len(d.before())
	s := d.src
	far := 3*n + 15
	start := len(d.above) + n + far
	if start+n >= len(s.lines) {
		return nil
	}
	start = g.between(start, len(s.lines)-n)
	tail := s.lines[start : start+n]
	dull := func(l string) bool { return !telling(l) }
	if len(slices.DeleteFunc(slices.Clone(tail), dull)) < 2 || blank(tail[0]) || blank(tail[n-1]) {
		return nil
	}
	if s.rival(start, start+n) > 0.8 {
		return nil
	}
	if g.variant(0, 2) == 0 {
		d.note("snippets")
		d.rows = append(d.rows, rowsOf(invented, tail)...)
		if g.chance(0.3) && !g.anyOf(trailingAdded, keptTypo, innerWidened)(g, d) {
			return nil
		}
	} else {
		// First line from here, last line from there, and lines between that occur nowhere.
		d.note("anchors")
		d.rows = slices.DeleteFunc(d.rows, func(r row) bool { return !r.op.before })
		first := d.rows[0]
		if first.op != kept || !telling(first.text) || !telling(tail[n-1]) {
			return nil
		}
		for i := range d.rows {
			d.rows[i].op = unsaid
		}
		d.rows[0].op = kept
		in := indentOf(first.text)
		for range g.between(1, 3) {
			d.rows = append(d.rows, rowsOf(misread, g.statement(d, in))...)
		}
		d.rows = append(d.rows, rowOf(added, in+g.ident()), rowOf(invented, tail[n-1]))
	}
	return d.finishTrap()
}

// linePrefix cases have a line and a longer one that begins with it. The block names one of them.
func linePrefix(g *gen, d *draft) *Case {
	at := d.where(func(r row) bool { return r.op == deleted })
	r := &d.rows[pick(g.rng, at)]
	l := r.text
	if d.occursNear(l) || len(squeeze(l)) < 6 || !wordRune(rune(l[len(l)-1])) &&
		!strings.ContainsAny(l[len(l)-1:], ",;)\"'") {
		return nil
	}
	longer := l + pick(g.rng, []string{"0", "5", "Of", "_old"})
	if !wordRune(rune(l[len(l)-1])) {
		longer = l + pick(g.rng,
			[]string{" " + g.ident() + "(7)", " " + d.src.lang.comment + g.word() + " " + g.word() +
				d.src.lang.commentEnd, "." + g.ident() + "()"})
	}
	// A longer comment or sentence could still be the one meant.
	if g.variant(0, 4) < 2 && (isComment(d.src, l) || d.src.lang.name == "prose") {
		return nil
	}
	switch g.variant(0, 4) {
	case 0:
		d.note("only_longer")
		r.text = longer
		d.refuse = true
	case 1:
		d.note("only_shorter")
		if count(d.content(), []string{longer}, squeeze) > 0 {
			return nil
		}
		r.search = longer
		d.refuse = true
	default:
		twin := d.before()
		twin[slices.Index(twin, l)] = longer
		if g.chance(0.5) {
			d.note("both")
		} else {
			// The block means the longer one, and the shorter occurs elsewhere.
			d.note("both_longer")
			if slices.Contains(d.added(), longer) {
				return nil
			}
			twin = d.before()
			r.text, r.search = longer, longer
		}
		if _, ok := g.plant(d, twin, 3); !ok {
			return nil
		}
		if g.chance(0.4) {
			return g.anyOf(trailingAdded, dedentAll, indentShift, innerWidened).on(g, d).finishBent()
		}
	}
	if d.refuse && count(d.content(), d.search(), squeeze) > 0 {
		return nil
	}
	return d.finish()
}
