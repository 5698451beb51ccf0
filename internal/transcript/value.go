package transcript

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

// value is a value of JSON that knows where the objects and lists in it end. To read one level of
// it takes no time for what is nested deeper.
type value struct {
	text json.RawMessage
	// nested has the objects and lists in the order in which they begin, from the value itself on.
	nested []extent
}

// extent is how long an object or a list is, in bytes, and how many there are in it, with itself.
type extent struct{ length, count int32 }

// nest reads a text of JSON, of at most MaxRecord bytes.
func nest(text json.RawMessage) value {
	v := value{text: text}
	var open, begins []int32 // the places in nested of what is open, and where in the text that begins
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += stringLength(text[i:]) - 1
		case '{', '[':
			open, begins = append(open, int32(len(v.nested))), append(begins, int32(i))
			v.nested = append(v.nested, extent{})
		case '}', ']':
			last := len(open) - 1
			at := open[last]
			v.nested[at] = extent{int32(i+1) - begins[last], int32(len(v.nested)) - at}
			open, begins = open[:last], begins[:last]
		}
	}
	return v
}

func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// begins reports whether the text of a value begins with a byte, which says what it is.
func (v value) begins(with byte) bool { return len(v.text) > 0 && v.text[0] == with }

// isThere reports whether an object has the value.
func (v value) isThere() bool { return len(v.text) > 0 }

// elements yields what a list has; nothing if the value is none.
func (v value) elements() iter.Seq[value] { return v.inside('[') }

// members reads an object; what is none has no members.
func (v value) members() object {
	var o object
	var key json.RawMessage
	for inner := range v.inside('{') {
		if key == nil {
			key = inner.text
			continue
		}
		o = append(o, member{str(key), inner})
		key = nil
	}
	return o
}

// apart gives an object without some members, and those by their keys in lower case.
func (v value) apart(keys ...string) (rest []byte, members map[string]value) {
	rest, members = []byte{'{'}, map[string]value{}
	var key json.RawMessage
	for inner := range v.inside('{') {
		if key == nil {
			key = inner.text
			continue
		}
		if name := strings.ToLower(str(key)); slices.Contains(keys, name) {
			members[name] = inner
		} else {
			if len(rest) > 1 {
				rest = append(rest, ',')
			}
			rest = append(append(append(rest, key...), ':'), inner.text...)
		}
		key = nil
	}
	return append(rest, '}'), members
}

// inside yields the values in a list, or the keys and values of an object, as open says.
func (v value) inside(open byte) iter.Seq[value] {
	return func(yield func(value) bool) {
		if !v.begins(open) {
			return
		}
		nested := v.nested[1:]
		for i := 1; i < len(v.text); {
			inner := value{}
			end := i
			switch c := v.text[i]; c {
			case ' ', '\t', '\r', '\n', ',', ':':
				i++
				continue
			case '}', ']':
				return
			case '{', '[':
				end += int(nested[0].length)
				inner.nested, nested = nested[:nested[0].count], nested[nested[0].count:]
			case '"':
				end += stringLength(v.text[i:])
			default:
				if end = i + bytes.IndexAny(v.text[i:], ",:]} \t\r\n"); end <= i {
					return
				}
			}
			inner.text = v.text[i:end:end]
			if !yield(inner) {
				return
			}
			i = end
		}
	}
}

// object has the members of an object in their order.
type object []member

type member struct {
	key string
	value
}

func (o object) get(key string) value {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return value{}
}

// str is the text of a member that is a string; "" for any other.
func (o object) str(key string) string { return str(o.get(key).text) }

func (o object) isTrue(key string) bool { return string(o.get(key).text) == "true" }
