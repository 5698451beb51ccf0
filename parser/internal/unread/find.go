// Package unread looks for edits that the parser missed. It searches the lines from which nothing
// was read for traces of edits.
package unread

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Finding is a part of a text that may have been meant as an edit.
type Finding struct {
	// Lines are the numbers of the first and last line, 1-based and inclusive.
	Lines [2]int
	// Path is a file named in those lines; "" if there is none.
	Path string
	// Sure says that only an edit marks both sides like this. Otherwise the text may only show
	// something.
	Sure bool
	// Line is the number of the line that marks the first side; Found quotes that line.
	Line  int
	Found string
}

// Text is text between parts of the reply that were read.
type Text struct {
	Lines [][]byte
	First int // the number of the first line
	// Above and Below say that a block is directly above or below the text.
	Above, Below bool
	// Alone says that the whole reply contains no block.
	Alone bool
}

const (
	// far is the number of lines without a trace that separate two findings.
	far = 40
	// farBelow is the number that separate them after a certain sign of an old text.
	farBelow = 400
	// nearName is the maximum distance, in lines, between an edit and the name of its file.
	nearName = 4
)

// Find returns the parts of a text that have enough traces (signs) of an edit. Traces that are far
// from each other belong to different parts. Find changes t.Lines.
func Find(t Text) (found []Finding) {
	all := make([]traces, len(t.Lines))
	for i, line := range t.Lines {
		if mayTrace(line) {
			all[i] = tracesOf(line)
		}
	}
	if t.Above {
		clearFence(t.Lines, all)
	}
	if t.Below {
		clearIntro(t.Lines, all)
	}
	for from := 0; from < len(all); from++ {
		if all[from] == 0 {
			continue
		}
		to, reach := from, far // the last line with a trace; how far the next one may be from it
		for i := from; i < len(all) && i-to <= reach; i++ {
			if all[i]&(sureOld|sureNew) == sureOld {
				reach = farBelow
			} else if all[i]&sureNew != 0 {
				reach = far
			}
			if all[i] != 0 {
				to = i
			}
		}
		if f, ok := judge(&t, all, from, to); ok {
			found = append(found, f)
		}
		from = to
	}
	return found
}

// clearIntro clears the traces in the last lines, which introduce the block below: names, labels,
// fences and tags. It sets those lines to nil. It goes upwards and stops at any other line.
func clearIntro(lines [][]byte, all []traces) {
	first := slices.IndexFunc(all, func(t traces) bool { return t != 0 })
	if first < 0 {
		return
	}
	const old, new = oldTrace | sureOld, newTrace | sureNew
	blank := false // a blank line is below the current one
	for i := len(lines) - 1; i >= first; i-- {
		line := bytes.TrimSpace(lines[i])
		for range maxMarks {
			line = bytes.TrimSpace(trimMark(line))
		}
		blank = blank || len(line) == 0 && lines[i] != nil
		t := all[i]
		// A label or tag for both sides is not an introduction, but perhaps an edit. A fence counts
		// only if no blank line separates it from the block.
		label := t != 0 && (t&^old == 0 || t&^new == 0)
		fence := t&fenceTrace != 0 && !blank
		marker := has(line, "<<<") || has(line, ">>>")
		tag := len(line) > 1 && line[0] == '<' && line[1] != '<' && (t&old == 0 || t&new == 0)
		if len(line) > 0 && !tag && (marker || !label && !fence) {
			if _, name := nameOf(lines[i]); name == 0 {
				return
			}
		}
		all[i] = 0
		lines[i] = nil
	}
}

// clearFence clears the traces in the first fence line, which closes the fence around the block
// above.
func clearFence(lines [][]byte, all []traces) {
	for i, line := range lines {
		if len(bytes.TrimSpace(line)) > 0 {
			if all[i] == fenceTrace {
				all[i] = 0
			}
			return
		}
	}
}

// judge decides whether the lines from the first trace to the last, which have the indices from and
// to, may be an edit. It also considers the names around them. ok is false if they are no edit.
func judge(t *Text, all []traces, from, to int) (f Finding, ok bool) {
	const parts = formTrace | oldTrace | newTrace | keyTrace
	sum, forms, fences, first := count(all[from : to+1])
	side := from + first
	f.Lines = [2]int{from, to}
	for i := max(0, from-nearName); i < min(len(all), to+nearName+1); i++ {
		name, one := nameOf(t.Lines[i])
		if one == nameTrace && sum&parts == 0 && !nextToFence(all, i) {
			continue // without a sign of a format, a name counts only next to a fence
		}
		if one != 0 {
			sum |= one
			f.Lines = [2]int{min(f.Lines[0], i), max(f.Lines[1], i)}
			if f.Path == "" {
				f.Path = name
			}
		}
	}
	f.Found = mdline.Excerpt(t.Lines[side])
	f.Line, f.Lines = side+t.First, [2]int{f.Lines[0] + t.First, f.Lines[1] + t.First}
	f.Sure = sum.sure(fences, t.Alone)
	return f, f.Sure || sum.edit(forms, fences, t.Alone)
}

// count combines the traces of several lines. forms is the number of lines that contain part of a
// format or mark a side, and first is the index of the first such line, or 0. fences is the number
// of fence lines.
func count(all []traces) (sum traces, forms, fences, first int) {
	for i, one := range all {
		sum |= one
		if one&(formTrace|oldTrace|newTrace) != 0 {
			if forms++; forms == 1 {
				first = i
			}
		}
		if one&fenceTrace != 0 {
			fences++
		}
	}
	return sum, forms, fences, first
}

// sure reports whether only an edit can have these traces. fences is the number of fence lines;
// alone says that the reply contains no block.
func (t traces) sure(fences int, alone bool) bool {
	const sides, sure = oldTrace | newTrace, sureOld | sureNew
	const markers = searchTrace | replaceTrace | dividerTrace
	switch {
	case t&sure == sure:
		return t&(nameTrace|saidTrace) != 0 || t&markers == markers
	case alone && t&sides == sides:
		return fences > 3 && t&nameTrace != 0 // two texts in fences, below labels
	}
	return false
}

// edit reports whether an edit may have these traces. forms is the number of lines with part of a
// format or a mark of a side. fences and alone mean the same as for sure.
func (t traces) edit(forms, fences int, alone bool) bool {
	const sides = oldTrace | newTrace
	switch {
	case t&sides == sides: // in a reply without edits, "Before" and "After" alone are prose
		return !alone || t&^sides != 0
	case forms > 1:
		return true
	case t&(sides|formTrace|keyTrace) != 0 && t&(nameTrace|saidTrace) != 0,
		t&formTrace != 0 && fences > 0:
		return true
	case t&sides != 0:
		return fences > 2 // for two texts
	}
	return !alone && fences > 0 && t&(nameTrace|saidTrace) != 0 // without other edits, it is a whole file
}

// nextToFence reports whether a fence is in line i, in the line above it, or in one of the two
// below.
func nextToFence(all []traces, i int) bool {
	for _, t := range all[max(0, i-1):min(len(all), i+3)] {
		if t&fenceTrace != 0 {
			return true
		}
	}
	return false
}
