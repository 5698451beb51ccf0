package workspace

import (
	"bytes"
	"errors"

	"github.com/srpatch/srpatch/internal/charset"
)

// binaryPrefix is how much of a file is searched for NUL bytes, as in git.
const binaryPrefix = 8000

var errBinary = errors.New("a binary file")

// textForm says how to convert a file's bytes to text. Most files are left alone: they are UTF-8,
// or in an encoding that the engine handles. Only UTF-16 is converted here. It is recognized by
// its byte order mark, or by NUL bytes if the caller names UTF-16 as the encoding.
type textForm struct {
	mark  string           // the byte order mark, or ""
	utf16 *charset.Charset // nil if the file isn't converted
}

// hasNUL reports whether raw is binary by git's rule, as most UTF-16 is.
func hasNUL(raw []byte) bool { return bytes.IndexByte(raw[:min(len(raw), binaryPrefix)], 0) >= 0 }

// formOf returns the form of a file with these bytes. named is the form of UTF-16 that the caller
// expects of a file that has NUL bytes but no mark, or nil.
func formOf(raw []byte, named *charset.Charset) textForm {
	if bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")) {
		return textForm{} // UTF-32, little endian: NUL bytes make it binary
	}
	if set := charset.Marked(raw); set != nil {
		return textForm{string(raw[:2]), set}
	}
	if hasNUL(raw) {
		return textForm{utf16: named}
	}
	return textForm{}
}

// decode returns a file's text: UTF-16 as UTF-8 without the byte order mark, and raw itself for
// anything else. It fails if the text could not be written back byte for byte.
func (f textForm) decode(raw []byte) ([]byte, error) {
	if f.utf16 == nil {
		if hasNUL(raw) {
			return nil, errBinary
		}
		return raw, nil
	}
	text, ok := f.utf16.Decode(raw)
	switch {
	case !ok && f.mark == "": // only the user says that it's UTF-16
		return nil, errBinary
	case !ok:
		return nil, errors.New("not valid UTF-16, although its byte order mark says so")
	}
	if f.mark != "" {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	// Never return a nil slice, which would mean an absent file.
	return append([]byte{}, text...), nil
}

// encode returns the bytes of a file of this form with the given text: the inverse of decode.
func (f textForm) encode(text []byte) ([]byte, error) {
	if f.utf16 == nil {
		return text, nil
	}
	raw, err := f.utf16.Encode(text)
	if err != nil {
		return nil, errors.New("the new text is not valid UTF-8 and cannot be written as UTF-16")
	}
	return append([]byte(f.mark), raw...), nil
}

// formAt is formOf for files of the tree, for which the options may name UTF-16.
func (t *Tree) formAt(raw []byte) textForm {
	if set, err := charset.Named(t.opt.Encoding); err == nil && set.IsUTF16() {
		return formOf(raw, set)
	}
	return formOf(raw, nil)
}

// Converted implements [apply.Converter]. It reports whether ReadFile has converted the file from
// UTF-16.
func (t *Tree) Converted(path string) bool {
	name, _ := cleanName(path)
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.utf16Forms[name]
	return ok
}

// rememberForm remembers the form of a file if it was converted. name is its clean name.
func (t *Tree) rememberForm(name string, f textForm) {
	if f.utf16 == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.utf16Forms[name] = f
}
