package eval

import (
	"math/bits"
	"strings"
	"unicode"
)

// indentOf returns the leading blanks of a line.
func indentOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// squeeze drops all white space, so lines that differ only in it become equal.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// telling reports whether a line is distinctive enough to recognise a place.
func telling(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	switch strings.TrimSpace(s) {
	case "return", "return nil", "return err", "return false", "return true", "break", "continue",
		"default:", "else:", "end", "pass":
		return false
	}
	return letters >= 6
}

// signature is a set of hashed byte bigrams of a squeezed line.
type signature [4]uint64

func sign(s string) signature {
	var g signature
	s = squeeze(s)
	prev := byte('^')
	for i := range len(s) {
		h := (uint32(prev)*31 + uint32(s[i])) * 2654435761
		g[h>>30] |= 1 << (h >> 24 & 63)
		prev = s[i]
	}
	return g
}

func (g signature) size() int {
	return bits.OnesCount64(g[0]) + bits.OnesCount64(g[1]) + bits.OnesCount64(g[2]) + bits.OnesCount64(g[3])
}

// alike returns the Dice coefficient of two signatures, 0 to 1.
func alike(a, b signature) float64 {
	both := signature{a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]}.size()
	if all := a.size() + b.size(); all > 0 {
		return 2 * float64(both) / float64(all)
	}
	return 1
}

// count returns how often the lines want occur in lines in a row, comparing them after the mapping.
func count(lines, want []string, as func(string) string) int {
	n := 0
	for i := 0; i+len(want) <= len(lines); i++ {
		if equalRun(lines[i:], want, as) {
			n++
		}
	}
	return n
}

func equalRun(lines, want []string, as func(string) string) bool {
	for k, w := range want {
		if as(lines[k]) != as(w) {
			return false
		}
	}
	return true
}

// mapped returns the lines, each after f.
func mapped(lines []string, f func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = f(l)
	}
	return out
}

func verbatim(s string) string { return s }

// distance returns the Levenshtein distance in runes.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diag := row[0]
		row[0] = i + 1
		for j, s := range y {
			cost := diag
			if r != s {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
