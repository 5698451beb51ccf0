package reading

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// withoutSigns returns the reading without the signs that diffs put before lines, if SEARCH has - or
// a blank before each line, and REPLACE has + or a blank. ok is false if they don't.
func withoutSigns(v *Reading) (out *Reading, ok bool) {
	search, removes := unsigned(v.Search.Document, '-')
	replace, adds := unsigned(v.Replace, '+')
	if !removes || !adds {
		return nil, false
	}
	return &Reading{
		Habits: []string{"diff-signs"}, Divider: v.Divider,
		Search: strategy.NewPattern(search, v.Search.Hint), Replace: strategy.NewDocument(replace),
	}, true
}

// unsigned returns the lines of d without the first byte of each nonblank line. ok is false unless
// that byte is the sign or a space in every line, and the sign in at least one.
func unsigned(d *strategy.Document, sign byte) (out []byte, ok bool) {
	lines := Lines(d)
	for i, line := range lines {
		switch {
		case text.Blank(line):
			continue
		case line[0] == sign:
			ok = true
		case line[0] != ' ':
			return nil, false
		}
		lines[i] = line[1:]
	}
	return join(lines), ok
}

// NewSide returns the new lines of REPLACE, without their signs, if only REPLACE has a diff's
// signs: the lines "-a" and "+b" become "b". Otherwise it returns replace. Either the old lines of
// REPLACE are those of SEARCH, or REPLACE has only lines with a +, in a file of code that has no
// such line, and its first line without the + has the margin of SEARCH's.
func NewSide(doc *strategy.Document, path string, search, replace []byte) []byte {
	var old, now [][]byte
	adds := 0
	for _, line := range Lines(strategy.NewDocument(replace)) {
		rest := line[min(len(line), 1):]
		switch {
		case text.Blank(line):
			old, now = append(old, line), append(now, line)
		case line[0] == '+':
			now = append(now, rest)
			adds++
		case line[0] == '-':
			old = append(old, rest)
		case line[0] == ' ':
			old, now = append(old, rest), append(now, rest)
		default:
			return replace
		}
	}
	before := Lines(strategy.NewDocument(search))
	same := func(a, b []byte) bool { return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b)) }
	added := func(line []byte) bool { return bytes.HasPrefix(line, []byte("+")) }
	switch {
	case adds == 0 || len(before) == 0 || bytes.HasPrefix(search, []byte("-")):
		return replace
	case slices.EqualFunc(old, before, same):
		return join(now)
	}
	onlyAdds := !slices.ContainsFunc(old, func(line []byte) bool { return !text.Blank(line) })
	if onlyAdds && bytes.Equal(text.Margin(now[0]), text.Margin(before[0])) && text.IsCode(path) &&
		!slices.ContainsFunc(Lines(doc), added) {
		return join(now)
	}
	return replace
}
