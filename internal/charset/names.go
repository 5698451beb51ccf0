package charset

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// Check returns an error if Named doesn't accept name. It also accepts "", which names none.
func Check(name string) error {
	if name == "" {
		return nil
	}
	if _, err := Named(name); err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	return nil
}

// Named returns the encoding called name. It knows the names used on the web, and some others. It
// fails if there is no such encoding, or if it doesn't extend ASCII.
func Named(name string) (*Charset, error) {
	plain := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	switch plain {
	case "utf8":
		return &Charset{Name: name, kind: utf8s}, nil
	case "utf16le":
		return &Charset{Name: name, kind: wide, encoding: utf16(unicode.LittleEndian)}, nil
	case "utf16be", "utf16":
		return &Charset{Name: name, kind: wide, encoding: utf16(unicode.BigEndian)}, nil
	}
	e := find(name, plain)
	switch {
	case e == nil:
		return nil, errUnknown
	case !extendsASCII(e):
		return nil, errStateful
	}
	return &Charset{Name: name, encoding: e}, nil
}

// find returns an encoding by its name, or nil if there is none that can be used. plain is name in
// lower case without separators: "cp1252" for "CP-1252".
func find(name, plain string) encoding.Encoding {
	switch plain {
	case "latin1", "iso88591": // the web takes it for Windows-1252
		return charmap.ISO8859_1
	case "latin9":
		return charmap.ISO8859_15
	case "cp437":
		return charmap.CodePage437
	case "cp932":
		return japanese.ShiftJIS
	case "ascii", "usascii": // has nothing above 0x7F; htmlindex would return Windows-1252
		return nil
	}
	spellings := []string{name, strings.ReplaceAll(name, "_", "-"), plain}
	for _, prefix := range []string{"cp", "win", "windows"} {
		if page, ok := strings.CutPrefix(plain, prefix); ok {
			spellings = append(spellings, "windows-"+page)
		}
	}
	for _, spelling := range spellings {
		if e, err := htmlindex.Get(spelling); err == nil {
			return e
		}
	}
	return nil
}

// Marked returns the form of UTF-16 whose byte order mark raw begins with, or nil.
func Marked(raw []byte) *Charset {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return &Charset{Name: "utf-16le", kind: wide, encoding: utf16(unicode.LittleEndian)}
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return &Charset{Name: "utf-16be", kind: wide, encoding: utf16(unicode.BigEndian)}
	}
	return nil
}

// extendsASCII reports whether each single byte below 0x80 is the same character as in ASCII.
func extendsASCII(e encoding.Encoding) bool {
	decoder := e.NewDecoder()
	for b := range byte(0x80) {
		if text, err := decoder.Bytes([]byte{b}); err != nil || len(text) != 1 || text[0] != b {
			return false
		}
	}
	return true
}
