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

// mergeLine merges one line three ways, by its tokens: theirs changes base, and ours is base with
// typos. The tokens that base and theirs share are taken from ours, including blanks and
// typographic characters, and the differences are taken from theirs. From the base "ad(a, b)", ours
// "add(a, b)" and theirs "ad(a, c)" it makes "add(a, c)".
//
// ok is false if theirs inserts text exactly where ours has more or less than base, because the
// order of the two is unknown. whole is false if both theirs and ours change the same tokens, so
// that ours is lost.
func mergeLine(base, ours, theirs []byte) (merged []byte, whole, ok bool) {
	b, f, t := piecesOf(base), piecesOf(ours), piecesOf(theirs)
	fromOurs := linediff.Diff(plainTokens(b), plainTokens(f))
	fromTheirs := linediff.Diff(tokens(b), tokens(t))
	inOurs, inTheirs := follow(len(b), fromOurs), follow(len(b), fromTheirs)
	fromOurs, whole, ok = clearOf(fromOurs, fromTheirs, f, t)
	if !ok {
		return nil, false, false
	}
	put := func(of []piece) {
		for _, p := range of {
			merged = append(append(merged, p.blanks...), p.token...)
		}
	}
	// The loop goes through the tokens of base. At each, it puts what theirs inserts before the
	// token, what ours has instead of it or inserts, and what theirs has instead of it. Finally it
	// puts the token, if neither replaces it.
	inserted := false // ours has additional text before token i
	for i := 0; i <= len(b); {
		if len(fromTheirs) > 0 && fromTheirs[0].A1 == i { // an insertion before token i
			c := fromTheirs[0]
			put(t[c.B0:c.B1])
			fromTheirs = fromTheirs[1:]
			// If ours also changes token i, theirs decides on the blanks after the insertion.
			if len(fromOurs) > 0 && fromOurs[0].A0 == i && c.B1 < len(t) {
				if o := fromOurs[0]; o.B0 < o.B1 && bytes.Equal(b[i].blanks, f[o.B0].blanks) {
					f[o.B0].blanks = t[c.B1].blanks
				}
			}
		}
		if len(fromOurs) > 0 && fromOurs[0].A0 == i {
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
			// After additional text of ours, the blanks before token i are those of ours, unless
			// theirs changes them.
			replaces := c.B0 < c.B1 && c.A0 < c.A1
			if inserted && replaces && inOurs[i] >= 0 && bytes.Equal(b[i].blanks, t[c.B0].blanks) {
				t[c.B0].blanks = f[inOurs[i]].blanks
			}
			put(t[c.B0:c.B1])
			if fromTheirs = fromTheirs[1:]; c.A1 > i {
				i = c.A1
				continue
			}
		}
		if i < len(b) {
			p := t[inTheirs[i]] // theirs keeps the token, but may change the blanks before it
			if k := inOurs[i]; k >= 0 {
				if p.token = f[k].token; bytes.Equal(b[i].blanks, p.blanks) {
					p.blanks = f[k].blanks
				}
			}
			put([]piece{p})
		}
		inserted = false
		i++
	}
	return merged, whole, true
}

// clearOf returns the changes of ours that neither overlap nor equal one of theirs. Both are
// changes of the same base; f and t are the tokens of the results. whole is false if a change of
// ours overlaps a different one of theirs. ok is false if theirs inserts exactly where ours has
// more or less than base.
func clearOf(ours, theirs []linediff.Change, f, t []piece) (out []linediff.Change, whole, ok bool) {
	whole, ok = true, true
	for _, c := range ours {
		meets := false
		for _, d := range theirs {
			own, other := f[c.B0:c.B1], t[d.B0:d.B1]
			equal := c.A0 == d.A0 && c.A1 == d.A1 && slices.EqualFunc(own, other, sameToken)
			// d replaces the text before the insertion c, and ends with the same text
			equal = equal || c.A0 == c.A1 && c.A0 == d.A1 && d.A0 < d.A1 && endsIn(other, own)
			overlap := c.A0 < d.A1 && d.A0 < c.A1
			meets = meets || equal || overlap
			whole = whole && (equal || !overlap)
		}
		if meets {
			continue
		}
		inserts := func(d linediff.Change) bool { return d.A0 == d.A1 && c.A0 <= d.A0 && d.A0 <= c.A1 }
		ok = ok && (c.A1-c.A0 == c.B1-c.B0 || !slices.ContainsFunc(theirs, inserts))
		out = append(out, c)
	}
	return out, whole, ok
}

// endsIn reports whether the last tokens of all are those of end.
func endsIn(all, end []piece) bool {
	n := len(all) - len(end)
	return n >= 0 && slices.EqualFunc(all[n:], end, sameToken)
}

func sameToken(p, q piece) bool { return bytes.Equal(p.token, q.token) }

// follow returns the new index of each of n tokens after the changes, or -1 for replaced tokens. If
// the second of three tokens becomes two tokens, it returns 0, -1, 3.
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

// unspaced are the scripts without blanks between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai,
}

// piece is a token of a line with the blanks before it.
type piece struct{ blanks, token []byte }

// piecesOf splits a line into words, runs of dots and single punctuation marks, each with the
// blanks before it. Unspaced scripts are split into characters.
func piecesOf(line []byte) []piece {
	var out []piece
	for len(line) > 0 {
		n := len(text.Margin(line))
		p := piece{blanks: line[:n]}
		line = line[n:]
		n = 0
		for n < len(line) {
			r, k := utf8.DecodeRune(line[n:])
			word := text.IsWordRune(r) && (n == 0 || line[0] != '.') && !unicode.In(r, unspaced...)
			ellipsis := r == '.' && strings.Trim(string(line[:n]), ".") == ""
			goesOn := word || ellipsis || typography.ZeroWidth(r)
			if goesOn || n == 0 {
				n += k
			}
			if !goesOn {
				break
			}
		}
		p.token, line = line[:n], line[n:]
		out = append(out, p)
	}
	return out
}

// tokens returns the tokens without the blanks before them.
func tokens(of []piece) linediff.Slice {
	out := make(linediff.Slice, len(of))
	for i, p := range of {
		out[i] = p.token
	}
	return out
}

// plainTokens returns the tokens with plain characters instead of typographic ones.
func plainTokens(of []piece) linediff.Slice {
	out := tokens(of)
	for i, t := range out {
		if typography.Has(t) {
			out[i] = typography.Plain(t)
		}
	}
	return out
}
