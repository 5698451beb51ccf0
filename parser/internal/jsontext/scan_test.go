package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/text"
)

// scanJSON says whether the text is one object or array, as the scanner sees it when it gets the text line by line.
func scanJSON(value []byte) bool {
	s := Scanner{Key: func([]byte) {}}
	for line := range bytes.Lines(value) {
		if s.state == done && !text.Blank(line) {
			return false
		}
		n, ok := s.Scan(line)
		if !ok || s.state == done && !text.Blank(line[n:]) {
			return false
		}
	}
	return s.state == done
}

// The scanner takes what encoding/json takes, and nothing else.
func TestJSONScannerAgreesWithEncodingJSON(t *testing.T) {
	token := rapid.SampledFrom([]string{"{", "}", "[", "]", ",", ":", `"a"`, `"b\n"`, `"\ud83d"`, `"\x"`, `"\u12G4"`, "\"\t\"", "1", "-0.5e3",
		"01", "1.", "true", "nul", "null", " ", "\n", "\r\n", "x", `"`, "\\", `"key": 1`, `"k": {}`, `[1, "2"]`, "\xff"})
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(token, 0, 8).Draw(t, "tokens"), "")
		text := []byte(rapid.SampledFrom([]string{"[", "{", "[[", "[{", `{"a":`}).Draw(t, "open") + body +
			rapid.SampledFrom([]string{"", "]", "}", "]]", "}]"}).Draw(t, "close"))
		if got, want := scanJSON(text), json.Valid(text); got != want {
			t.Fatalf("valid is %v, encoding/json says %v: %q", got, want, text)
		}
	})
}

func TestJSONScannerBoundsDepth(t *testing.T) {
	deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if !scanJSON(deep(maxDepth)) {
		t.Errorf("%d levels are refused", maxDepth)
	}
	if scanJSON(deep(maxDepth + 1)) {
		t.Errorf("%d levels are taken", maxDepth+1)
	}
}

func TestJSONStringsKeepTheirBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.Byte()).Draw(t, "text")
		got, err := Unquote(AppendString(nil, text))
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%q reads as %q, %v", text, got, err)
		}
		var std string
		if utf8.Valid(text) {
			if err := json.Unmarshal(AppendString(nil, text), &std); err != nil || std != string(text) {
				t.Fatalf("encoding/json reads %q as %q, %v", text, std, err)
			}
		}
	})
}

func TestJSONUnquote(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		err            error
	}{
		{"escapes", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", nil},
		{"code point", `"\u00e9\u2028\u0000"`, "é\u2028\x00", nil},
		{"surrogate pair", `"\ud83d\ude00"`, "😀", nil},
		{"surrogate pair in capitals", `"\uD83D\uDE00!"`, "😀!", nil},
		{"high half at the end", `"a\ud83d"`, "", errLoneSurrogate},
		{"high half before text", `"\ud83dxyzabc"`, "", errLoneSurrogate},
		{"high half twice", `"\ud83d\ud83d\ude00"`, "", errLoneSurrogate},
		{"low half alone", `"\ude00"`, "", errLoneSurrogate},
		{"replacement character that was written", `"\ufffd"`, "\ufffd", nil},
		{"no UTF-8", "\"\xff\xc3\"", "\xff\xc3", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Unquote([]byte(c.in))
			if string(got) != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v, want %q, %v", got, err, c.want, c.err)
			}
		})
	}
}
