package render

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// cells is how many columns a terminal gives a text without control characters. Signs that a terminal may join, as those of an emoji, are
// counted one by one: a line that is cut too early is better than one that is wrapped.
func cells(s string) (n int) {
	for _, r := range s {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) { // written over the sign before
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// firstCells and lastCells are as much of a text's beginning and end as so many columns take.
func firstCells(s string, columns int) string {
	for i, r := range s {
		if columns -= cellsOf(r); columns < 0 {
			return s[:i]
		}
	}
	return s
}

func lastCells(s string, columns int) string {
	over := cells(s) - columns
	for i, r := range s {
		if over <= 0 && cellsOf(r) > 0 {
			return s[i:]
		}
		over -= cellsOf(r)
	}
	return ""
}

// middleCut shortens a text to so many columns by its middle. Of a path the last name stays whole, as long as there is room for it.
func middleCut(s string, columns int) string {
	if cells(s) <= columns {
		return s
	}
	if columns < 2 {
		return firstCells("…", columns)
	}
	last := s[strings.LastIndexByte(s, '/')+1:]
	tail := min(max(columns*2/3, cells(last)+1), columns-1)
	return firstCells(s, columns-1-tail) + "…" + lastCells(s, tail)
}

// wrapped divides a text between its words into lines of at most so many columns, the first of which has less by used. A word that
// is longer than a line stays whole, so that it can be copied.
func wrapped(s string, columns, used int) (lines []string) {
	line, room := "", columns-used
	for word := range strings.SplitSeq(s, " ") {
		switch {
		case line == "":
			line = word
		case cells(line)+1+cells(word) > room:
			lines, line, room = append(lines, line), word, columns
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
