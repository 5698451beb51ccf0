package splice

import (
	"bytes"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/typography"
)

// mergeLine is the three-way merge of one line: base became theirs by a change in one place, and ours differs from base
// outside of it. The result is ours with that change. ok is false unless it is certain where in ours the change goes:
// either all before it or all after it must equal base, typographic stand-ins aside, and what it replaces must occur in
// ours exactly.
func mergeLine(base, ours, theirs []byte) (merged []byte, ok bool) {
	head := text.CommonPrefix(base, theirs)
	tail := text.CommonSuffix(base[head:], theirs[head:])
	if head == 0 && tail == 0 {
		return nil, false
	}
	gone, come := base[head:len(base)-tail], theirs[head:len(theirs)-tail]

	if tail > 0 {
		if n, found := typography.SuffixLen(ours, base[len(base)-tail:]); found {
			if before, found := bytes.CutSuffix(ours[:len(ours)-n], gone); found && lastAlike(before, base[:head], come, gone) {
				return concat(before, come, ours[len(ours)-n:]), true
			}
		}
	}
	if head > 0 {
		if n, found := typography.PrefixLen(ours, base[:head]); found {
			if after, found := bytes.CutPrefix(ours[n:], gone); found && firstAlike(after, base[len(base)-tail:], come, gone) {
				return concat(ours[:n], come, after), true
			}
		}
	}
	return nil, false
}

// lastAlike and firstAlike report whether a and b agree next to the change, blanks included: where they differ right there, the
// change may be about just that. Where it begins, or ends, with blanks that come or go, as many must be there: a may have
// them already, or lack them.
func lastAlike(a, b, come, gone []byte) bool {
	s, t := text.Tokens(a), text.Tokens(b)
	r, _ := utf8.DecodeLastRune(a)
	q, _ := utf8.DecodeLastRune(b)
	if len(text.Margin(come))+len(text.Margin(gone)) > 0 && text.Trailing(a) != text.Trailing(b) {
		return false
	}
	return r == q && len(s) > 0 && len(t) > 0 && bytes.Equal(s[len(s)-1], t[len(t)-1]) || len(a) == 0 && len(b) == 0
}

func firstAlike(a, b, come, gone []byte) bool {
	s, t := text.Tokens(a), text.Tokens(b)
	r, _ := utf8.DecodeRune(a)
	q, _ := utf8.DecodeRune(b)
	if text.Trailing(come)+text.Trailing(gone) > 0 && len(text.Margin(a)) != len(text.Margin(b)) {
		return false
	}
	return r == q && len(s) > 0 && len(t) > 0 && bytes.Equal(s[0], t[0]) || len(a) == 0 && len(b) == 0
}

func concat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
