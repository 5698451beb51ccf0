package apply

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// maxFragment is the largest size, in bytes, of each side of a block that changes part of a line.
const maxFragment = 1 << 10

// fragment finds a SEARCH that is one line and occurs in the file as part of a line, such as an
// attribute of a tag or a list item without its bullet. It must occur once, with punctuation around
// it, and REPLACE must be one line that fits there. If SEARCH doesn't occur, and REPLACE does in
// this way, the block is already applied there. fragment returns one place, or nil.
func (s *search) fragment(v *reading.Reading) []*placement {
	if v.Search.Len() != 1 || v.Replace.Len() != 1 || len(v.Hunks()) == 0 {
		return nil
	}
	old, new := bytes.TrimSpace(v.Search.Line(0)), bytes.TrimSpace(v.Replace.Line(0))
	if max(len(old), len(new)) > maxFragment || len(new) == 0 || !tellsPart(old) {
		return nil
	}
	if at, ok := s.onlyPart(old); ok && fits(s.doc.Line(s.doc.LineAt(at.Start)), old, new) {
		p := s.partPlacement(v, at, new)
		if s.textSearch().insertedBefore(old, new, at.Start) {
			p.kind = ofResult
		}
		return s.one(p)
	}
	if at, ok := s.onlyPart(new); ok && !bytes.Contains(s.doc.Text(), old) && tellsPart(new) &&
		text.ShareTokens(old, new) {
		p := s.partPlacement(v.Result(), at, new)
		p.kind = ofResult
		return s.one(p)
	}
	return nil
}

// partPlacement returns the placement of v, whose SEARCH is the part of a line at the given
// offsets. REPLACE's text, new, replaces that part.
func (s *search) partPlacement(v *reading.Reading, at strategy.Candidate, new []byte) *placement {
	line := s.doc.LineAt(at.Start)
	return &placement{
		kind: ofText, tier: tierNormalized, strategy: lineFragment, score: 1, reading: v, inside: &at,
		alignment: align.Alignment{{Search: 0, File: line, Relation: align.Partial, Similarity: 1}},
		insert:    splice.Edit{Start: at.Start, End: at.End, Text: new},
		notes:     []string{warning.Fragment.Say("SEARCH is a part of line %d", line+1)},
	}
}

// onlyPart returns where part occurs in the document if it occurs once, inside a line, and is
// complete on its own. The beginning of a line doesn't count: `import os` in `import os.path` isn't
// a complete statement. In code, neither do strings and comments.
func (l *locator) onlyPart(part []byte) (at strategy.Candidate, ok bool) {
	all := l.doc.Text()
	start := bytes.Index(all, part)
	if start < 0 || bytes.Contains(all[start+1:], part) {
		return at, false
	}
	i := l.doc.LineAt(start)
	line, from := l.doc.Line(i), start-l.doc.Start(i)
	to := from + len(part) // part is line[from:to]
	if to > len(line) || text.JoinWord(line[:from], part) || text.JoinWord(part, line[to:]) {
		return at, false
	}
	head, tail := bytes.TrimRight(line[:from], " \t"), bytes.TrimLeft(line[to:], " \t")
	if len(head) == from && len(head) > 0 && !separates(head, part) {
		return at, false
	}
	inTag := bytes.IndexByte(head, '<') >= 0 && isOneOf(part[len(part)-1], "\"'}")
	switch code := text.IsCode(l.path) && !text.IsMarkup(l.path); {
	case len(head) == 0:
		return at, false // the beginning of a line
	case code && (text.InString(line, from) || bytes.Contains(head, []byte("//")) ||
		bytes.IndexByte(head, '#') >= 0):
		return at, false // in a string or a comment
	case !mayPrecede(head, code && !inTag) || len(tail) > 0 && !mayFollow(tail, code && !inTag):
		return at, false
	}
	return strategy.Candidate{Start: start, End: start + len(part)}, true
}

