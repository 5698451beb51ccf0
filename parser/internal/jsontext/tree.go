package jsontext

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding/json is not used, because it replaces invalid UTF-8 and unpaired surrogates with U+FFFD,
// which would end up in files.

const (
	maxDepth  = 32      // maximum depth; edits nest only a few levels
	maxWord   = 64      // no number in an edit has as many digits
	maxText   = 8 << 20 // maximum size of a value, in bytes
	maxValues = 1 << 19 // maximum number of values inside a value, because all of them are kept in memory
)

// Value is a JSON value. The Kind of a missing value is 0.
type Value struct {
	Kind       byte     // { [ " or the first byte of a number, true, false or null
	Broken     bool     // a string with an unpaired surrogate, which is not a character
	Start, End int      // offsets of the first byte in the text, and of the byte after the last
	Text       []byte   // a string unquoted; a number or a word as written
	Members    []Member // members of an object, or elements of an array (without keys)
}

// Member is a member of an object or an element of an array.
type Member struct {
	Key string // as written between the quotes
	Value
}

// Error says where a text is not valid JSON.
type Error struct {
	Offset   int
	Expected string // a description of what should be there
	TooLarge bool   // the value is valid and ends at Offset, but exceeds a limit
}

// Parse reads the value at the start of text; more text may follow. seen combines the roles of all
// keys up to the value's end or the error. If the text ends too early, the error is at the end of
// the text. If the value is valid but exceeds a limit, err has TooLarge set, and v is incomplete.
func Parse(text []byte) (v Value, seen Role, err *Error) {
	p := parser{text: text}
	if p.value(&v, 0) && (p.large || p.at > maxText) {
		p.err = &Error{Offset: p.at, TooLarge: true}
	}
	return v, p.seen, p.err
}

// parser reads a text from left to right. Its methods report whether the text that they read is
// valid.
type parser struct {
	text   []byte
	at     int
	seen   Role
	values int
	large  bool // a limit was exceeded; the rest is checked, but not kept
	err    *Error
}

// fail sets err and returns false.
func (p *parser) fail(expected string) bool {
	p.err = &Error{Offset: p.at, Expected: expected}
	return false
}

// next skips white space and returns the byte after it, or 0 at the end.
func (p *parser) next() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// value reads a value into v, inside depth objects and arrays. It returns false, with err set, if
// the text is not JSON. A string with an unpaired surrogate is valid, but Broken is set. If a limit
// is exceeded, value sets p.large and reads on without keeping texts and members.
func (p *parser) value(v *Value, depth int) bool {
	const expected = "a JSON value"
	c := p.next()
	v.Kind, v.Start = c, p.at
	p.values++
	p.large = p.large || p.values > maxValues || p.at > maxText
	ok := false
	switch {
	case c == '"':
		ok = p.str()
		if ok && !p.large {
			var whole bool
			v.Text, whole = unquote(p.text[v.Start+1 : p.at-1])
			v.Broken = !whole
		}
	case (c == '{' || c == '[') && depth < maxDepth:
		ok = p.members(v, depth+1)
	case isWord(c):
		for p.at < len(p.text) && isWord(p.text[p.at]) && p.at-v.Start < maxWord {
			p.at++
		}
		v.Text = p.text[v.Start:p.at:p.at]
		ok = json.Valid(v.Text) || p.fail(expected)
	default:
		p.fail(expected)
	}
	v.End = p.at
	return ok
}

// members reads the members of the object or array v, from its opening to its closing bracket.
// depth is the depth of the members.
func (p *parser) members(v *Value, depth int) bool {
	end := v.Kind + 2 // ] and } come two after [ and {
	p.at++
	if p.next() == end {
		p.at++
		return true
	}
	for {
		var m Member
		if v.Kind == '{' && !p.key(&m.Key) || !p.value(&m.Value, depth) {
			return false
		}
		if !p.large {
			v.Members = append(v.Members, m)
		}
		switch p.next() {
		case end:
			p.at++
			return true
		case ',':
			p.at++
		default:
			return p.fail("a comma, or the end of the object or array")
		}
	}
}

// key reads a member's key, as written, and the colon after it. It adds the key's roles to p.seen.
func (p *parser) key(key *string) bool {
	if p.next() != '"' {
		return p.fail("a key in double quotes")
	}
	start := p.at + 1
	if !p.str() {
		return false
	}
	*key = string(p.text[start : p.at-1])
	p.seen |= Roles(*key)
	if p.next() != ':' {
		return p.fail("a colon after the key")
	}
	p.at++
	return true
}

// str reads a string, quotes included, without decoding it. It returns false, with err set, if the
// string has no end, an invalid escape or a control character.
func (p *parser) str() bool {
	for p.at++; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		if c == '"' {
			p.at++
			return true
		}
		if c < ' ' || c == '\\' && !p.escape() {
			break
		}
	}
	return p.fail(`a string whose line ends are written \n, tabs \t and double quotes \"`)
}

// escape reads an escape sequence, up to its last byte. It returns false, without setting err, if
// the sequence is invalid.
func (p *parser) escape() bool {
	if p.at++; p.at == len(p.text) {
		return false
	}
	switch p.text[p.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			if p.at++; p.at == len(p.text) || !strings.ContainsRune(hexDigits, rune(p.text[p.at])) {
				return false
			}
		}
		return true
	}
	return false
}

// isWord reports whether c may be part of a number or of true, false and null.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
		c == '-' || c == '+' || c == '.'
}

// unquote returns the text that a valid string encodes; in is without its quotes. Invalid UTF-8 is
// preserved. ok is false if there is an unpaired surrogate.
func unquote(in []byte) (text []byte, ok bool) {
	i := 0
	for i < len(in) && in[i] != '\\' {
		i++
	}
	if i == len(in) {
		return in[:i:i], true
	}
	out := append(make([]byte, 0, len(in)), in[:i]...)
	for ; i < len(in); i++ {
		if in[i] != '\\' {
			out = append(out, in[i])
			continue
		}
		i++
		switch c := in[i]; c {
		case 'b', 'f', 'n', 'r', 't':
			out = append(out, "\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		case 'u':
			r := hexRune(in[i+1:])
			i += 4
			if utf16.IsSurrogate(r) { // the second half follows: \ud83d\ude00
				if len(in) < i+7 || in[i+1] != '\\' || in[i+2] != 'u' {
					return nil, false
				}
				if r = utf16.DecodeRune(r, hexRune(in[i+3:])); r == utf8.RuneError {
					return nil, false
				}
				i += 6
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return out, true
}

const hexDigits = "0123456789abcdefABCDEF"

// hexRune returns the value of the four digits of a valid \u escape.
func hexRune(digits []byte) rune {
	n, _ := strconv.ParseUint(string(digits[:4]), 16, 16)
	return rune(n)
}
