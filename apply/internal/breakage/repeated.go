package breakage

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
)

// repeat is a run of lines at the end of what a block adds which the file has right after it, too.
type repeat struct {
	span, offset int
	lines        [][]byte
	// tells: the lines say so much that nobody writes them twice; of others only what they break shows it.
	tells bool
}

// longestRepeat is how many lines too many of the context are looked for.
const longestRepeat = 8

// mostRepeats is how many are told of one file.
const mostRepeats = 20

// repeatedLines finds blocks whose REPLACE ends with lines that follow in the file.
func repeatedLines(c *Change) (found []repeat) {
	for i, s := range c.Spans {
		if !s.Last || s.AfterStart == s.AfterEnd || len(found) == mostRepeats {
			continue
		}
		end, ok := lineEndAt(c.After, s.AfterEnd)
		if !ok {
			continue
		}
		start := bytes.LastIndexByte(c.After[:s.AfterStart], '\n') + 1
		added := lastLines(c.After[start:end], longestRepeat)
		next := firstLines(c.After[end:], longestRepeat)
		was, _ := lineEndAt(c.Before, s.BeforeEnd)
		dropped := lastLines(c.Before[:was], longestRepeat)
		for n := min(len(added), len(next)); n > 0; n-- {
			lines := added[len(added)-n:]
			if !slices.EqualFunc(lines, next[:n], equalLines) || !slices.ContainsFunc(lines, isNotBlank) {
				continue
			}
			if len(dropped) >= n && slices.EqualFunc(dropped[len(dropped)-n:], next[:n], equalLines) {
				break // it was so before
			}
			offset := end
			for _, l := range lines {
				offset -= len(l)
			}
			found = append(found, repeat{i, offset, lines, slices.ContainsFunc(lines, text.HasWord)})
			break
		}
	}
	return found
}

func equalLines(a, b []byte) bool {
	return bytes.Equal(bytes.TrimRight(a, " \t\r\n"), bytes.TrimRight(b, " \t\r\n"))
}

func isNotBlank(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 }

// lineEndAt is where the line ends that offset is in; ok is false if more than blanks of it comes after offset.
func lineEndAt(text []byte, offset int) (end int, ok bool) {
	if offset > 0 && text[offset-1] == '\n' {
		return offset, true
	}
	for end = offset; end < len(text); end++ {
		switch text[end] {
		case '\n':
			return end + 1, true
		case ' ', '\t', '\r':
		default:
			return end, false
		}
	}
	return end, true
}

// lastLines are the last n lines of text, with their ends.
func lastLines(text []byte, n int) (lines [][]byte) {
	for ; n > 0 && len(text) > 0; n-- {
		at := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
		lines = append(lines, text[at:])
		text = text[:at]
	}
	slices.Reverse(lines)
	return lines
}

// firstLines are the first n lines of text, with their ends.
func firstLines(text []byte, n int) (lines [][]byte) {
	for line := range bytes.Lines(text) {
		if len(lines) == n {
			break
		}
		lines = append(lines, line)
	}
	return lines
}

func (r *repeat) finding(c *Change) Finding {
	first := r.lines[slices.IndexFunc(r.lines, isNotBlank)]
	what := "is"
	if len(r.lines) > 1 {
		what = "begins lines that are"
	}
	return c.at(warning.RepeatedLine, r.span, r.offset, "%s there twice now, %q: REPLACE ends with text that already follows in the file; remove it from REPLACE", what, bytes.TrimSpace(first))
}
