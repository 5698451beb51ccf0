package parser

import (
	"encoding/json"
	"errors"
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON is read here and not by encoding/json for two reasons: the text comes line by line and most lines that begin
// with a brace are no JSON, which must show at once; and encoding/json replaces what is no UTF-8 or half a surrogate
// pair by U+FFFD, which would end up in files.

// jsonState is what the scanner expects next.
type jsonState uint8

const (
	jsonWantValue      jsonState = iota
	jsonWantValueOrEnd           // after [
	jsonWantKeyOrEnd             // after {
	jsonWantKey                  // after a comma in an object
	jsonWantColon
	jsonWantComma // or the end
	jsonInString
	jsonInEscape
	jsonInHex
	jsonInWord // number, true, false, null
	jsonDone
)

// expected says in words what the state waits for.
func (s jsonState) expected() string {
	switch s {
	case jsonWantKeyOrEnd, jsonWantKey:
		return `a key in double quotes`
	case jsonWantColon:
		return `a colon after the key`
	case jsonWantComma:
		return `a comma, or the end of the object or array`
	case jsonInString, jsonInEscape, jsonInHex:
		return `a string whose line ends are written \n, tabs \t and double quotes \"`
	}
	return "a JSON value"
}

const (
	maxJSONDepth = 64 // edits nest a handful of levels; every level costs a pass over its value
	maxJSONWord  = 64 // no number of an edit has as many digits
)

// jsonScanner checks JSON byte by byte, without keeping it.
type jsonScanner struct {
	state jsonState
	stack []byte // the open { and [
	inKey bool
	hex   int
	word  []byte
	key   func(raw []byte) // called with each key as it is between its quotes
}

// scan takes a piece of text, which must not break inside of a key, and returns how much of it belongs to the value:
// all of it, unless the value ended there. ok is false if the text is no JSON, and then n says where.
func (s *jsonScanner) scan(text []byte) (n int, ok bool) {
	keyStart := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch s.state {
		case jsonInString:
			for c != '"' && c != '\\' && c >= ' ' && i+1 < len(text) {
				i++
				c = text[i]
			}
			switch {
			case c == '\\':
				s.state = jsonInEscape
			case c < ' ':
				return i, false
			case c == '"' && s.inKey:
				s.key(text[keyStart:i])
				s.state, s.inKey = jsonWantColon, false
			case c == '"':
				s.endValue()
			}
			continue
		case jsonInEscape:
			switch c {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				s.state = jsonInString
			case 'u':
				s.state, s.hex = jsonInHex, 0
			default:
				return i, false
			}
			continue
		case jsonInHex:
			if _, ok := hexDigit(c); !ok {
				return i, false
			}
			if s.hex++; s.hex == 4 {
				s.state = jsonInString
			}
			continue
		case jsonInWord:
			if isJSONWord(c) {
				if len(s.word) == maxJSONWord {
					return i, false
				}
				s.word = append(s.word, c)
				continue
			}
			if !json.Valid(s.word) {
				return i, false
			}
			s.endValue()
			if s.state == jsonDone {
				return i, true
			}
		case jsonDone:
			return i, true
		}
		if isJSONSpace(c) {
			continue
		}
		if !s.structure(c) {
			return i, false
		}
		if s.state == jsonInString {
			keyStart = i + 1
		}
		if s.state == jsonDone {
			return i + 1, true
		}
	}
	return len(text), true
}

