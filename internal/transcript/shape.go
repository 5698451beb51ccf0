package transcript

import (
	"bytes"
	"encoding/json"
	"io"
)

// shape has the keys at the beginning of a log with those above them, and the values that are short strings: "type",
// "message.role", "[].role=user". Elements of lists are "[]". Of several values, one after the other, it has the keys of all.
type shape map[string]bool

const (
	maxDepth    = 8
	maxKeys     = 4000
	maxShortKey = 40
)

// any reports whether one of the keys occurs.
func (s shape) any(keys ...string) bool {
	for _, k := range keys {
		if s[k] {
			return true
		}
	}
	return false
}

// all reports whether all of the keys occur.
func (s shape) all(keys ...string) bool {
	for _, k := range keys {
		if !s[k] {
			return false
		}
	}
	return true
}

// Keys are the keys of the first object of a text that is JSON; nil for any other text.
func Keys(text []byte) []string {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	if !json.Valid(text) {
		return nil
	}
	first := nest(text)
	for e := range first.elements() {
		first = e
		break
	}
	var keys []string
	for _, m := range first.members() {
		keys = append(keys, m.key)
	}
	return keys
}

// shapeOf reads as far as the text is JSON: it may be cut off anywhere.
func shapeOf(head []byte) shape {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	first := head
	if list, ok := bytes.CutPrefix(head, []byte("[")); ok {
		first = bytes.TrimLeft(list, " \t\r\n") // a log is a list of records
	}
	if len(first) == 0 || first[0] != '{' {
		return nil
	}
	s := shape{}
	d := json.NewDecoder(bytes.NewReader(head))
	for len(s) < maxKeys && s.value(d, "", 0) {
	}
	return s
}

// Settled reports whether Detect would say the same if more followed these bytes, as they have ended to be JSON.
func Settled(head []byte) bool {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, []byte("\ufeff"))))
	for {
		if _, err := d.Token(); err != nil {
			return err != io.EOF && err != io.ErrUnexpectedEOF
		}
	}
}

// value reads one value. It reports whether the value is complete.
func (s shape) value(d *json.Decoder, path string, depth int) bool {
	token, err := d.Token()
	if err != nil {
		return false
	}
	switch token := token.(type) {
	case string:
		if len(token) <= maxShortKey {
			s.add(path+"="+token, depth)
		}
	case json.Delim:
		for d.More() {
			inner := ""
			if token == '{' {
				key, err := d.Token()
				if err != nil {
					return false
				}
				inner, _ = key.(string)
				inner = join(path, inner, depth)
				s.add(inner, depth)
			} else if depth < maxDepth {
				inner = path + "[]"
			}
			if !s.value(d, inner, depth+1) {
				return false
			}
		}
		_, err := d.Token()
		return err == nil
	}
	return true
}

// join adds a key to a path. What is too deep has none, for it is not asked for.
func join(path, key string, depth int) string {
	switch {
	case depth >= maxDepth || len(key) > maxShortKey:
		return ""
	case path == "":
		return key
	}
	return path + "." + key
}

func (s shape) add(path string, depth int) {
	if depth < maxDepth && len(s) < maxKeys {
		s[path] = true
	}
}
