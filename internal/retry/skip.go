package retry

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/srpatch/srpatch/parser"
)

// Skips is what an answer gives up, by the numbers that the message about the refusals has: a line of its own such as "skip block 2", or "skip line
// 14" for an attempt that was not understood. Nothing else leaves a block out.
type Skips struct {
	Blocks, Lines []int
}

// Any reports whether something is given up.
func (s *Skips) Any() bool { return len(s.Blocks)+len(s.Lines) > 0 }

// skip matches such a line. Models decorate what they write; with ">" before it, it is somebody else's.
var skip = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)^[ \t*_`#-]*skip (block|line) ([0-9]{1,9})[ \t*_`.]*$")
})

// Add adds what an answer gives up in its lines, as far as an edit in their place would be read as one: not in its edits and attempts at
// edits, in thoughts, or in what it quotes. In a fence such a line is an example.
func (s *Skips) Add(text []byte, answer *parser.Reply) {
	var edits [][2]int
	for i := range answer.Blocks {
		edits = append(edits, answer.Blocks[i].Lines)
	}
	for i := range answer.Attempts {
		edits = append(edits, answer.Attempts[i].Lines)
	}
	found := map[int][][]byte{} // by line
	var asked []byte            // the answer with an edit in place of each of the lines
	var fence []byte
	number := 0
	for line := range bytes.Lines(text) {
		number++
		inEdit := slices.ContainsFunc(edits, func(e [2]int) bool { return e[0] <= number && number <= e[1] })
		if !inEdit {
			fence = fenceAfter(fence, line)
		}
		m := skip().FindSubmatch(bytes.TrimRight(line, "\r\n"))
		if m == nil || inEdit || fence != nil {
			asked = append(asked, line...)
			continue
		}
		found[number] = m
		asked = fmt.Appendf(asked, "\nskipped.txt\n<<<<<<< SEARCH\n%s%d\n=======\nskipped\n>>>>>>> REPLACE\n\n", probe, number)
	}
	if len(found) == 0 {
		return
	}
	blocks := parser.Parse(asked).Blocks
	for i := range blocks {
		line, is := bytes.CutPrefix(bytes.TrimSpace(blocks[i].Search), []byte(probe))
		n, err := strconv.Atoi(string(line))
		m := found[n]
		if !is || err != nil || m == nil {
			continue
		}
		delete(found, n)
		n, _ = strconv.Atoi(string(m[2])) // at most nine digits
		if bytes.EqualFold(m[1], []byte("block")) {
			s.Blocks = append(s.Blocks, n)
		} else {
			s.Lines = append(s.Lines, n)
		}
	}
}

// probe is what the edits search that are put in place of lines.
const probe = "skip at line "

// fenceAfter is the sign of the fence that is open after a line, nil for none, where open is that of the one before it.
func fenceAfter(open, line []byte) []byte {
	line = bytes.TrimSpace(line)
	n := len(line) - len(bytes.TrimLeft(line, "`"))
	if n == 0 {
		n = len(line) - len(bytes.TrimLeft(line, "~"))
	}
	switch {
	case n < 3:
		return open
	case open == nil && bytes.IndexByte(line[n:], '`') < 0:
		return line[:n]
	case n == len(line) && bytes.HasPrefix(line, open):
		return nil
	}
	return open
}

// without is the reply without what is given up; index has for each attempt that is left which one of the reply it is. What was given up, and
// what could not be, is noted.
func (r *Reply) without(s Skips, a *Answered) (blocks []parser.Block, attempts []Attempt, index []int) {
	blocks = slices.Clone(r.Blocks)
	for _, n := range s.Blocks {
		i := slices.IndexFunc(blocks, func(b parser.Block) bool { return b.ID == n })
		if i < 0 {
			a.Skipped = append(a.Skipped, fmt.Sprintf("skip block %d: the refused run has no open block with this number", n))
			continue
		}
		a.Skipped = append(a.Skipped, fmt.Sprintf("block %d (%s) is skipped, as the answer says", n, blocks[i].Path))
		blocks, a.Moved = slices.Delete(blocks, i, i+1), true
	}
	gone := map[int]bool{}
	for _, n := range s.Lines {
		at := func(t Attempt) bool { return t.Line == n }
		i := slices.IndexFunc(r.Attempts, at)
		if i < 0 || slices.ContainsFunc(r.Attempts[i+1:], at) {
			a.Skipped = append(a.Skipped, fmt.Sprintf("skip line %d: no edit that was not understood begins there", n))
			continue
		}
		a.Skipped = append(a.Skipped, fmt.Sprintf("the edit in line %d of the reply, which was not understood, is skipped, as the answer says", n))
		gone[i], a.Moved = true, true
	}
	for i, t := range r.Attempts {
		if !gone[i] {
			attempts, index = append(attempts, t), append(index, i)
		}
	}
	return blocks, attempts, index
}
