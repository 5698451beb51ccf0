package report

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/internal/text"
)

// maxMarked bounds the lines, in bytes, in which changed words are looked for: nobody reads word by word what is longer.
const maxMarked = 32 << 10

// changedWords compares lines that go with those that come in their place, and gives for each the ranges of bytes that differ. A line of
// which too little stays has none: it is another line, and all of it is new.
func changedWords(removed, added []string) (gone, came [][][2]int) {
	old, now := wordsOf(removed), wordsOf(added)
	gone, came = make([][][2]int, len(removed)), make([][][2]int, len(added))
	if len(removed) == 0 || len(added) == 0 || old.size+now.size > maxMarked {
		return gone, came
	}
	for _, c := range linediff.Diff(old.text, now.text) {
		old.mark(gone, c.A0, c.A1)
		now.mark(came, c.B0, c.B1)
	}
	for i, line := range removed {
		gone[i] = worthMarking(line, gone[i])
	}
	for i, line := range added {
		came[i] = worthMarking(line, came[i])
	}
	return gone, came
}

// words are those of several lines, and where each is from.
type words struct {
	text linediff.Slice
	at   []wordAt
	size int
}

type wordAt struct{ line, start int }

// wordsOf divides lines into words, single marks and runs of blanks. A line's end is one as well.
func wordsOf(lines []string) (w words) {
	for i, line := range lines {
		w.size += len(line)
		for at := 0; at < len(line); {
			n := wordLen(line[at:])
			w.text, w.at = append(w.text, []byte(line[at:at+n])), append(w.at, wordAt{i, at})
			at += n
		}
		w.text, w.at = append(w.text, []byte("\n")), append(w.at, wordAt{i, len(line)})
	}
	return w
}

func wordLen(s string) int {
	first, n := utf8.DecodeRuneInString(s)
	like := func(r rune) bool { return false }
	switch {
	case unicode.IsSpace(first):
		like = unicode.IsSpace
	case text.IsWordRune(first):
		like = text.IsWordRune
	}
	for _, r := range s[n:] {
		if !like(r) {
			break
		}
		n += utf8.RuneLen(r)
	}
	return n
}

// mark adds the words from a to b-1 to the ranges of their lines.
func (w *words) mark(ranges [][][2]int, a, b int) {
	for i := a; i < b; i++ {
		at, n := w.at[i], len(w.text[i])
		if bytes.Equal(w.text[i], []byte("\n")) {
			continue
		}
		of := ranges[at.line]
		if k := len(of) - 1; k >= 0 && of[k][1] == at.start {
			of[k][1] += n
			continue
		}
		ranges[at.line] = append(of, [2]int{at.start, at.start + n})
	}
}

// worthMarking are the ranges if at least a third of what can be seen of the line is outside of them.
func worthMarking(line string, ranges [][2]int) [][2]int {
	seen := func(s string) int { return len(s) - strings.Count(s, " ") - strings.Count(s, "\t") }
	marked := 0
	for _, r := range ranges {
		marked += seen(line[r[0]:r[1]])
	}
	if all := seen(line); marked*3 > all*2 {
		return nil
	}
	return ranges
}
