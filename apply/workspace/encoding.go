package workspace

import (
	"bytes"
	"errors"

	"github.com/srpatch/srpatch/internal/charset"
)

// binaryPrefix is how much of a file is searched for NUL bytes, as in git.
const binaryPrefix = 8000

var errBinary = errors.New("a binary file")

// textForm is how a file's bytes mean text. Most are text as they are: UTF-8, or an encoding that
// is the engine's business. UTF-16 is known by its byte order mark, or by what is said of a file
// with NUL bytes, and is converted here.
type textForm struct {
	mark  string
	utf16 *charset.Charset // nil for text as it is
}

// hasNUL reports whether raw is binary to git, if it is not UTF-16.
func hasNUL(raw []byte) bool { return bytes.IndexByte(raw[:min(len(raw), binaryPrefix)], 0) >= 0 }

// formOf is the form of a file with these bytes. named is the UTF-16 that it is said to be in; it
// is asked of a file with NUL bytes.
func formOf(raw []byte, named func() *charset.Charset) textForm {
	if bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")) {
		return textForm{} // UTF-32, little endian: NUL bytes make it binary
	}
	if set := charset.Marked(raw); set != nil {
		return textForm{string(raw[:2]), set}
	}
	if hasNUL(raw) {
		return textForm{utf16: named()}
	}
	return textForm{}
}

// decode returns a file's text: without the byte order mark for UTF-16, and raw itself for anything
// else. Text that could not be written back byte for byte is an error.
func (f textForm) decode(raw []byte) ([]byte, error) {
	if f.utf16 == nil {
		if hasNUL(raw) {
			return nil, errBinary
		}
		return raw, nil
	}
	text, ok := f.utf16.Decode(raw)
	switch {
	case !ok && f.mark == "":
		return nil, errBinary
	case !ok:
		return nil, errors.New("not valid UTF-16, although its byte order mark says so")
	}
	// Not a nil slice: that would be an absent file.
	return append([]byte{}, bytes.TrimPrefix(text, []byte(f.unmarked()))...), nil
}

// unmarked is the mark in UTF-8.
func (f textForm) unmarked() string {
	if f.mark == "" {
		return ""
	}
	return "\ufeff"
}

// encode is the inverse of decode for a file of this form.
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

// formAt is the form of a file with these bytes.
func (t *Tree) formAt(raw []byte) textForm { return formOf(raw, t.named) }

// named is the UTF-16 that the caller says files are in; nil for none.
func (t *Tree) named() *charset.Charset {
	if set, err := charset.Named(t.opt.Encoding); err == nil && set.IsUTF16() {
		return set
	}
	return nil
}

// Converted implements [apply.Converter].
func (t *Tree) Converted(path string) bool {
	name, _ := cleanName(path)
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.wide[name]
	return ok
}

// note remembers the form of a file that is not text as it is.
func (t *Tree) note(name string, f textForm) {
	if f.utf16 == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wide == nil {
		t.wide = map[string]textForm{}
	}
	t.wide[name] = f
}