// structure takes a byte outside of strings and words.
func (s *jsonScanner) structure(c byte) bool {
	switch s.state {
	case jsonWantColon:
		s.state = jsonWantValue
		return c == ':'
	case jsonWantComma:
		top := s.stack[len(s.stack)-1]
		switch {
		case c == ',' && top == '{':
			s.state = jsonWantKey
		case c == ',':
			s.state = jsonWantValue
		case c == '}' && top == '{' || c == ']' && top == '[':
			s.stack = s.stack[:len(s.stack)-1]
			s.endValue()
		default:
			return false
		}
		return true
	case jsonWantKey, jsonWantKeyOrEnd:
		if c == '}' && s.state == jsonWantKeyOrEnd {
			s.stack = s.stack[:len(s.stack)-1]
			s.endValue()
			return true
		}
		if c != '"' {
			return false
		}
		s.state, s.inKey = jsonInString, true
		return true
	}
	switch {
	case c == ']' && s.state == jsonWantValueOrEnd:
		s.stack = s.stack[:len(s.stack)-1]
		s.endValue()
	case c == '{' || c == '[':
		if len(s.stack) == maxJSONDepth {
			return false
		}
		s.stack = append(s.stack, c)
		s.state = jsonWantKeyOrEnd
		if c == '[' {
			s.state = jsonWantValueOrEnd
		}
	case c == '"':
		s.state = jsonInString
	case isJSONWord(c):
		s.state, s.word = jsonInWord, append(s.word[:0], c)
	default:
		return false
	}
	return true
}

func (s *jsonScanner) endValue() {
	s.state = jsonWantComma
	if len(s.stack) == 0 {
		s.state = jsonDone
	}
}

func isJSONWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// jsonSpan is a value in a text that was scanned: offsets of its first byte and of the byte after it.
type jsonSpan struct{ start, end int }

func isJSONSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// jsonValueAt returns the span of the value that begins at or after offset i of a scanned text.
func jsonValueAt(text []byte, i int) jsonSpan {
	for isJSONSpace(text[i]) {
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
		case isJSONWord(c):
			for i < len(text) && isJSONWord(text[i]) {
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
	return jsonSpan{start, i}
}

// jsonMembers yields the keys, as they are between their quotes, and the values of an object.
func jsonMembers(text []byte, object jsonSpan) iter.Seq2[string, jsonSpan] {
	return func(yield func(string, jsonSpan) bool) {
		for i := object.start + 1; ; {
			for isJSONSpace(text[i]) || text[i] == ',' {
				i++
			}
			if text[i] == '}' {
				return
			}
			key := jsonValueAt(text, i)
			for i = key.end; text[i] != ':'; i++ {
			}
			value := jsonValueAt(text, i+1)
			if !yield(string(text[key.start+1:key.end-1]), value) {
				return
			}
			i = value.end
		}
	}
}

// jsonElements yields the values of an array.
func jsonElements(text []byte, array jsonSpan) iter.Seq[jsonSpan] {
	return func(yield func(jsonSpan) bool) {
		for i := array.start + 1; ; {
			for isJSONSpace(text[i]) || text[i] == ',' {
				i++
			}
			if text[i] == ']' {
				return
			}
			value := jsonValueAt(text, i)
			if !yield(value) {
				return
			}
			i = value.end
		}
	}
}

// errLoneSurrogate says that a string has half of a surrogate pair, which is no character.
var errLoneSurrogate = errors.New("half of a surrogate pair")

// jsonUnquote returns the bytes that a string of a scanned text encodes. Bytes that are no UTF-8 stay as they are.
func jsonUnquote(quoted []byte) ([]byte, error) {
	in := quoted[1 : len(quoted)-1]
	out := make([]byte, 0, len(in))
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' {
			out = append(out, in[i])
			continue
		}
		i++
		switch c := in[i]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hexRune(in[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(0)
				if len(in) >= i+7 && in[i+1] == '\\' && in[i+2] == 'u' {
					low = hexRune(in[i+3:])
				}
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					return nil, errLoneSurrogate
				}
				i += 6
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return out, nil
}

// hexRune reads the four digits of a \u escape.
func hexRune(digits []byte) (r rune) {
	for _, c := range digits[:4] {
		d, _ := hexDigit(c)
		r = r<<4 | rune(d)
	}
	return r
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// appendJSONString quotes text so that jsonUnquote gives the same bytes.
func appendJSONString(out, text []byte) []byte {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\r':
			out = append(out, '\\', 'r')
		case c == '\t':
			out = append(out, '\\', 't')
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
