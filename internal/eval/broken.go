package eval

import (
	"regexp"
	"slices"
	"strings"
)

// statementBroken changes a statement that is all of SEARCH, on one line, and on several lines in
// the file, or the other way round. In the traps, it occurs twice or says something else.
func statementBroken(g *gen) *Case {
	variant := choose(g, 0, []string{"in_file", "in_file", "in_block", "in_block", "margin",
		"twice", "other_item", "comment"})
	s := g.source()
	d, _ := g.anyWindow(s, 1)
	if d == nil || s.lang.name == "prose" {
		return nil
	}
	g.rewrite(d, 0)
	if len(d.rows) != 2 {
		return nil
	}
	old, now := d.rows[0].text, d.rows[1].text
	comma := g.chance(0.6)
	oldMany, nowMany := broken(s, old, comma), broken(s, now, comma)
	if oldMany == nil || nowMany == nil || !s.isOnly(old, now) ||
		slices.ContainsFunc(append(oldMany, nowMany...), breaksString) {
		return nil
	}
	file, search, replace, result := oldMany, []string{old}, []string{now}, []string{now}
	if variant == "in_block" {
		file, search, replace, result = []string{old}, oldMany, nowMany, nowMany
		if len(search) == len(replace) && search[0] != replace[0] && g.chance(0.5) {
			return nil
		}
	}
	at := len(d.above)
	before := slices.Concat(s.lines[:at], file, s.lines[at+1:])
	c := &Case{Path: s.path, Variant: variant, Search: join(search), Replace: join(replace)}
	switch variant {
	case "margin":
		in := indentOf(old)
		if in == "" {
			return nil
		}
		c.Search, c.Replace = strings.TrimPrefix(c.Search, in), strings.TrimPrefix(c.Replace, in)
	case "twice":
		k := g.rng.IntN(at + 1)
		before = slices.Concat(before[:k], file, before[k:])
	case "other_item":
		i := g.between(1, len(file)-2)
		other := itemWord.ReplaceAllStringFunc(file[i], func(string) string { return g.ident() })
		if other == file[i] || squeeze(strings.Join(file, "")) == squeeze(old) {
			return nil
		}
		before[at+i] = other
	case "comment":
		if s.lang.comment == "" || s.lang.commentEnd != "" {
			return nil
		}
		before[at+g.between(1, len(file)-2)] += " " + s.lang.comment + g.word() + " " + g.word()
	}
	c.Files = map[string]string{s.path: join(before)}
	if !slices.Contains([]string{"twice", "other_item", "comment"}, variant) {
		c.Expected = map[string]string{s.path: join(slices.Concat(s.lines[:at], result, s.lines[at+1:]))}
	}
	if variant != "twice" && g.chance(0.2) {
		c.StartLine = at + 1
	}
	return c
}

// isOnly reports whether no other statement of the file equals this one or its replacement, apart
// from line ends.
func (s *source) isOnly(old, now string) bool {
	return len(squeeze(old)) >= 14 && strings.HasSuffix(old, ",") == strings.HasSuffix(now, ",") &&
		count(s.lines, []string{now}, squeeze) == 0 &&
		strings.Count(squeeze(strings.Join(s.lines, "")), squeeze(old)) == 1
}

// breaksString reports whether a line holds a part of a string, in which blanks are text.
func breaksString(l string) bool {
	return slices.ContainsFunc([]string{`"`, "'", "`"}, func(q string) bool { return strings.Count(l, q)%2 != 0 })
}

var itemWord = regexp.MustCompile(`[A-Za-z_]\w{2,}`)
