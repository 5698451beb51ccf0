package strategy_test

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/srpatch/srpatch/strategy"
)

// The oracle is the nine rules in their plainest form: strings, joined windows, nested loops, the
// textbook edit distance. It shares no code with the package.

const space = `[\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

var (
	spaces      = regexp.MustCompile(space + `+`)
	leading     = regexp.MustCompile(`^` + space + `*`)
	trailing    = regexp.MustCompile(space + `*$`)
	escape      = regexp.MustCompile("\\\\(n|t|r|'|\"|`|\\\\|\n|\\$)")
	overEscape  = regexp.MustCompile("\\\\+(n|t|r|'|\"|`|\\\\|\n|\\$)")
	plainEscape = map[string]string{"n": "\n", "t": "\t", "r": "\r"}
)

func plainTrim(s string) string {
	return trailing.ReplaceAllString(leading.ReplaceAllString(s, ""), "")
}

func plainNormal(s string) string { return plainTrim(spaces.ReplaceAllString(s, " ")) }

func plainBlank(s string) bool { return plainTrim(s) == "" }

func plainUnescape(re *regexp.Regexp, s string) string {
	return re.ReplaceAllStringFunc(s, func(found string) string {
		c := found[len(found)-1:]
		if replacement, ok := plainEscape[c]; ok {
			return replacement
		}
		return c
	})
}

func plainDedent(s string) string {
	lines := strings.Split(s, "\n")
	least := math.MaxInt
	for _, line := range lines {
		if !plainBlank(line) {
			least = min(least, len([]rune(leading.FindString(line))))
		}
	}
	for i, line := range lines {
		if !plainBlank(line) {
			lines[i] = string([]rune(line)[least:])
		}
	}
	return strings.Join(lines, "\n")
}

