package breakage

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/srpatch/srpatch/internal/warning"
)

// Change is what a run does to a file.
type Change struct {
	// Path is the file's name, which says what language it is in.
	Path          string
	Before, After []byte
	// Spans are the regions that differ, in order and disjoint.
	Spans []Span
}

// Span is a region that a run changes: byte offsets before and after, ends exclusive.
type Span struct {
	BeforeStart, BeforeEnd int
	AfterStart, AfterEnd   int
	// Last says that what SEARCH names ends where the span does, so that what follows is nothing that the block knows of.
	Last bool
}

// Finding is something that a run breaks.
type Finding struct {
	Code warning.Code
	// Line is where it is in the file after the run, from 1.
	Line int
	// Span is the index of the span that does it, as far as that can be known.
	Span int
	// Says what is wrong and what to do, as a clause that begins with a verb: its subject is the line.
	Says string
}

// largest is the size up to which files are read as a whole.
const largest = 1 << 20

// Find finds what the change breaks. What shows best what happened goes first, and what follows from that is not told as well.
func Find(c *Change) []Finding {
	found := append(strayMarkers(c), strayFences(c)...)
	twice := repeatedLines(c)
	for _, r := range twice {
		if r.tells {
			found = append(found, r.finding(c))
		}
	}
	if len(found) > 0 || len(c.Before) > largest || len(c.After) > largest {
		return found
	}
	broken := brokenSyntax(c)
	if broken == nil {
		return nil
	}
	for _, r := range twice {
		if r.span == broken.Span {
			return []Finding{r.finding(c)}
		}
	}
	return []Finding{*broken}
}

// at makes a finding of a byte of the file after the run.
func (c *Change) at(code warning.Code, span, offset int, format string, args ...any) Finding {
	line := bytes.Count(c.After[:min(offset, len(c.After))], []byte{'\n'}) + 1
	return Finding{Code: code, Line: line, Span: span, Says: fmt.Sprintf(format, args...)}
}

// removed and added are the bytes of a span before and after.
func (c *Change) removed(s Span) []byte { return c.Before[s.BeforeStart:s.BeforeEnd] }
func (c *Change) added(s Span) []byte   { return c.After[s.AfterStart:s.AfterEnd] }

// blamed is the span that is likely to have broken what shows at an offset of the file after the run: the last one above it that adds more
// of one bracket than it takes, if there is one.
func (c *Change) blamed(offset int) int {
	best, uneven := 0, -1
	for i, s := range c.Spans {
		if s.AfterStart > offset && (best > 0 || i > 0) {
			break
		}
		best = i
		if c.outweighs(s) != (count{}) {
			uneven = i
		}
	}
	if uneven >= 0 {
		return uneven
	}
	return best
}

// addedLine is a line of the file after the run that a span has a part of.
type addedLine struct {
	span, offset int
	text         []byte
}

// addedLines are all such lines, each once.
func (c *Change) addedLines() iter.Seq[addedLine] {
	return func(yield func(addedLine) bool) {
		at := 0
		for i, s := range c.Spans {
			if s.AfterStart == s.AfterEnd || s.AfterEnd <= at {
				continue
			}
			if at < s.AfterStart {
				at += bytes.LastIndexByte(c.After[at:s.AfterStart], '\n') + 1
			}
			for line := range bytes.Lines(c.After[at:]) {
				if at >= s.AfterEnd {
					break
				}
				if !yield(addedLine{i, at, line}) {
					return
				}
				at += len(line)
			}
		}
	}
}
