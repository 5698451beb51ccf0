package splice

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/typography"
)

// mergeLine is the three-way merge of one line by its tokens: base became theirs, and ours is base with slips. What base and
// theirs share is ours, its blanks and typographic characters included; what they differ in is theirs, and so is what ours has
// otherwise in the same place. ok is false where ours has something that base lacks, or the reverse, and theirs puts text in right
// there: only an order says which of the two comes first.
func mergeLine(base, ours, theirs []byte, o order) (merged []byte, ok bool) {
	b, f, t := piecesOf(base), piecesOf(ours), piecesOf(theirs)
	end := mergeEnd(&b, &f, &t)
	fromOurs := linediff.Diff(plainTokens(b), plainTokens(f))
	fromTheirs := linediff.Diff(tokens(b), tokens(t))
	inOurs, inTheirs := follow(len(b), fromOurs), follow(len(b), fromTheirs)
	fromOurs = slices.DeleteFunc(fromOurs, func(c linediff.Change) bool {
		return slices.ContainsFunc(fromTheirs, func(d linediff.Change) bool {
			return c.A0 < d.A1 && d.A0 < c.A1 || c.A0 == d.A0 && c.A1 == d.A1 && slices.EqualFunc(f[c.B0:c.B1], t[d.B0:d.B1], sameToken)
		})
	})
	for _, c := range fromOurs {
		if o == unordered && c.A1-c.A0 != c.B1-c.B0 && slices.ContainsFunc(fromTheirs, func(d linediff.Change) bool { return d.A0 == d.A1 && c.A0 <= d.A0 && d.A0 <= c.A1 }) {
			return nil, false
		}
	}

	var out []byte
	put := func(of []piece) {
		for _, p := range of {
			out = append(append(out, p.blanks...), p.token...)
		}
	}
	inserted := false // ours has something more before token i
	for i := 0; i <= len(b); {
		if o == theirsFirst && len(fromTheirs) > 0 && fromTheirs[0].A0 == i && fromTheirs[0].A1 == i && len(fromOurs) > 0 && fromOurs[0].A0 == i {
			put(t[fromTheirs[0].B0:fromTheirs[0].B1])
			fromTheirs = fromTheirs[1:]
		}
		if len(fromOurs) > 0 && fromOurs[0].A0 == i && (len(fromTheirs) == 0 || fromTheirs[0].A0 > i || fromOurs[0].A1 == i) {
			c := fromOurs[0]
			put(f[c.B0:c.B1])
			if fromOurs = fromOurs[1:]; c.A1 > i {
				i = c.A1
				continue
			}
			inserted = true
		}
		if len(fromTheirs) > 0 && fromTheirs[0].A0 == i {
			c := fromTheirs[0]
			if inserted && c.B0 < c.B1 && c.A0 < c.A1 && inOurs[i] >= 0 && bytes.Equal(b[i].blanks, t[c.B0].blanks) {
				t[c.B0].blanks = f[inOurs[i]].blanks
			}
			put(t[c.B0:c.B1])
			if fromTheirs = fromTheirs[1:]; c.A1 > i {
				i = c.A1
				continue
			}
		}
		if i == len(b) {
			break
		}
		p := t[inTheirs[i]]
		if k := inOurs[i]; k >= 0 {
			if bytes.Equal(b[i].blanks, p.blanks) {
				p.blanks = f[k].blanks
			}
			p.token = f[k].token
		}
		put([]piece{p})
		inserted = false
		i++
	}
	return append(out, end...), true
}

// order says which comes first where ours and theirs put text into the same place of a line.
type order uint8

const (
	unordered order = iota
	theirsFirst
	oursFirst
)

// mergeAround is the merge where ours is all of base with something before it, or after it: that stays around theirs.
func mergeAround(base, ours, theirs []byte) (merged []byte, ok bool) {
	if after, ok := bytes.CutPrefix(ours, base); ok && len(base) > 0 && !text.JoinWord(base, after) {
		return slices.Concat(theirs, after), true
	}
	if before, ok := bytes.CutSuffix(ours, base); ok && len(base) > 0 && !text.JoinWord(before, base) {
		return slices.Concat(before, theirs), true
	}
	return nil, false
}

// apart reports whether no token that theirs changes is one that ours has otherwise, so that a merge has both changes.
func apart(base, ours, theirs []byte) bool {
	b := piecesOf(base)
	fromTheirs := linediff.Diff(tokens(b), tokens(piecesOf(theirs)))
	for _, c := range linediff.Diff(plainTokens(b), plainTokens(piecesOf(ours))) {
		if slices.ContainsFunc(fromTheirs, func(d linediff.Change) bool { return c.A0 < d.A1 && d.A0 < c.A1 }) {
			return false
		}
	}
	return true
}

