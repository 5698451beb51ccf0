package reading

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// withoutSigns returns the reading without the signs that diffs put before lines, if SEARCH has - or
// a blank before each line, REPLACE has + or a blank, and the file is code. ok is false if they don't.
func withoutSigns(path string, v *Reading) (out *Reading, ok bool) {
	search, removes := unsigned(v.Search.Document, '-')
	replace, adds := unsigned(v.Replace, '+')
	out = v.with(search, strategy.NewDocument(replace), "diff-signs")
	says := func(line []byte) bool { return text.HasWord(line) && len(text.Tokens(line)) > 2 }
	return out, removes && adds && text.IsCode(path) && slices.ContainsFunc(Lines(out.Search.Document), says)
}

// unsigned removes the first byte of each line that isn't blank. ok is false unless that byte is the
// sign or a blank, and the sign at least once.
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

// NewSide returns the new lines of REPLACE, without their signs, if REPLACE is a diff of SEARCH: it
// has removed and added lines, and its old lines are SEARCH. The file must be code without lines that
// begin with +. Otherwise NewSide returns replace.
func NewSide(doc *strategy.Document, path string, search, replace []byte) []byte {
	adds := func(line []byte) bool { return bytes.HasPrefix(line, []byte("+")) }
	if lines := Lines(strategy.NewDocument(replace)); slices.ContainsFunc(lines, adds) &&
		text.IsCode(path) && !slices.ContainsFunc(Lines(doc), adds) {
		before := Lines(strategy.NewDocument(search))
		for _, column := range []bool{true, false} {
			if old, now := sides(lines, column); len(old) > 0 && slices.EqualFunc(old, before, equalTrimmed) {
				return endLike(replace, now)
			}
		}
	}
	return replace
}

// sides returns the old and the new lines of a diff, without their signs. column says that kept lines
// have a blank in the column of the signs. The results are nil if a kept line has none, or if no line
// is removed.
func sides(lines [][]byte, column bool) (old, now [][]byte) {
	removed := false
	for _, line := range lines {
		rest := line[min(len(line), 1):]
		switch {
		case text.Blank(line):
			old, now = append(old, line), append(now, line)
		case line[0] == '+':
			now = append(now, rest)
		case line[0] == '-':
			old, removed = append(old, rest), true
		case !column:
			old, now = append(old, line), append(now, line)
		case line[0] == ' ':
			old, now = append(old, rest), append(now, rest)
		default:
			return nil, nil
		}
	}
	if !removed {
		return nil, nil
	}
	return old, now
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
