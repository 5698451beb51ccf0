package apply_test

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/charset"
	"github.com/srpatch/srpatch/parser"
)

// TestOtherEncodings checks files that aren't UTF-8; replies always are. If the encoding of a file
// is unknown, bytes match bytes, a warning explains why nothing fits, and no file ends up with two
// encodings.
func TestOtherEncodings(t *testing.T) {
	const unmatched = "cannot match; name the file's encoding"
	for _, c := range []struct {
		name, file, search, replace string
		reason                      apply.Reason
		warning                     string
	}{
		{"Latin-1, looked for as UTF-8", "caf\xe9 = 1\nconf = 1\n", "café = 1", "café = 2", apply.NotFound, unmatched},
		{"Shift-JIS, nothing near", "\x95\x5c\x8e\xa6 = 1\n", "表示 = 1", "表示 = 2", apply.NotFound, unmatched},
		{"Latin-1, in a reply that was converted", "caf\xe9 = 1\nconf = 1\n", "caf\xe9 = 1", "caf\xe9 = 2", "", ""},
		{"Latin-1, ASCII alone", "caf\xe9 = 1\nconf = 1\n", "conf = 1", "conf = 2", "", ""},
		{"Latin-1, UTF-8 comes in", "caf\xe9 = 1\nconf = 1\n", "conf = 1", "conf = 'é'", apply.Encoding, ""},
		{"both, UTF-8 in SEARCH", "caf\xe9 \xe8 \xe0 = 1\nname = 'é'\n", "name = 'é'", "name = 'è'", "", ""},
		{"both, UTF-8 in SEARCH, and not in its place",
			"caf\xe9 \xe8 \xe0 = 1\nname = ''\nlast = 2\n", "name = ‘’\nlast = 2",
			"name = ‘’\nlast = 'é'", apply.Encoding, ""},
		{"UTF-8 with a byte that is not", "caf\xe9 = 1\nname = 'é'\n", "caf\xe9 = 1", "tea = 'è'", "", ""},
		{"UTF-8, UTF-8 comes in", "café = 1\nconf = 1\n", "conf = 1", "conf = 'é'", "", ""},
		{"UTF-8, nothing near", "café = 1\nconf = 1\n", "größe = 12345", "größe = 2", apply.NotFound, ""},
		{"Latin-1, something in ASCII that is not there", "caf\xe9 = 1\nconf = 1\n", "size = 12345",
			"größe = 2", apply.NotFound, ""},
	} {
		reply := "f.txt\n<<<<<<< SEARCH\n" + c.search + "\n=======\n" + c.replace + "\n>>>>>>> REPLACE\n"
		plan, err := apply.New(apply.Files{"f.txt": []byte(c.file)},
			apply.Options{}).Plan(context.Background(), parser.Parse([]byte(reply)))
		if err != nil {
			t.Fatal(err)
		}
		b := plan.Blocks[0]
		warnings := strings.Join(b.Warnings, "\n")
		if b.Reason != c.reason || c.warning == "" && strings.Contains(warnings, "UTF-8") ||
			!strings.Contains(warnings, c.warning) {
			t.Errorf("%s: %s %q, %q, warnings %q; want %q, %q", c.name, b.Status, b.Reason,
				b.Message, warnings, c.reason, c.warning)
		}
	}
}

// TestOnlyTheChangedLineIsOther checks a file in another encoding that also has invalid bytes:
// every byte outside the changed line stays the same, and the changed line is text in that
// encoding.
func TestOnlyTheChangedLineIsOther(t *testing.T) {
	letters := map[string]string{"latin1": "aé ßÿ", "gbk": "a中国 é", "shift_jis": "a表ｱ ソ",
		"big5": "a中許 ", "utf-16le": "aé中 ", "utf-16be": "a😀表"}
	names := slices.Sorted(maps.Keys(letters))
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "encoding")
		set, err := charset.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		raw := func(text string) []byte {
			raw, err := set.Encode([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			return raw
		}
		text := rapid.StringOfN(rapid.SampledFrom([]rune(letters[name])), 0, 8, -1)
		other := rapid.Custom(func(t *rapid.T) []byte {
			line := raw(text.Draw(t, "line"))
			if !set.IsUTF16() && rapid.Bool().Draw(t, "stray") {
				line = append(line, rapid.SliceOfN(rapid.ByteRange(0x80, 0xff), 1, 3).Draw(t, "bytes")...)
			}
			return append(line, raw(rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end"))...)
		})
		above, below := rapid.SliceOf(other).Draw(t, "above"), rapid.SliceOf(other).Draw(t, "below")
		was, is := text.Draw(t, "was")+"!", text.Draw(t, "is")+"?"
		head, tail := bytes.Join(above, nil), bytes.Join(below, nil)
		file := slices.Concat(head, raw(was+"\n"), tail)
		if utf8.Valid(file) && !set.IsUTF16() {
			return // UTF-8, or indistinguishable from it
		}
		want := slices.Concat(head, raw(is+"\n"), tail)
		plan := planned(t, apply.Files{"f.txt": file},
			one(parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt", Search: []byte(was + "\n"),
				Replace: []byte(is + "\n")}), apply.Options{Encoding: name})
		if plan.Status != apply.Applied || len(plan.Files) != 1 ||
			!bytes.Equal(plan.Files[0].Before, file) || !bytes.Equal(plan.Files[0].After, want) {
			t.Fatalf("%q becomes\n%s\nwant %q\n%s", file,
				shown(changed(t, apply.Files{"f.txt": file}, plan)), want, reports(plan))
		}
		s := *apply.Spans(&plan.Files[0])
		if len(s) != 1 || !bytes.Equal(file[:s[0].BeforeStart], want[:s[0].AfterStart]) ||
			!bytes.Equal(file[s[0].BeforeEnd:], want[s[0].AfterEnd:]) {
			t.Fatalf("the spans are %v of %q and %q", s, file, want)
		}
	})
}

// An unknown encoding name is an error before anything is planned.
func TestUnknownEncoding(t *testing.T) {
	_, err := apply.New(apply.Files{}, apply.Options{Encoding: "lattin"}).Plan(context.Background(), &parser.Reply{})
	if err == nil || !strings.Contains(err.Error(), "lattin") {
		t.Error(err)
	}
}
