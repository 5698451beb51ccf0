package charset_test

import (
	"bytes"
	"errors"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/charset"
)

func named(t testing.TB, name string) *charset.Charset {
	t.Helper()
	c, err := charset.Named(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

// The names that people type, and what a letter is in each of them.
func TestNames(t *testing.T) {
	for _, c := range []struct{ name, text, raw string }{
		{"latin1", "é", "\xe9"},
		{"Latin-1", "é", "\xe9"},
		{"ISO-8859-1", "é", "\xe9"},
		{"ISO8859-1", "é", "\xe9"},
		{"iso8859_15", "€", "\xa4"},
		{"latin9", "€", "\xa4"},
		{"windows-1252", "€", "\x80"},
		{"CP1252", "€", "\x80"},
		{"win1252", "€", "\x80"},
		{"cp1251", "Ж", "\xc6"},
		{"koi8-r", "Ж", "\xf6"},
		{"cp437", "é", "\x82"},
		{"gbk", "中", "\xd6\xd0"},
		{"GB2312", "中", "\xd6\xd0"},
		{"gb18030", "😀", "\x94\x39\xfc\x36"},
		{"big5", "中", "\xa4\xa4"},
		{"shift_jis", "表", "\x95\x5c"},
		{"Shift-JIS", "表", "\x95\x5c"},
		{"sjis", "表", "\x95\x5c"},
		{"cp932", "表", "\x95\x5c"},
		{"euc-jp", "表", "\xc9\xbd"},
		{"euc-kr", "한", "\xc7\xd1"},
		{"utf-16le", "é", "\xe9\x00"},
		{"UTF-16BE", "é", "\x00\xe9"},
	} {
		if raw, err := named(t, c.name).Encode([]byte(c.text)); err != nil || string(raw) != c.raw {
			t.Errorf("%s: %q is % x, want % x (%v)", c.name, c.text, raw, c.raw, err)
		}
	}
}

// A name that means nothing, and encodings in which ASCII is something else.
func TestNoNames(t *testing.T) {
	for _, name := range []string{"", "no-such-thing", "utf-7", "ebcdic", "cp037", "iso-2022-jp",
		"hz-gb-2312", "replacement", "us-ascii", "ascii"} {
		if c, err := charset.Named(name); err == nil {
			t.Errorf("%q is %s", name, c.Name)
		}
	}
}

func TestCannotHold(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       rune
	}{
		{"latin1", "a €", '€'},
		{"cp1252", "a → b", '→'},
		{"gbk", "x 😀", '😀'},
		{"shift_jis", "é", 'é'},
		{"latin1", "a\ufffd", '\ufffd'},
		{"latin1", "a\xff", utf8.RuneError},
		{"utf-16le", "a\xff", utf8.RuneError},
	} {
		_, err := named(t, c.name).Encode([]byte(c.text))
		if e, ok := errors.AsType[*charset.HoldError](err); !ok || e.Rune != c.want {
			t.Errorf("%s, %q: %v, want %q", c.name, c.text, err, c.want)
		}
	}
}

// What is UTF-8 already is not read as something else; neither is UTF-16 without a NUL.
func TestNotInIt(t *testing.T) {
	for _, c := range []struct{ name, raw string }{
		{"latin1", "plain\n"}, {"latin1", "caf\u00e9\n"}, {"utf-16le", "plain\n"},
		{"utf-16le", "od\x00"}, {"utf-16be", "\xd8\x00\x00a"},
	} {
		if text, ok := named(t, c.name).Decode([]byte(c.raw)); ok {
			t.Errorf("%s: %q is read as %q", c.name, c.raw, text)
		}
	}
}

// Bytes without a meaning, and characters that the encoding writes in another way, come back as
// they are.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, raw, text string }{
		{"cp1252", "caf\xe9 \x80\n", "café €\n"},
		{"shift_jis", "\x95\x5c = \xb1\n", "表 = ｱ\n"},
		{"cp1252", "\xe9\x81\n", "é\xed\xb2\x81\n"},
		{"gbk", "\xd6\xd0\xff\xd6\n\xd0", "中\xed\xb3\xbf\xed\xb3\x96\n\xed\xb3\x90"},
	} {
		set := named(t, c.name)
		text, ok := set.Decode([]byte(c.raw))
		if !ok || string(text) != c.text {
			t.Errorf("%s: % x is %q, want %q", c.name, c.raw, text, c.text)
		}
		if raw, err := set.Encode(text); err != nil || string(raw) != c.raw {
			t.Errorf("%s: %q becomes % x (%v), want % x", c.name, text, raw, err, c.raw)
		}
	}
}

func narrow() []string {
	return []string{"latin1", "cp1252", "koi8-r", "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "cp437"}
}

// TestEveryByteComesBack: whatever the bytes of a text are, its decoded lines are the bytes they
// were.
func TestEveryByteComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(narrow()).Draw(t, "charset")
		comesBack(t, name, rapid.SliceOf(rapid.Byte()).Draw(t, "raw"))
	})
}

func comesBack(t rapid.TB, name string, raw []byte) {
	set, err := charset.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	text, ok := set.Decode(raw)
	if !ok {
		return
	}
	if got, want := bytes.Count(text, []byte("\n")), bytes.Count(raw, []byte("\n")); got != want {
		t.Fatalf("%s: % x has %d lines, and its text %q %d", name, raw, want, text, got)
	}
	for at := 0; at <= len(text); at++ { // cut at any line, for edits put lines together anew
		if at > 0 && at < len(text) && text[at-1] != '\n' {
			continue
		}
		head, err1 := set.Encode(text[:at])
		tail, err2 := set.Encode(text[at:])
		if err1 != nil || err2 != nil || !bytes.Equal(append(bytes.Clone(head), tail...), raw) {
			t.Fatalf("%s: % x is %q, which becomes % x % x (%v, %v)", name, raw, text, head, tail, err1, err2)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(0, []byte("caf\xe9\n"))
	f.Add(7, []byte("\x95\x5c\n\x81"))
	f.Add(4, []byte("\xed\xb2\x80\n\xd6\xd0"))
	f.Fuzz(func(t *testing.T, n int, raw []byte) {
		names := narrow()
		comesBack(t, names[uint(n)%uint(len(names))], raw)
	})
}
