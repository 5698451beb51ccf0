package strategy

import (
	"bytes"
	"iter"
	"unicode/utf8"
)

// ReplaceError is the reason for a failure of [Replace]. Its value is a stable code.
type ReplaceError string

const (
	// ErrIdentical: old and new are equal.
	ErrIdentical ReplaceError = "identical"
	// ErrNotFound: no strategy finds the text.
	ErrNotFound ReplaceError = "not-found"
	// ErrAmbiguous: every strategy that finds the text finds it in several places.
	ErrAmbiguous ReplaceError = "ambiguous"
	// ErrTooLong: the result would exceed the limit, or be longer than the reference rules can
	// represent.
	ErrTooLong ReplaceError = "too-long"
)

// Error says what is wrong and what to do.
func (e ReplaceError) Error() string {
	return map[ReplaceError]string{
		ErrIdentical: "old and new text are identical: change one of them",
		ErrNotFound:  "old text not found: read the file again and copy the text from it",
		ErrAmbiguous: "old text found in several places: add the lines around the place that is meant, or replace all",
		ErrTooLong:   "replacing makes the text longer than the limit: replace less at once",
	}[e]
}

// longestResult is the longest string of the reference implementation, in UTF-16 units.
const longestResult = 1 << 29

// Replace replaces old with new in content as the reference cascade does, byte for byte, and
// returns the name of the strategy that found the place. The strategies run in order over verbatim
// lines. The first candidate whose text occurs once in content, counting overlapping occurrences,
// is replaced. With replaceAll the very first candidate decides, and every occurrence of its text
// is replaced, from the left and without overlaps. In that case, $$ in new stands for a dollar
// sign, $& for the replaced text, $` for the text before it and $' for the text after it.
//
// Replace is as lenient as the reference: if a strict strategy finds too many places, it takes a
// place found by a looser one. It may change lines that old does not mention, and ignores line
// ends. Errors are of type [ReplaceError].
//
// Replace differs from the reference in two cases. For an empty old, for which the reference's last
// strategy does not terminate, it returns ErrAmbiguous. And if old reduces to nothing, so that text
// is inserted between all characters, it never splits a character.
func Replace(content, old, new []byte, replaceAll bool) (result []byte, strategy string, err error) {
	return ReplaceWithin(content, old, new, replaceAll, longestResult)
}

// ReplaceWithin is [Replace] for a result of at most limit bytes. It allocates at most limit bytes
// plus the length of new.
func ReplaceWithin(content, old, new []byte, replaceAll bool, limit int) (result []byte, strategy string, err error) {
	limit = min(limit, longestResult)
	if bytes.Equal(old, new) {
		return nil, "", ErrIdentical
	}
	doc, pat := NewVerbatim(content), NewVerbatimPattern(old)
	err = ErrNotFound
	for _, s := range Strategies() {
		var tried []byte
		for c := range s.Candidates(doc, pat) {
			text := content[c.Start:c.End]
			if tried != nil && bytes.Equal(text, tried) {
				continue // it occurs more than once
			}
			if replaceAll {
				result, err = replaceEvery(content, text, new, limit)
				return result, s.Name(), err
			}
			if at, once := only(content, text); once {
				if len(content)-len(text)+len(new) > limit {
					return nil, "", ErrTooLong
				}
				return splice(content, at, at+len(text), new), s.Name(), nil
			}
			tried, err = text, ErrAmbiguous
			if s == Strategy(&cascade[0]) {
				break // all candidates of exact have the same text
			}
		}
	}
	return nil, "", err
}

// only returns the offset of the first occurrence of text in content, which has one, and whether it
// is the only one. An empty text occurs between all bytes.
func only(content, text []byte) (at int, once bool) {
	if len(text) == 0 {
		return 0, len(content) == 0
	}
	at = bytes.Index(content, text)
	return at, !bytes.Contains(content[at+1:], text)
}

func splice(content []byte, start, end int, new []byte) []byte {
	result := make([]byte, 0, len(content)-(end-start)+len(new))
	result = append(result, content[:start]...)
	result = append(result, new...)
	return append(result, content[end:]...)
}

// replaceEvery replaces all occurrences of text, without overlaps. The result has at most limit
// bytes.
func replaceEvery(content, text, new []byte, limit int) ([]byte, error) {
	places := disjoint(content, text)
	if len(text) == 0 {
		places = characters(content)
	}
	var result []byte
	copied := 0
	for at := range places {
		result = append(result, content[copied:at]...)
		copied = at + len(text)
		result = appendReplacement(result, new, content, at, copied, limit)
		if len(result) > limit {
			return nil, ErrTooLong
		}
	}
	if len(result)+len(content)-copied > limit {
		return nil, ErrTooLong
	}
	return append(result, content[copied:]...), nil
}

// characters yields the offset of each character, and of the end.
func characters(text []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; at < len(text); {
			if !yield(at) {
				return
			}
			_, size := utf8.DecodeRune(text[at:])
			at += size
		}
		yield(len(text))
	}
}

// appendReplacement appends new to dst and expands its dollar signs: $$ to a dollar sign, $& to the
// replaced text content[start:end], $` to the text before it and $' to the text after it. That's
// what ECMAScript's GetSubstitution does for a search text without groups. It stops when dst has
// more than limit bytes.
func appendReplacement(dst, new, content []byte, start, end, limit int) []byte {
	for len(dst) <= limit {
		dollar := bytes.IndexByte(new, '$')
		if dollar < 0 || dollar+1 == len(new) {
			return append(dst, new...)
		}
		dst = append(dst, new[:dollar]...)
		switch new[dollar+1] {
		case '$':
			dst = append(dst, '$')
		case '&':
			dst = append(dst, content[start:end]...)
		case '`':
			dst = append(dst, content[:start]...)
		case '\'':
			dst = append(dst, content[end:]...)
		default:
			dst, new = append(dst, '$'), new[dollar+1:]
			continue
		}
		new = new[dollar+2:]
	}
	return dst
}