// HasGrown reports whether ours is base with more in it.
func HasGrown(base, ours []byte) bool {
	changes := linediff.Diff(plainTokens(piecesOf(base)), plainTokens(piecesOf(ours)))
	return !slices.ContainsFunc(changes, func(c linediff.Change) bool { return c.A0 < c.A1 })
}

func sameToken(p, q piece) bool { return bytes.Equal(p.token, q.token) }

// follow maps each of n tokens to where it is after the changes; -1 for those that they replace.
func follow(n int, changes []linediff.Change) []int {
	to := make([]int, n)
	off := 0
	for i := range to {
		for len(changes) > 0 && changes[0].A1 <= i {
			off = changes[0].B1 - changes[0].A1
			changes = changes[1:]
		}
		to[i] = i + off
		if len(changes) > 0 && changes[0].A0 <= i {
			to[i] = -1
		}
	}
	return to
}

// piece is a token of a line with the blanks before it.
type piece struct{ blanks, token []byte }

// piecesOf cuts a line into words, dots and single marks. Scripts that have no blanks between words are cut into characters.
func piecesOf(line []byte) []piece {
	var out []piece
	for len(line) > 0 {
		n := len(text.Margin(line))
		p := piece{blanks: line[:n]}
		line = line[n:]
		n = 0
		for n < len(line) {
			r, k := utf8.DecodeRune(line[n:])
			inWord := text.IsWordRune(r) && (n == 0 || line[0] != '.') && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) ||
				typography.ZeroWidth(r) || r == '.' && strings.Trim(string(line[:n]), ".") == "" // an ellipsis has a sign of its own as well
			if inWord || n == 0 {
				n += k
			}
			if !inWord {
				break
			}
		}
		p.token, line = line[:n], line[n:]
		out = append(out, p)
	}
	return out
}

func tokens(of []piece) linediff.Slice {
	out := make(linediff.Slice, len(of))
	for i, p := range of {
		out[i] = p.token
	}
	return out
}

func plainTokens(of []piece) linediff.Slice {
	out := tokens(of)
	for i, t := range out {
		if typography.Has(t) {
			out[i] = typography.Plain(t)
		}
	}
	return out
}

// mergeEnd takes the marks that separate and those that close off the ends of the three lines, and merges each for itself: they
// belong to what is around the line rather than to what the line says.
func mergeEnd(base, ours, theirs *[]piece) []byte {
	missing := unclosed(*base) - unclosed(*ours) // brackets that ours closes, and base does not
	alike := unclosed(*base) == unclosed(*theirs)
	b, o, t := cutMarks(base, ",;"), cutMarks(ours, ",;"), cutMarks(theirs, ",;")
	separators := t
	if bytes.Equal(b, t) && (len(o) == 0 || mayClose(*base, *theirs)) {
		separators = o
	}
	b, o, t = cutMarks(base, ")]}"), cutMarks(ours, ")]}"), cutMarks(theirs, ")]}")
	closers := t
	if more, longer := bytes.CutPrefix(o, b); alike && longer && len(more) == missing && mayClose(*base, *theirs) {
		closers = slices.Concat(t, more)
	} else if less, longer := bytes.CutPrefix(b, o); alike && longer && len(less) == -missing && bytes.HasSuffix(t, less) {
		closers = t[:len(t)-len(less)]
	} else if bytes.Equal(b, t) {
		closers = o
	}
	return append(slices.Clip(closers), separators...)
}

// unclosed is how many brackets a line opens more than it closes.
func unclosed(line []piece) int {
	n := 0
	for _, p := range line {
		switch p.token[0] {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

// cutMarks takes the marks off the end of a line that has something before them.
func cutMarks(line *[]piece, marks string) []byte {
	n := len(*line)
	for n > 1 && bytes.ContainsAny((*line)[n-1].token, marks) {
		n--
	}
	var cut []byte
	for _, p := range (*line)[n:] {
		cut = append(append(cut, p.blanks...), p.token...)
	}
	*line = (*line)[:n]
	return cut
}

// mayClose reports whether a mark may follow theirs, because it ends as base does or with a word, a string or a bracket.
func mayClose(base, theirs []piece) bool {
	if len(base) == 0 || len(theirs) == 0 {
		return false
	}
	last := theirs[len(theirs)-1]
	return sameToken(last, base[len(base)-1]) || text.BeginsWithWord(last.token) || bytes.ContainsAny(last.token, "()[]{}\"'`")
}
