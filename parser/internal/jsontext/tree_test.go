package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/text"
)

// isJSON reports whether a text consists of a single JSON value.
func isJSON(value []byte) bool {
	v, _, err := Parse(value)
	return err == nil && text.Blank(value[v.End:])
}

// Parse accepts exactly what encoding/json accepts.
func TestParseAgreesWithEncodingJSON(t *testing.T) {
	token := rapid.SampledFrom([]string{"{", "}", "[", "]", ",", ":", `"a"`, `"b\n"`, `"\ud83d"`,
		`"\x"`, `"\u12G4"`, "\"\t\"", "1", "-0.5e3", "01", "1.", "true", "nul", "null", " ", "\n", "\r\n", "x",
		`"`, "\\", `"key": 1`, `"k": {}`, `[1, "2"]`, "\xff"})
	rapid.Check(t, func(t *rapid.T) {
		open := rapid.SampledFrom([]string{"[", "{", "[[", "[{", `{"a":`}).Draw(t, "open")
		body := strings.Join(rapid.SliceOfN(token, 0, 8).Draw(t, "tokens"), "")
		end := rapid.SampledFrom([]string{"", "]", "}", "]]", "}]"}).Draw(t, "close")
		text := []byte(open + body + end)
		if got, want := isJSON(text), json.Valid(text); got != want {
			t.Fatalf("valid is %v, encoding/json says %v: %q", got, want, text)
		}
	})
}

func TestParseBounds(t *testing.T) {
	deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if !isJSON(deep(maxDepth)) {
		t.Errorf("%d levels are refused", maxDepth)
	}
	if isJSON(deep(maxDepth + 1)) {
		t.Errorf("%d levels are taken", maxDepth+1)
	}
	many := []byte("[" + strings.Repeat("1,", maxValues) + "1]")
	if _, _, err := Parse(many); err == nil || !err.TooLarge {
		t.Errorf("more than %d values: %+v", maxValues, err)
	}
}

// Strings written by encoding/json are read back unchanged.
func TestParseStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		quoted, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if v, _, err := Parse(quoted); err != nil || string(v.Text) != want {
			t.Fatalf("%s reads as %q, %v", quoted, v.Text, err)
		}
	})
}

func TestParseString(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		broken         bool
	}{
		{"escapes", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", false},
		{"code point", `"\u00e9\u2028\u0000"`, "é\u2028\x00", false},
		{"surrogate pair", `"\ud83d\ude00"`, "😀", false},
		{"surrogate pair in capitals", `"\uD83D\uDE00!"`, "😀!", false},
		{"high half at the end", `"a\ud83d"`, "", true},
		{"high half before text", `"\ud83dxyzabc"`, "", true},
		{"high half twice", `"\ud83d\ud83d\ude00"`, "", true},
		{"low half alone", `"\ude00"`, "", true},
		{"replacement character that was written", `"\ufffd"`, "\ufffd", false},
		{"no UTF-8", "\"\xff\xc3\"", "\xff\xc3", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, _, err := Parse([]byte(c.in))
			if err != nil || !bytes.Equal(v.Text, []byte(c.want)) || v.Broken != c.broken {
				t.Errorf("got %q, broken %v, %v, want %q", v.Text, v.Broken, err, c.want)
			}
		})
	}
}
