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

// NewSide returns the new lines of REPLACE, without their signs, if only REPLACE has a diff's signs.
// Otherwise it returns replace. There are two cases: the old lines of REPLACE are those of SEARCH, or
// all lines of REPLACE have a + in a file of code that has no such line.
func NewSide(doc *strategy.Document, path string, search, replace []byte) []byte {
	adds := func(line []byte) bool { return bytes.HasPrefix(line, []byte("+")) }
	lines, before := Lines(strategy.NewDocument(replace)), Lines(strategy.NewDocument(search))
	if !slices.ContainsFunc(lines, adds) || len(before) == 0 || bytes.HasPrefix(search, []byte("-")) {
		return replace
	}
	old, now, ok := sides(lines, true)
	if ok && slices.EqualFunc(old, before, equalTrimmed) {
		return endLike(replace, now)
	}
	if !text.IsCode(path) || slices.ContainsFunc(Lines(doc), adds) {
		return replace
	}
	if ok && !slices.ContainsFunc(old, func(line []byte) bool { return !text.Blank(line) }) &&
		bytes.Equal(text.Margin(now[0]), text.Margin(before[0])) {
		return endLike(replace, now)
	}
	if old, now, ok = sides(lines, false); ok && slices.EqualFunc(old, before, equalTrimmed) {
		return endLike(replace, now)
	}
	return replace
}

// sides returns the old and the new lines of a diff, without their signs. column says that kept lines
// have a blank in the column of the signs. ok is false if a line has neither, or if, without such a
// column, a + has one blank after it, as an operator does.
func sides(lines [][]byte, column bool) (old, now [][]byte, ok bool) {
	for _, line := range lines {
		rest := line[min(len(line), 1):]
		switch {
		case text.Blank(line):
			old, now = append(old, line), append(now, line)
		case line[0] == '+':
			if !column && len(text.Margin(rest)) == 1 && rest[0] == ' ' {
				return nil, nil, false
			}
			now = append(now, rest)
		case line[0] == '-':
			old = append(old, rest)
		case !column:
			old, now = append(old, line), append(now, line)
		case line[0] == ' ':
			old, now = append(old, rest), append(now, rest)
		default:
			return nil, nil, false
		}
	}
	return old, now, true
}

func equalTrimmed(a, b []byte) bool { return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b)) }

// endLike joins lines, with a line end after the last one if text has one.
func endLike(text []byte, lines [][]byte) []byte {
	out := join(lines)
	if !bytes.HasSuffix(text, []byte{'\n'}) {
		out = bytes.TrimSuffix(out, []byte{'\n'})
	}
	return out
}

// Unfenced returns the text inside a fence around all of REPLACE, if the file is code and neither it
// nor SEARCH has a fence. Otherwise it returns replace.
func Unfenced(doc *strategy.Document, path string, search, replace []byte) []byte {
	lines := Lines(strategy.NewDocument(replace))
	last := len(lines) - 1
	if last < 2 || !text.IsCode(path) || hasFence(doc) || hasFence(strategy.NewDocument(search)) {
		return replace
	}
	opener, _ := fence(lines[0])
	closer, info := fence(lines[last])
	inside := slices.ContainsFunc(lines[1:last], func(line []byte) bool { n, _ := fence(line); return n > 0 })
	if opener == 0 || closer < opener || info || inside {
		return replace
	}
	return endLike(replace, lines[1:last])
}
