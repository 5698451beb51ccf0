package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzMembers: a line is read as an object if and only if encoding/json takes it for one, and with the same members.
func FuzzMembers(f *testing.F) {
	for _, line := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":{"b":[1,"}"]},"c":"\\\""}`, `{"a" : -1.5e3 , "b":null}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`, `{"a":[}]}`,
		`{"a":tru}`, `{"a":1}x`, `{"a"}`, `{"a":}`, `{"a":"x`, `{"a\u0062":1}`, `{"a\x":1}`, `[{}]`, `"{}"`, `{"a":12`, `{"a":"\\"}`, `{"a":1}}`, `{"a":"x"y}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got := map[string]json.RawMessage{}
		ok := false
		if m := (members{line: line}); m.open() {
			valid := true
			for m.next() {
				var key string
				valid = valid && json.Unmarshal(m.key, &key) == nil && json.Valid(m.value)
				got[key] = m.value
			}
			ok = valid && m.ended
		}
		var want map[string]json.RawMessage
		err := json.Unmarshal(line, &want)
		if isObject := err == nil && want != nil; ok != isObject {
			t.Fatalf("an object: %v, want %v (%v)", ok, isObject, err)
		}
		for key, value := range want {
			if !ok || !bytes.Equal(got[key], value) {
				t.Fatalf("%q is %s, want %s", key, got[key], value)
			}
		}
	})
}
