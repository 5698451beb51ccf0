package retry

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/parser"
)

// skip is an edit that an answer drops with a line of its own, such as "skip block 2" or "skip
// blocks 2 and 3", or "skip line 14" for an attempt that wasn't understood. The number is the one
// in the message about the refusals. Nothing else drops an edit.
type skip struct {
	line   bool // of an attempt
	number int
}

// skipping matches a line that skips edits, also one with Markdown around it, such as "- **skip
// block 2**". A line that begins with ">" is a quotation, and doesn't match.
var skipping = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)^[ \t*_`#-]*skip (block|line)s? " +
		"([0-9]{1,9}(?:(?:,| and|, and) *[0-9]{1,9})*)[ \t*_`.]*$")
})

// skipsIn lists the edits that an answer drops. text is the answer, and answer the parsed text. A
// line such as "skip block 2" only counts where an edit would be read: not inside edits, attempts,
// thoughts or quotations. In a fence it's an example. To find out what the parser would read,
// skipsIn replaces each such line by an edit that searches "skip at line N", and parses the result.
func skipsIn(text []byte, answer *parser.Reply) (skips []skip) {
	var edits [][2]int
	for i := range answer.Blocks {
		edits = append(edits, answer.Blocks[i].Lines)
	}
	for i := range answer.Attempts {
		edits = append(edits, answer.Attempts[i].Lines)
	}
	found := map[string][]skip{} // by the SEARCH of the edit in place of the line
	var probed, fence []byte     // probed is the answer with such edits
	number := 0
	for line := range bytes.Lines(text) {
		number++
		inEdit := slices.ContainsFunc(edits, func(e [2]int) bool {
			return e[0] <= number && number <= e[1]
		})
		if !inEdit {
			fence = fenceAfter(fence, line)
		}
		m := skipping().FindSubmatch(bytes.TrimRight(line, "\r\n"))
		if m == nil || inEdit || fence != nil {
			probed = append(probed, line...)
			continue
		}
		probe := fmt.Sprint("skip at line ", number)
		for _, digits := range bytes.FieldsFunc(m[2], func(r rune) bool { return r < '0' || r > '9' }) {
			n, _ := strconv.Atoi(string(digits)) // at most nine digits
			found[probe] = append(found[probe], skip{bytes.EqualFold(m[1], []byte("line")), n})
		}
		probed = fmt.Appendf(probed,
			"\nskipped.txt\n<<<<<<< SEARCH\n%s\n=======\nskipped\n>>>>>>> REPLACE\n\n", probe)
	}
	if len(found) == 0 {
		return nil
	}
	for _, b := range parser.Parse(probed).Blocks {
		skips = append(skips, found[string(bytes.TrimSpace(b.Search))]...)
	}
	return skips
}

// fenceAfter returns the marker of the fence that is open after a line, such as "```", or nil if
// none is. open is the marker of the fence that is open before the line, or nil.
func fenceAfter(open, line []byte) []byte {
	line = bytes.TrimSpace(line)
	n := len(line) - len(bytes.TrimLeft(line, "`")) // the length of the line's own marker
	if n == 0 {
		n = len(line) - len(bytes.TrimLeft(line, "~"))
	}
	switch {
	case n < 3:
		return open
	case open == nil && bytes.IndexByte(line[n:], '`') < 0: // ```go, but not ```code```
		return line[:n]
	case n == len(line) && bytes.HasPrefix(line, open): // as long as the opening one, or longer
		return nil
	}
	return open
}

// skip drops the edits that the answer skips from Blocks, Refused and Attempts, and sets a.Moved if
// there are any. It adds a sentence about each skip to a.Skipped, also if it can't be followed. An
// edit stays if its name, such as "block 2", is in corrected: the answer has a block for it.
func (r *Reply) skip(skips []skip, corrected []string, a *Answered) {
	for _, s := range skips {
		isBlock := func(b parser.Block) bool { return !s.line && b.ID == s.number }
		isAttempt := func(t report.Located) bool { return s.line && t.Line == s.number }
		block, attempt := slices.IndexFunc(r.Blocks, isBlock), slices.IndexFunc(r.Attempts, isAttempt)
		name := fmt.Sprint("block ", s.number)
		if s.line {
			name = fmt.Sprint("line ", s.number)
		}
		says := fmt.Sprintf("skip %s: the refused run has no open edit with this number", name)
		switch {
		case slices.Contains(corrected, name):
			says = fmt.Sprintf("skip %s is ignored: the answer has a block for it", name)
		case block >= 0:
			says = fmt.Sprintf("%s (%s) is skipped, as the answer says", name, r.Blocks[block].Path)
			r.Blocks, a.Moved = slices.Delete(slices.Clone(r.Blocks), block, block+1), true
			isNumber := func(id int) bool { return id == s.number }
			r.Refused = slices.DeleteFunc(slices.Clone(r.Refused), isNumber)
		case attempt >= 0 && !slices.ContainsFunc(r.Attempts[attempt+1:], isAttempt):
			// Attempts of several answers may be at one line, and can't be told apart then.
			says = fmt.Sprintf("the edit in %s, which was not understood, is skipped, as the answer says", name)
			r.Attempts, a.Moved = slices.Delete(slices.Clone(r.Attempts), attempt, attempt+1), true
		}
		a.Skipped = append(a.Skipped, says)
	}
}
