package eval

import (
	"slices"
	"strconv"
	"strings"
)

// sharedSlip blocks of one or two lines misremember the line that they change, on both sides. Only
// the change is meant; the rest of the line must stay as in the file.
func sharedSlip(g *gen) *Case {
	d, p := g.rewrittenLine()
	if d == nil ||
		!choose(g, 0, []func(*gen, *draft, rewrite) bool{wordSlip, wordSlip, wordSlip, markSlip})(g, d, p) {
		return nil
	}
	return g.finishHinted(d)
}

// rewrite is a line that an edit changes: the deleted row and the added one.
type rewrite struct{ from, to int }

// rewrittenLine returns an edit of one or two lines, and a line that it changes but mostly keeps.
func (g *gen) rewrittenLine() (*draft, rewrite) {
	d := g.edit(ask{min: 1, max: 2, ops: 1, swap: true, margin: 0.7})
	if d == nil || len(d.src.lines) < 40 {
		return nil, rewrite{}
	}
	var all []rewrite
	for i := 0; i < len(d.rows); i++ {
		from := i
		for i < len(d.rows) && d.rows[i].op == deleted {
			i++
		}
		to := i
		for to < len(d.rows) && d.rows[to].op == added {
			to++
		}
		if i > from && to-i == i-from {
			for k := range i - from {
				all = append(all, rewrite{from + k, i + k})
			}
		}
		i = max(i, to-1)
	}
	all = slices.DeleteFunc(all, func(p rewrite) bool {
		a, b := d.rows[p.from].text, d.rows[p.to].text
		return !telling(a) || isComment(d.src, a) || 2*distance(a, b) > len(a)
	})
	if len(all) == 0 {
		return nil, rewrite{}
	}
	return d, pick(g.rng, all)
}

