package jsontext

import "iter"

// Span is a value in a text that was scanned: offsets of its first byte and of the byte after it.
type Span struct{ Start, End int }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// ValueAt returns the span of the value that begins at or after offset i of a scanned text.
func ValueAt(text []byte, i int) Span {
	for isSpace(text[i]) {
		i++
	}
	start, depth := i, 0
	for i < len(text) {
		switch c := text[i]; {
		case c == '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i++
		case c == '{' || c == '[':
			depth++
			i++
		case c == '}' || c == ']':
			depth--
			i++
		case isWord(c):
			for i < len(text) && isWord(text[i]) {
				i++
			}
		default:
			i++
			continue
		}
		if depth == 0 {
			break
		}
	}
	return Span{start, i}
}

// Members yields the keys, as they are between their quotes, and the values of an object.
func Members(text []byte, object Span) iter.Seq2[string, Span] {
	return func(yield func(string, Span) bool) {
		for i := object.Start + 1; ; {
			for isSpace(text[i]) || text[i] == ',' {
				i++
			}
			if text[i] == '}' {
				return
			}
			key := ValueAt(text, i)
			for i = key.End; text[i] != ':'; i++ {
			}
			value := ValueAt(text, i+1)
			if !yield(string(text[key.Start+1:key.End-1]), value) {
				return
			}
			i = value.End
		}
	}
}

// Elements yields the values of an array.
func Elements(text []byte, array Span) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for i := array.Start + 1; ; {
			for isSpace(text[i]) || text[i] == ',' {
				i++
			}
			if text[i] == ']' {
				return
			}
			value := ValueAt(text, i)
			if !yield(value) {
				return
			}
			i = value.End
		}
	}
}
