package main

import "bytes"

// members reads the members of a JSON object one after the other, so that those before a fault are known, and keys count in the case of
// letters that they are written in. It checks how members follow each other; keys and values are checked by who takes them.
type members struct {
	line []byte
	at   int
	// key and value are those of the member at hand, as they are written.
	key, value []byte
	// ended says that the object has ended, with nothing after it.
	ended bool
}

// open reports whether the line begins an object.
func (m *members) open() bool {
	m.blanks()
	return m.sign('{')
}

// next goes to the next member. It reports false at the end of the object, and where the line is no JSON.
func (m *members) next() bool {
	first := m.value == nil
	m.blanks()
	if m.sign('}') {
		m.blanks()
		m.ended = m.at == len(m.line)
		return false
	}
	if !first {
		if !m.sign(',') {
			return false
		}
		m.blanks()
	}
	if m.key = m.text(); m.key == nil {
		return false
	}
	m.blanks()
	if !m.sign(':') {
		return false
	}
	m.blanks()
	m.value = m.any()
	return m.value != nil
}

func (m *members) blanks() {
	for m.at < len(m.line) && (m.line[m.at] == ' ' || m.line[m.at] == '\t' || m.line[m.at] == '\r' || m.line[m.at] == '\n') {
		m.at++
	}
}

func (m *members) sign(c byte) bool {
	if m.at == len(m.line) || m.line[m.at] != c {
		return false
	}
	m.at++
	return true
}

// text is the string that begins here, nil if there is none, or it does not end.
func (m *members) text() []byte {
	if m.at == len(m.line) || m.line[m.at] != '"' {
		return nil
	}
	start := m.at
	for at := start + 1; ; at++ {
		n := bytes.IndexByte(m.line[at:], '"')
		if n < 0 {
			return nil
		}
		at += n
		slashes := at
		for m.line[slashes-1] == '\\' {
			slashes--
		}
		if (at-slashes)%2 == 0 {
			m.at = at + 1
			return m.line[start:m.at]
		}
	}
}

// any is the value that begins here; nil if there is none, or it does not end.
func (m *members) any() []byte {
	start := m.at
	for depth := 0; m.at < len(m.line); {
		switch m.line[m.at] {
		case '"':
			if m.text() == nil {
				return nil
			}
		case '{', '[':
			depth++
			m.at++
		case '}', ']':
			if depth == 0 {
				return m.line[start:m.at]
			}
			depth--
			m.at++
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return m.line[start:m.at]
			}
			m.at++
		default:
			m.at++
			continue // of a number, or a name
		}
		if depth == 0 {
			return m.line[start:m.at]
		}
	}
	return nil // whatever it is, its object does not end
}
