package jsontext

import (
	"encoding/json"
)

// JSON is read here and not by encoding/json for two reasons: the text comes line by line and most lines that begin
// with a brace are no JSON, which must show at once; and encoding/json replaces what is no UTF-8 or half a surrogate
// pair by U+FFFD, which would end up in files.

// state is what the scanner expects next.
type state uint8

const (
	wantValue      state = iota
	wantValueOrEnd       // after [
	wantKeyOrEnd         // after {
	wantKey              // after a comma in an object
	wantColon
	wantComma // or the end
	inString
	inEscape
	inHex
	inWord // number, true, false, null
	done
)

// expected says in words what the state waits for.
func (s state) expected() string {
	switch s {
	case wantKeyOrEnd, wantKey:
		return `a key in double quotes`
	case wantColon:
		return `a colon after the key`
	case wantComma:
		return `a comma, or the end of the object or array`
	case inString, inEscape, inHex:
		return `a string whose line ends are written \n, tabs \t and double quotes \"`
	}
	return "a JSON value"
}

const (
	maxDepth = 32 // edits nest a handful of levels; every level costs a pass over its value
	maxWord  = 64 // no number of an edit has as many digits
)

// Scanner checks JSON byte by byte, without keeping it.
type Scanner struct {
	Key   func(raw []byte) // called with each key as it is between its quotes
	state state
	stack []byte // the open { and [
	inKey bool
	hex   int
	word  []byte
}

// Scan takes a piece of text, which must not break inside of a key, and returns how much of it belongs to the value:
// all of it, unless the value ended there. ok is false if the text is no JSON, and then n says where.
func (s *Scanner) Scan(text []byte) (n int, ok bool) {
	keyStart := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch s.state {
		case inString:
			for c != '"' && c != '\\' && c >= ' ' && i+1 < len(text) {
				i++
				c = text[i]
			}
			switch {
			case c == '\\':
				s.state = inEscape
			case c < ' ':
				return i, false
			case c == '"' && s.inKey:
				s.Key(text[keyStart:i])
				s.state, s.inKey = wantColon, false
			case c == '"':
				s.endValue()
			}
			continue
		case inEscape:
			switch c {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				s.state = inString
			case 'u':
				s.state, s.hex = inHex, 0
			default:
				return i, false
			}
			continue
		case inHex:
			if _, ok := hexDigit(c); !ok {
				return i, false
			}
			if s.hex++; s.hex == 4 {
				s.state = inString
			}
			continue
		case inWord:
			if isWord(c) {
				if len(s.word) == maxWord {
					return i, false
				}
				s.word = append(s.word, c)
				continue
			}
			if !json.Valid(s.word) {
				return i, false
			}
			s.endValue()
			if s.state == done {
				return i, true
			}
		case done:
			return i, true
		}
		if isSpace(c) {
			continue
		}
		if !s.structure(c) {
			return i, false
		}
		if s.state == inString {
			keyStart = i + 1
		}
		if s.state == done {
			return i + 1, true
		}
	}
	return len(text), true
}

// structure takes a byte outside of strings and words.
func (s *Scanner) structure(c byte) bool {
	switch s.state {
	case wantColon:
		s.state = wantValue
		return c == ':'
	case wantComma:
		top := s.stack[len(s.stack)-1]
		switch {
		case c == ',' && top == '{':
			s.state = wantKey
		case c == ',':
			s.state = wantValue
		case c == '}' && top == '{' || c == ']' && top == '[':
			s.stack = s.stack[:len(s.stack)-1]
			s.endValue()
		default:
			return false
		}
		return true
	case wantKey, wantKeyOrEnd:
		if c == '}' && s.state == wantKeyOrEnd {
			s.stack = s.stack[:len(s.stack)-1]
			s.endValue()
			return true
		}
		if c != '"' {
			return false
		}
		s.state, s.inKey = inString, true
		return true
	}
	switch {
	case c == ']' && s.state == wantValueOrEnd:
		s.stack = s.stack[:len(s.stack)-1]
		s.endValue()
	case c == '{' || c == '[':
		if len(s.stack) == maxDepth {
			return false
		}
		s.stack = append(s.stack, c)
		s.state = wantKeyOrEnd
		if c == '[' {
			s.state = wantValueOrEnd
		}
	case c == '"':
		s.state = inString
	case isWord(c):
		s.state, s.word = inWord, append(s.word[:0], c)
	default:
		return false
	}
	return true
}

// Done reports whether the value has ended.
func (s *Scanner) Done() bool { return s.state == done }

// Expected says in words what would have to follow.
func (s *Scanner) Expected() string { return s.state.expected() }

func (s *Scanner) endValue() {
	s.state = wantComma
	if len(s.stack) == 0 {
		s.state = done
	}
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}
