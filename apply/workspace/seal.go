package workspace

import (
	"bytes"
	"encoding/json"
)

// sealed is the record as its file holds it: one line of JSON, whose last member is the SHA-256 of
// the line without it.
func (r *record) sealed() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return append(seal(text), '\n'), nil
}

// seal adds the sum to a JSON object.
func seal(object []byte) []byte {
	return append(bytes.TrimSuffix(object, []byte("}")), `,"sum":"`+hash(object)+`"}`...)
}

// unbroken reports whether a record still is what was sealed.
func unbroken(text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("\n"))
	end := len(text) - len(`,"sum":"`+hash(nil)+`"}`)
	return end >= 0 && bytes.Equal(text, seal(append(bytes.Clone(text[:end]), '}')))
}