// separates reports whether head, directly before part, ends with a sign that separates the two. A
// heading may be glued to the sentence above it.
func separates(head, part []byte) bool {
	last, before := head[len(head)-1], head[:len(head)-1]
	if isOneOf(last, ".!?") {
		return part[0] == '#' && bytes.HasPrefix(bytes.TrimLeft(part, "#"), []byte(" "))
	}
	apostrophe := text.IsQuote(last) && text.EndsWithWord(before) && text.BeginsWithWord(part)
	return isOneOf(last, "([{,;\"'`>=*_|") && !apostrophe
}

// mayPrecede reports whether head, the text of a line up to its last nonblank character, may come
// before a part that is complete on its own. A bracket, a comma or a quote at the end of head
// separates the two, and so does a lone "=" or ":". After another operator, or after a word in
// code, the part would belong to a larger expression.
func mayPrecede(head []byte, code bool) bool {
	last := head[len(head)-1]
	switch {
	case isOneOf(last, "([{,;\"'`>"):
		return true
	case isOneOf(last, "=:"):
		return !isOneOf(head[max(0, len(head)-2)], "=!<>:") // not "==", "<=", "::" and so on
	}
	return !code && !isOneOf(last, operators)
}

// mayFollow reports whether tail, the text of a line from its next nonblank character on, may come
// after a part that is complete on its own. In code, only brackets, separators and quotes may.
func mayFollow(tail []byte, code bool) bool {
	if isOneOf(tail[0], ")]},;\"'`>") || bytes.HasPrefix(tail, []byte("</")) || bytes.HasPrefix(tail, []byte("/>")) {
		return true
	}
	return !code && !isOneOf(tail[0], operators+"<([")
}

// operators join expressions.
const operators = "+/%&|^!?=@$#\\"

// fits reports whether new can replace old, a part of the line. It must not repeat words next to
// old, or leave other brackets open. It must not begin or end a statement or a comment that old
// doesn't.
func fits(line, old, new []byte) bool {
	for t := range text.EachToken(new) {
		if text.BeginsWithWord(t) && text.HasToken(line, t) && !text.HasToken(old, t) {
			return false // new repeats a word next to old
		}
	}
	has := func(part []byte, sign string) bool { return bytes.Contains(part, []byte(sign)) }
	o, n := text.Tokens(old), text.Tokens(new)
	oldEnd, newEnd := o[len(o)-1], n[len(n)-1]
	switch {
	case !slices.Equal(openBrackets(old), openBrackets(new)),
		has(old, "//") != has(new, "//"), has(old, "#") != has(new, "#"): // may be comments
		return false
	case !bytes.Equal(o[0], n[0]) && (text.IsKeyword(string(n[0])) || text.BeginsComment(new)):
		return false // new begins a statement or a comment
	case !bytes.Equal(oldEnd, newEnd) && isOneOf(newEnd[0], ";,:{"):
		return false // new ends a statement
	}
	// If new begins as the line does, it may be a version of the whole line.
	return bytes.HasPrefix(new, o[0]) || !bytes.HasPrefix(bytes.TrimSpace(line), n[0])
}

// tellsPart reports whether a part of a line is distinctive enough to be searched for: it has a
// name or a quote, and it's long or has several tokens.
func tellsPart(part []byte) bool {
	tokens := text.Tokens(part)
	named := slices.ContainsFunc(tokens, func(t []byte) bool {
		return text.BeginsWithWord(t) && !text.IsKeyword(string(t)) || text.IsQuote(t[0])
	})
	return named && (text.Weight(part) > 5 || text.Telling(part) && len(tokens) > 1)
}

func isOneOf(sign byte, signs string) bool { return strings.IndexByte(signs, sign) >= 0 }

// openBrackets returns how many brackets of each kind a part of a line leaves open (negative if it
// closes more), and whether double and back quotes are left without a partner (1 or 0).
func openBrackets(part []byte) []int {
	count := func(sign string) int { return bytes.Count(part, []byte(sign)) }
	return []int{count("(") - count(")"), count("[") - count("]"), count("{") - count("}"),
		count(`"`) % 2, count("`") % 2}
}