func plainDistance[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// plainText is a text split into lines, by either rule.
type plainText struct {
	all      string
	lines    []string
	starts   []int
	verbatim bool
}

func plainSplit(s string, verbatim bool) plainText {
	t := plainText{all: s, verbatim: verbatim}
	parts := strings.Split(s, "\n")
	at := 0
	for i, part := range parts {
		last := i == len(parts)-1
		if last && part == "" && !verbatim {
			break
		}
		t.starts = append(t.starts, at)
		at += len(part) + 1
		if !verbatim && !last {
			part = strings.TrimSuffix(part, "\r")
		}
		t.lines = append(t.lines, part)
	}
	return t
}

func (t plainText) join(from, n int) string { return strings.Join(t.lines[from:from+n], "\n") }

func (t plainText) span(from, n int) strategy.Candidate {
	last := from + n - 1
	return strategy.Candidate{Start: t.starts[from], End: t.starts[last] + len(t.lines[last])}
}

// anchorsOf is the pattern without the empty line after a final line feed.
func (t plainText) anchorsOf() []string {
	if n := len(t.lines); t.verbatim && n > 0 && t.lines[n-1] == "" {
		return t.lines[:n-1]
	}
	return t.lines
}

func (t plainText) lead() int {
	n := 0
	for n < len(t.lines) && plainBlank(t.lines[n]) {
		n++
	}
	return n
}

// windowsOf is every run of n lines that ok accepts.
func windowsOf(doc plainText, n int, ok func(from int) bool) (from []int) {
	if n == 0 {
		return nil
	}
	for i := 0; i+n <= len(doc.lines); i++ {
		if ok(i) {
			from = append(from, i)
		}
	}
	return from
}

func (t plainText) spans(from []int, n int) (found []strategy.Candidate) {
	for _, i := range from {
		found = append(found, t.span(i, n))
	}
	return found
}

// onePerPlace keeps, of the windows around the same lines of text, the one with as many blank lines
// before the text as lead, or nearly.
func onePerPlace(doc plainText, from []int, n, lead int) (kept []int) {
	off := func(i int) (place, away int) {
		place = i
		for place < i+n && plainBlank(doc.lines[place]) {
			place++
		}
		return place, max(place-i-lead, lead-place+i)
	}
	for _, i := range from {
		place, away := off(i)
		if place == i+n {
			kept = append(kept, i)
			continue
		}
		if len(kept) > 0 {
			before, awayBefore := off(kept[len(kept)-1])
			if before == place {
				if away < awayBefore {
					kept[len(kept)-1] = i
				}
				continue
			}
		}
		kept = append(kept, i)
	}
	return kept
}

func textPlaces(all, find string, step int) (found []strategy.Candidate) {
	for at := 0; at+len(find) <= len(all); {
		if all[at:at+len(find)] != find {
			at++
			continue
		}
		found = append(found, strategy.Candidate{Start: at, End: at + len(find)})
		at += max(step, 1)
	}
	return found
}

var oracle = map[string]func(doc, pat plainText) []strategy.Candidate{
	"exact": func(doc, pat plainText) []strategy.Candidate {
		if doc.verbatim && pat.all == "" {
			return []strategy.Candidate{{}}
		}
		if doc.verbatim {
			return textPlaces(doc.all, pat.all, 1)
		}
		return doc.spans(plainExact(doc, pat), len(pat.lines))
	},
	"line-trimmed": func(doc, pat plainText) (found []strategy.Candidate) {
		want := pat.anchorsOf()
		if len(want) == 0 {
			return emptyPlaces(doc)
		}
		return doc.spans(windowsOf(doc, len(want), func(from int) bool {
			for j := range want {
				if plainTrim(doc.lines[from+j]) != plainTrim(want[j]) {
					return false
				}
			}
			return true
		}), len(want))
	},
	"block-anchor": func(doc, pat plainText) []strategy.Candidate {
		if len(pat.lines) < 3 {
			return nil
		}
		want := pat.anchorsOf()
		type pair struct{ first, last int }
		var pairs []pair
		for i := range doc.lines {
			if plainTrim(doc.lines[i]) != plainTrim(want[0]) {
				continue
			}
			for j := i + 2; j < len(doc.lines); j++ {
				if plainTrim(doc.lines[j]) == plainTrim(want[len(want)-1]) {
					pairs = append(pairs, pair{i, j})
					break
				}
			}
		}
		best, most := -1, -1.0
		for p, c := range pairs {
			size := c.last - c.first + 1
			similarity := 0.0
			middle := min(len(want), size) - 2
			for k := 1; k <= middle; k++ {
				a, b := []rune(plainTrim(doc.lines[c.first+k])), []rune(plainTrim(want[k]))
				longer, distance := max(len(a), len(b)), plainDistance(a, b)
				if doc.verbatim {
					a, b := utf16.Encode(a), utf16.Encode(b)
					longer, distance = max(len(a), len(b)), plainDistance(a, b)
				}
				if longer > 0 {
					similarity += 1 - float64(distance)/float64(longer)
				}
			}
			if middle > 0 {
				similarity /= float64(middle)
			} else {
				similarity = 1
			}
			if similarity > most {
				best, most = p, similarity
			}
		}
		if best < 0 || len(pairs) > 1 && most < 0.3 {
			return nil
		}
		return []strategy.Candidate{doc.span(pairs[best].first, pairs[best].last-pairs[best].first+1)}
	},
	"whitespace-normalized": func(doc, pat plainText) (found []strategy.Candidate) {
		if len(pat.lines) == 0 {
			return nil
		}
		find := plainNormal(strings.Join(pat.lines, "\n"))
		var words []string
		for word := range strings.SplitSeq(find, " ") {
			words = append(words, regexp.QuoteMeta(word))
		}
		inLine := regexp.MustCompile(strings.Join(words, space+`+`))
		for i, line := range doc.lines {
			if plainNormal(line) == find {
				found = append(found, doc.span(i, 1))
			} else if strings.Contains(plainNormal(line), find) && (doc.verbatim || find != "") {
				if at := inLine.FindStringIndex(line); at != nil {
					found = append(found, strategy.Candidate{Start: doc.starts[i] + at[0], End: doc.starts[i] + at[1]})
				}
			}
		}
		if n := len(pat.lines); n > 1 {
			from := windowsOf(doc, n, func(from int) bool { return plainNormal(doc.join(from, n)) == find })
			if !doc.verbatim {
				from = onePerPlace(doc, from, n, pat.lead())
			}
			found = append(found, doc.spans(from, n)...)
		}
		return found
	},
	"indentation-flexible": func(doc, pat plainText) []strategy.Candidate {
		n := len(pat.lines)
		find := plainDedent(strings.Join(pat.lines, "\n"))
		return doc.spans(windowsOf(doc, n, func(from int) bool { return plainDedent(doc.join(from, n)) == find }), n)
	},
	"escape-normalized": func(doc, pat plainText) (found []strategy.Candidate) {
		if doc.verbatim {
			find := plainUnescape(escape, pat.all)
			n := strings.Count(find, "\n") + 1
			if find == "" {
				found = append(found, strategy.Candidate{})
			} else {
				found = textPlaces(doc.all, find, len(find))
			}
			return append(found, doc.spans(windowsOf(doc, n, func(from int) bool {
				return plainUnescape(escape, doc.join(from, n)) == find
			}), n)...)
		}
		if len(pat.lines) == 0 {
			return nil
		}
		for _, rule := range []*regexp.Regexp{escape, overEscape} {
			find := plainUnescape(rule, strings.Join(pat.lines, "\n"))
			if pat.lines[len(pat.lines)-1] != "" {
				find = strings.TrimSuffix(find, "\n")
			}
			want := plainSplit(find+"\n", false)
			n := len(want.lines)
			direct := plainExact(doc, want)
			found = append(found, doc.spans(direct, n)...)
			found = append(found, doc.spans(windowsOf(doc, n, func(from int) bool {
				for _, i := range direct {
					if i == from {
						return false
					}
				}
				return plainUnescape(rule, doc.join(from, n)) == strings.Join(want.lines, "\n")
			}), n)...)
			if found != nil {
				return found
			}
		}
		return nil
	},
	"trimmed-boundary": func(doc, pat plainText) (found []strategy.Candidate) {
		text := strings.Join(pat.lines, "\n")
		find := plainTrim(text)
		if find == text {
			return nil
		}
		n := len(pat.lines)
		if doc.verbatim {
			if find == "" {
				found = append(found, strategy.Candidate{})
			} else {
				found = textPlaces(doc.all, find, len(find))
			}
		}
		full := windowsOf(doc, n, func(from int) bool { return plainTrim(doc.join(from, n)) == find })
		if doc.verbatim || find == "" {
			return append(found, doc.spans(full, n)...)
		}
		full = onePerPlace(doc, full, n, pat.lead())
		m := strings.Count(find, "\n") + 1
		for _, i := range windowsOf(doc, m, func(from int) bool {
			return plainTrim(doc.join(from, m)) == find && !plainBlank(doc.lines[from]) &&
				!plainBlank(doc.lines[from+m-1])
		}) {
			span := doc.span(i, m)
			for _, from := range full {
				if from <= i && i+m <= from+n && plainBlank(doc.join(from, i-from)) {
					span = doc.span(from, n)
				}
			}
			found = append(found, span)
		}
		return found
	},
	"context-aware": func(doc, pat plainText) (found []strategy.Candidate) {
		if len(pat.lines) < 3 {
			return nil
		}
		want := pat.anchorsOf()
		n := len(want)
		for i := range doc.lines {
			if plainTrim(doc.lines[i]) != plainTrim(want[0]) {
				continue
			}
			for j := i + 2; j < len(doc.lines); j++ {
				if plainTrim(doc.lines[j]) != plainTrim(want[n-1]) {
					continue
				}
				if j-i+1 == n {
					counted, equal := 0, 0
					for k := 1; k < n-1; k++ {
						a, b := plainTrim(doc.lines[i+k]), plainTrim(want[k])
						if a != "" || b != "" {
							counted++
							if a == b {
								equal++
							}
						}
					}
					if counted == 0 || float64(equal)/float64(counted) >= 0.5 {
						found = append(found, doc.span(i, n))
					}
				}
				break
			}
		}
		return found
	},
	"multi-occurrence": func(doc, pat plainText) (found []strategy.Candidate) {
		if pat.all == "" {
			return nil
		}
		if doc.verbatim {
			return textPlaces(doc.all, pat.all, len(pat.all))
		}
		next := 0
		for _, i := range plainExact(doc, pat) {
			if i >= next {
				found = append(found, doc.span(i, len(pat.lines)))
				next = i + len(pat.lines)
			}
		}
		return found
	},
}

func plainExact(doc, pat plainText) []int {
	n := len(pat.lines)
	return windowsOf(doc, n, func(from int) bool { return doc.join(from, n) == strings.Join(pat.lines, "\n") })
}

func emptyPlaces(doc plainText) (found []strategy.Candidate) {
	if doc.verbatim {
		for _, at := range doc.starts {
			found = append(found, strategy.Candidate{Start: at, End: at})
		}
	}
	return found
}

// plainReplace is the reference cascade over the oracle's strategies.
func plainReplace(content, old, new string, replaceAll bool) (result, name string, err error) {
	if old == new {
		return "", "", strategy.ErrIdentical
	}
	doc, pat := plainSplit(content, true), plainSplit(old, true)
	err = strategy.ErrNotFound
	for _, s := range strategy.Strategies() {
		for _, c := range oracle[s.Name()](doc, pat) {
			text := content[c.Start:c.End]
			err = strategy.ErrAmbiguous
			if replaceAll {
				return strings.ReplaceAll(content, text, new), s.Name(), nil
			}
			if first := strings.Index(content, text); first == strings.LastIndex(content, text) {
				return content[:first] + new + content[first+len(text):], s.Name(), nil
			}
		}
	}
	return "", "", err
}
