package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

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

// isWide reports whether most of a text are characters of two columns, and it is no path.
func isWide(s string) bool {
	return cells(s)*2 > utf8.RuneCountInString(s)*3 && !strings.Contains(s, "/")
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

// evenCut shortens a text to so many columns by its middle.
func evenCut(s string, columns int) string {
	if cells(s) <= columns {
		return s
	}
	head := (columns - 1) * 2 / 3
	return firstCells(s, head) + "…" + lastCells(s, columns-1-head)
}

// untabbed is a text behind so many columns with blanks for its tabs, if it has more columns than there is room for, and else as it is.
func untabbed(s string, used, room int) string {
	const stop = 8
	var b strings.Builder
	at := used
	for _, r := range s {
		if r != '\t' {
			b.WriteRune(r)
			at += cellsOf(r)
			continue
		}
		n := stop - at%stop
		b.WriteString(strings.Repeat(" ", n))
		at += n
	}
	if at-used <= room {
		return s
	}
	return b.String()
}

// wrapped divides a text between its words into lines of at most so many columns, the first of which has less by used. A word that
// is longer than a line stays whole, so that it can be copied, unless it is in a script that has no blanks between words.
func wrapped(s string, columns, used int) (lines []string) {
	line, room := "", columns-used
	for word := range strings.SplitSeq(s, " ") {
		for cells(word) > columns && isWide(word) {
			head := firstCells(word, room-cells(line)-1)
			lines, line, room = append(lines, strings.TrimSpace(line+" "+head)), "", columns
			word = word[len(head):]
		}
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
