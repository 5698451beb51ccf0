package eval

import (
	"regexp"
	"slices"
	"strings"
)

// typo misspells one word of a line, inside the word and only in letters. The file does not have
// the result.
func (g *gen) typo(s *source, l string) (string, bool) {
	at := letters.FindAllStringIndex(l, -1)
	if len(at) == 0 {
		return l, false
	}
	m := pick(g.rng, at)
	w := g.misspell(l[m[0]:m[1]])
	out := l[:m[0]] + w + l[m[1]:]
	if out == l {
		return l, false
	}
	for _, x := range words(out) {
		if !s.words[x] && !slices.Contains(words(l), x) {
			return out, true
		}
	}
	return l, false
}

// misspell makes one typing error inside of a word of five letters or more; it may leave the word
// as it is.
func (g *gen) misspell(word string) string {
	w := []byte(word)
	i := g.between(1, len(w)-2)
	switch g.rng.IntN(4) {
	case 0:
		w = slices.Delete(w, i, i+1)
	case 1:
		w = slices.Insert(w, i, w[i])
	case 2:
		w[i], w[i+1] = w[i+1], w[i]
	default:
		w[i] = "aeionrst"[g.rng.IntN(8)]
	}
	return string(w)
}

var letters = regexp.MustCompile(`[A-Za-z]{5,}`)

// mistype puts a typo on row i, on all sides that repeat the file.
func (g *gen) mistype(d *draft, i int) bool {
	r := &d.rows[i]
	bent, ok := g.typo(d.src, r.search)
	if !ok {
		return false
	}
	if r.op.replace {
		r.replace = bent
	}
	r.search = bent
	return true
}

// some reports whether a row satisfies want.
func (d *draft) some(want func(row) bool) bool { return slices.ContainsFunc(d.rows, want) }

// where lists the rows that satisfy want.
func (d *draft) where(want func(row) bool) []int {
	var out []int
	for i, r := range d.rows {
		if want(r) {
			out = append(out, i)
		}
	}
	return out
}

func isComment(s *source, l string) bool {
	l = strings.TrimSpace(l)
	c := strings.TrimSpace(s.lang.comment)
	return c != "" && strings.HasPrefix(l, c) || strings.HasPrefix(l, "* ") ||
		strings.HasPrefix(l, "/*") || strings.HasPrefix(l, "<!--")
}

// keptTypo misspells a word in a line that the edit keeps, deletedTypo in one that it changes.
func keptTypo(g *gen, d *draft) bool {
	at := d.where(func(r row) bool {
		return r.op == kept && r.search == r.text && telling(r.text) && !isComment(d.src, r.text)
	})
	d.note("kept_typo")
	return len(at) > 0 && g.mistype(d, pick(g.rng, at))
}

func deletedTypo(g *gen, d *draft) bool {
	at := d.where(func(r row) bool {
		return r.op == deleted && r.search == r.text &&
			telling(r.text) && len(r.text) >= 12
	})
	d.note("deleted_typo")
	return len(at) > 0 && g.mistype(d, pick(g.rng, at))
}

// commentSlip misremembers a comment: a misspelling, another word, or a word less.
func commentSlip(g *gen, d *draft) bool {
	at := d.where(func(r row) bool {
		return r.op == kept && r.search == r.text && isComment(d.src, r.text) && len(strings.Fields(r.text)) >= 5
	})
	if len(at) == 0 {
		return false
	}
	i := pick(g.rng, at)
	if g.chance(0.4) {
		d.note("comment_typo")
		return g.mistype(d, i)
	}
	r := &d.rows[i]
	f := strings.Fields(r.search)
	k := g.between(2, len(f)-2)
	if g.chance(0.5) {
		d.note("comment_word")
		f[k] = g.word()
	} else {
		d.note("comment_word_dropped")
		f = slices.Delete(f, k, k+1)
	}
	r.search = indentOf(r.search) + strings.Join(f, " ")
	r.replace = r.search
	return r.search != r.text
}

// otherCase writes an identifier of a kept line in another case.
func otherCase(g *gen, d *draft) bool {
	d.note("other_case")
	at := d.where(func(r row) bool {
		return r.op == kept && telling(r.text) && !isDefinition(r.text) && identifier.MatchString(r.text)
	})
	if len(at) == 0 {
		return false
	}
	r := &d.rows[pick(g.rng, at)]
	r.search = g.replaceOne(r.search, identifier, func(id string) string {
		first, rest := id[:1], id[1:]
		if strings.ToLower(first) == first {
			return strings.ToUpper(first) + rest
		}
		return strings.ToLower(first) + rest
	})
	r.replace = r.search
	return r.search != r.text
}

// sortedLines sorts or reverses a run of lines that the edit does not touch, such as imports.
func sortedLines(g *gen, d *draft) bool {
	d.note("sorted_lines")
	at := d.loose(func(r row) bool { return telling(r.text) })
	for _, i := range at {
		n := 1
		for n < 6 && slices.Contains(at, i+n) && indentOf(d.rows[i+n].text) == indentOf(d.rows[i].text) {
			n++
		}
		if n < 3 || 2*n > len(d.rows) {
			continue
		}
		var run []string
		for _, r := range d.rows[i : i+n] {
			run = append(run, r.text)
		}
		slices.Sort(run)
		if run[0] == d.rows[i].text {
			slices.Reverse(run)
		}
		for k, l := range run {
			d.rows[i+k].search, d.rows[i+k].replace = l, l
		}
		return len(slices.Compact(run)) == n
	}
	return false
}

// swapped exchanges two neighbouring lines that the edit does not touch.
func swapped(g *gen, d *draft) bool {
	at := d.loose(func(r row) bool { return telling(r.text) })
	g.rng.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
	for _, i := range at {
		j := i + 1
		if slices.Contains(at, j) && squeeze(d.rows[i].text) != squeeze(d.rows[j].text) {
			a, b := &d.rows[i], &d.rows[j]
			a.search, b.search = b.search, a.search
			a.replace, b.replace = b.replace, a.replace
			d.note("swapped")
			return true
		}
	}
	return false
}

// cutLast ends the block in the middle of its last line, which the edit keeps.
func cutLast(g *gen, d *draft) bool {
	d.note("end")
	r := &d.rows[len(d.rows)-1]
	if r.op != kept || d.rows[len(d.rows)-2].op != kept {
		return false
	}
	in := len(indentOf(r.text))
	body := r.text[in:]
	if len(body) < 14 {
		return false
	}
	k := in + g.between(7, len(body)-3)
	for k > 0 && r.text[k]&0xc0 == 0x80 {
		k--
	}
	head := strings.TrimRight(r.text[:k], " \t")
	if !telling(head) {
		return false
	}
	r.search, r.replace = head, head
	return true
}

// cutFirst begins the block in the middle of its first line, or without that line's indentation.
func cutFirst(g *gen, d *draft) bool {
	r := &d.rows[0]
	if r.op != kept || len(d.rows) > 1 && d.rows[1].op == added {
		return false
	}
	in := len(indentOf(r.search))
	if in > 0 && g.chance(0.4) {
		d.note("lstrip")
		r.search, r.replace = r.search[in:], r.replace[in:]
		return true
	}
	d.note("mid")
	body := r.search[in:]
	if len(body) < 10 {
		return false
	}
	k := in + g.between(2, len(body)-5)
	for k < len(r.search) && r.search[k]&0xc0 == 0x80 {
		k++
	}
	tail := strings.TrimLeft(r.search[k:], " \t")
	if len(tail) < 4 || !telling(tail) && len(tail) < 6 {
		return false
	}
	r.search, r.replace = tail, tail
	return true
}