// sharedWords returns the words of a rewritten line that the edit keeps, as often as before, and
// that satisfy want.
func (d *draft) sharedWords(p rewrite, want func(string) bool) []string {
	a, b := words(d.rows[p.from].text), words(d.rows[p.to].text)
	var out []string
	for _, w := range a {
		if times(countWord(a, w)) == times(countWord(b, w)) && want(w) &&
			!slices.Contains(keywords, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func countWord(all []string, w string) int {
	n := 0
	for _, x := range all {
		if x == w {
			n++
		}
	}
	return n
}

// say makes the block write one word for another on both sides of a rewritten line.
func (d *draft) say(p rewrite, from, to string) {
	a, b := &d.rows[p.from], &d.rows[p.to]
	a.search, b.replace = renamedWord(a.search, from, to), renamedWord(b.replace, from, to)
}

// renamedWord replaces a whole word, of any length.
func renamedWord(l, from, to string) string {
	var b strings.Builder
	for i := 0; i < len(l); {
		j := i
		for j < len(l) && wordRune(rune(l[j])) {
			j++
		}
		switch {
		case j == i:
			b.WriteByte(l[i])
			j++
		case l[i:j] == from:
			b.WriteString(to)
		default:
			b.WriteString(l[i:j])
		}
		i = j
	}
	return b.String()
}

// wordSlip misspells a word that both sides have.
func wordSlip(g *gen, d *draft, p rewrite) bool {
	ws := d.sharedWords(p, func(w string) bool { return letters.MatchString(w) })
	if len(ws) == 0 {
		return false
	}
	w := pick(g.rng, ws)
	m := letters.FindStringIndex(w)
	bent := w[:m[0]] + g.misspell(w[m[0]:m[1]]) + w[m[1]:]
	if bent == w || d.src.words[bent] || slices.Contains(words(d.rows[p.to].text), bent) || strings.EqualFold(bent, w) {
		return false
	}
	d.note("word")
	d.say(p, w, bent)
	return true
}

// markSlip gives both sides a comma, a semicolon or a bracket at the end that the file lacks, or
// leaves out one that it has.
func markSlip(g *gen, d *draft, p rewrite) bool {
	a, b := &d.rows[p.from], &d.rows[p.to]
	last := a.text[len(a.text)-1:]
	if b.text == "" || b.text[len(b.text)-1:] != last {
		return false
	}
	if strings.Contains(",;)", last) {
		d.note("mark_lost")
		a.search, b.replace = a.search[:len(a.search)-1], b.replace[:len(b.replace)-1]
		return telling(a.search)
	}
	if !wordRune(rune(last[0])) && !strings.Contains(`"'`, last) {
		return false
	}
	mark := pick(g.rng, []string{",", ";"})
	d.note("mark_added")
	a.search, b.replace = a.search+mark, b.replace+mark
	return true
}

// slipOrTwin blocks are like those of sharedSlip, but what looks like a slip is, or may be, another
// name. A refusal is right then.
func slipOrTwin(g *gen) *Case {
	d, p := g.rewrittenLine()
	if d == nil {
		return nil
	}
	v := choose(g, 0, []string{"known", "between", "twin_line", "near", "digit", "number", "ending",
		"opposite", "operator"})
	d.note(v)
	d.refuse = true
	ok := false
	switch v {
	case "known", "between", "twin_line", "near":
		ok = g.knownTwin(d, p, v)
	case "digit":
		ok = g.otherWord(d, p, func(w string) string {
			n := len(strings.TrimRight(w, "0123456789"))
			if k, err := strconv.Atoi(w[n:]); n > 0 && err == nil {
				return w[:n] + strconv.Itoa(k+1)
			}
			return w + strconv.Itoa(g.between(1, 3))
		})
	case "number":
		ok = g.otherWord(d, p, func(w string) string {
			if strings.Trim(w, "0123456789") != "" {
				return w
			}
			return w + "0"
		})
	case "ending":
		ok = g.otherWord(d, p, func(w string) string {
			return w + pick(g.rng,
				slices.DeleteFunc([]string{"s", "x", "r", "2", "_v2"},
					func(end string) bool { return strings.HasSuffix(w, end) }))
		})
	case "opposite":
		ok = g.otherWord(d, p, oppositeOf)
	default:
		ok = g.otherOperator(d, p)
	}
	if !ok {
		return nil
	}
	return g.finishHinted(d)
}

// knownTwin blocks have a word from another line of the file, or one between that and the right
// word.
func (g *gen) knownTwin(d *draft, p rewrite, v string) bool {
	ws := d.sharedWords(p, func(w string) bool { return letters.FindString(w) == w })
	if len(ws) == 0 {
		return false
	}
	w := pick(g.rng, ws)
	one, two := g.misspell(w), g.misspell(w)
	if v == "between" && len(one) >= 5 {
		two = g.misspell(one)
	}
	if one == w || two == w || one == two || d.src.words[one] || d.src.words[two] {
		return false
	}
	said, twin := one, one
	if v != "known" {
		twin = two
	}
	line := renamedWord(d.rows[p.from].text, w, twin)
	switch v {
	case "twin_line":
		// The twin is a slip of its own away from the right line, and so may be further away from
		// what the block says than that is.
		d.refuseOK = distance(one, two) > distance(one, w)
		d.refuse = !d.refuseOK
	case "near":
		// Somewhere else, in another line: the place says which is meant.
		line = g.fill(d, []string{twin + "($n)"}, indentOf(line))[0]
		d.refuse, d.refuseOK = false, true
	}
	if _, ok := g.plant(d, []string{line}, 3); !ok {
		return false
	}
	d.say(p, w, said)
	if v == "known" {
		// Something else is in the line, too: else it would be the twin's.
		return count(d.content(), d.search(), squeeze) == 0
	}
	return true
}

// otherWord writes another word on both sides, which the file does not have.
func (g *gen) otherWord(d *draft, p rewrite, other func(string) string) bool {
	ws := d.sharedWords(p, func(w string) bool { to := other(w); return to != w && !d.src.words[to] })
	if len(ws) == 0 {
		return false
	}
	w := pick(g.rng, ws)
	to := other(w)
	if to == w || d.src.words[to] || slices.Contains(words(d.rows[p.to].text), to) {
		return false
	}
	d.say(p, w, to)
	return true
}

// oppositeOf replaces a part of a name with its usual counterpart.
func oppositeOf(w string) string {
	for _, p := range []string{"get set", "Get Set", "min max", "Min Max", "low top", "add sub",
		"Add Sub", "read head", "Read Head", "http https", "test text",
		"Test Text", "next text", "in on", "old cold", "key keys", "name names", "true false",
		"True False", "and or", "left right", "first last",
		"push pull", "Lock Unlock", "open opened", "data date", "size side", "int uint", "send end",
		"time tile", "file tile", "line link"} {
		a, b, _ := strings.Cut(p, " ")
		for _, q := range [][2]string{{a, b}, {b, a}} {
			if w == q[0] || strings.HasPrefix(w, q[0]+"_") || strings.HasSuffix(w, "_"+q[0]) ||
				q[0][0] < 'a' && strings.Contains(w, q[0]) {
				return strings.Replace(w, q[0], q[1], 1)
			}
		}
	}
	return w
}

// otherOperator writes the opposite operator on both sides.
func (g *gen) otherOperator(d *draft, p rewrite) bool {
	a, b := &d.rows[p.from], &d.rows[p.to]
	for _, q := range [][2]string{{" == ", " != "}, {" < ", " <= "}, {" > ", " >= "},
		{" + ", " - "}, {" && ", " || "}, {" and ", " or "}, {"not ", ""}, {"(!", "("},
		{" = ", " += "}, {"*", ""}, {"-", "+"}} {
		for _, s := range [][2]string{q, {q[1], q[0]}} {
			if s[0] != "" && strings.Count(a.search, s[0]) == 1 && strings.Count(b.replace, s[0]) == 1 {
				a.search, b.replace = strings.Replace(a.search, s[0], s[1], 1),
					strings.Replace(b.replace, s[0], s[1], 1)
				return true
			}
		}
	}
	return false
}
