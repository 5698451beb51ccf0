package charset

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// Named finds the encoding that a person, a program or a file of settings calls name: the names of IANA's register and of the
// web, those of Windows code pages, and the spellings of iconv and Python. An error if there is none, or if it is not one that
// ASCII is a part of.
func Named(name string) (*Charset, error) {
	switch key := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(strings.TrimSpace(name))); key {
	case "utf-8", "utf8", "utf-8-bom":
		c := &Charset{Name: name, kind: utf8s}
		if key == "utf-8-bom" {
			c.mark = "\ufeff"
		}
		return c, nil
	case "utf-16le", "utf16le", "utf-16-le":
		return &Charset{Name: name, kind: wide, encoding: utf16(unicode.LittleEndian)}, nil
	case "utf-16be", "utf16be", "utf-16-be":
		return &Charset{Name: name, kind: wide, encoding: utf16(unicode.BigEndian)}, nil
	case "utf-16le-bom":
		return &Charset{Name: name, kind: wide, encoding: utf16(unicode.LittleEndian), mark: "\xff\xfe"}, nil
	case "utf-16", "utf16", "utf-16be-bom":
		return &Charset{Name: name, kind: wide, encoding: utf16(unicode.BigEndian), mark: "\xfe\xff"}, nil
	}
	for _, spelling := range spellings(name) {
		if e := index(strings.ToLower(strings.TrimSpace(spelling))); e != nil {
			if !extendsASCII(e) {
				return nil, errStateful
			}
			return &Charset{Name: name, encoding: e}, nil
		}
	}
	return nil, errUnknown
}

// Marked is the form of UTF-16 that raw has the byte order mark of; nil for none.
func Marked(raw []byte) *Charset {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return &Charset{Name: "utf-16le", kind: wide, encoding: utf16(unicode.LittleEndian)}
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return &Charset{Name: "utf-16be", kind: wide, encoding: utf16(unicode.BigEndian)}
	}
	return nil
}

// spellings are the names to look for, the given one first.
func spellings(name string) []string {
	plain := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	out := []string{name, strings.ReplaceAll(name, "_", "-"), plain}
	if rest, ok := strings.CutPrefix(plain, "iso8859"); ok {
		out = append(out, "iso-8859-"+rest)
	}
	switch plain {
	case "ascii":
		out = []string{"us-ascii"}
	case "latin9":
		out = append(out, "iso-8859-15")
	case "macroman":
		out = append(out, "macintosh")
	}
	for _, prefix := range []string{"cp", "ms", "win", "windows"} {
		if page, ok := strings.CutPrefix(plain, prefix); ok {
			out = append(out, codePage(page))
		}
	}
	return out
}

// codePage is the name of a Windows code page, which is given as a number.
func codePage(number string) string {
	switch number {
	case "932":
		return "windows-31j"
	case "936":
		return "gbk"
	case "950":
		return "big5"
	case "54936":
		return "gb18030"
	}
	return "windows-" + number
}

// extendsASCII reports whether each byte below 0x80 by itself is that character of ASCII.
func extendsASCII(e encoding.Encoding) bool {
	decoder := e.NewDecoder()
	for b := range byte(0x80) {
		if text, err := decoder.Bytes([]byte{b}); err != nil || len(text) != 1 || text[0] != b {
			return false
		}
	}
	return true
}
