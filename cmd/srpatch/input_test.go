package main

import (
	"io"
	"strings"
	"testing"
)

func TestDecoded(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"little endian", "\xff\xfea\x00\r\x00\n\x00=\xd8\x00\xde", "a\r\n😀"},
		{"big endian", "\xfe\xff\x00a\x00\n", "a\n"},
		{"little endian without a mark", "a\x00\n\x00", "a\n"},
		{"a mark of UTF-8 stays", "\xef\xbb\xbfa\n", "\xef\xbb\xbfa\n"},
		{"any other bytes stay", "\xe9\xff\xfe\n", "\xe9\xff\xfe\n"},
		{"one byte", "\xff", "\xff"},
		{"nothing", "", ""},
	} {
		if got, err := io.ReadAll(decoded(strings.NewReader(c.in))); string(got) != c.want || err != nil {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
