package apply

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/charset"
	"github.com/srpatch/srpatch/internal/unified"
	"github.com/srpatch/srpatch/strategy"
)

// isWideUTF8 reports whether text is UTF-8 with non-ASCII characters.
func isWideUTF8(text []byte) bool {
	return !isASCII(text) && utf8.Valid(text)
}

// isASCII reports whether text is ASCII.
func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return c >= utf8.RuneSelf })
}

// encoding handles the encoding of a file.
type encoding struct{ *file }

func (f *file) encoding() encoding { return encoding{f} }

// decode sets f.before to the file's text in UTF-8. If the file is in another known encoding, it
// converts the text and sets f.charset. It sets f.foreign if the encoding is unknown and most of
// the text isn't UTF-8. The content takes precedence over the options: if they name a single-byte
// encoding but the file is valid UTF-8, it's read as UTF-8.
func (f encoding) decode() {
	f.before = f.raw
	valid := utf8.Valid(f.raw)
	if f.unreadable != nil || f.run.charset == nil && valid {
		return
	}
	// The byte order mark goes before the options.
	if set := cmp.Or(charset.Marked(f.raw), f.run.charset); set != nil && !f.isConverted() {
		if text, ok := set.Decode(f.raw); ok {
			f.charset, f.before = set, text
		}
	}
	f.foreign = f.charset == nil && !valid && !mostlyUTF8(f.raw)
}

// isConverted reports whether the tree converted the file to UTF-8.
func (f encoding) isConverted() bool {
	tree, ok := f.run.engine.tree.(Converter)
	return ok && tree.Converted(f.path)
}

// mostlyUTF8 reports whether text has at least as many valid non-ASCII characters as invalid bytes.
// Text in another encoding has fewer, so such a text is UTF-8 with some invalid bytes.
func mostlyUTF8(text []byte) bool {
	good, bad := 0, 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		text = text[size:]
	}
	return good >= bad
}

// checkEncodable reports whether the file can hold the text that edits add to doc. If not, it
// refuses the item. A file can't hold characters that its encoding lacks or whose encoding is
// unknown, or a NUL, which would make it binary.
func (f encoding) checkEncodable(it *item, doc *strategy.Document, edits []splice.Edit) bool {
	for _, e := range edits {
		if f.charset != nil {
			_, err := f.charset.Encode(e.Text)
			if held, ok := errors.AsType[*charset.HoldError](err); ok {
				it.fail(Encoding, fmt.Sprintf("REPLACE adds %q (%U), which the file's encoding, %s, cannot hold; "+
					"write ASCII only, or convert the file to UTF-8", held.Rune, held.Rune, held.Charset))
				return false
			}
		}
		if f.run.opt.reference() {
			continue
		}
		if bytes.IndexByte(e.Text, 0) >= 0 && bytes.IndexByte(doc.Text(), 0) < 0 && !f.isUTF16() {
			it.fail(Binary, "REPLACE adds a NUL, which would make the file binary; write it as an escape")
			return false
		}
		// Even a file in an unknown encoding takes UTF-8 where SEARCH matches its UTF-8.
		if r, ok := widened(doc.Text()[e.Start:e.End], e.Text); ok && f.foreign && !it.matchedUTF8(doc) {
			it.fail(Encoding, fmt.Sprintf("REPLACE adds %q (%U), but the file is not UTF-8 "+
				"and its encoding is unknown; name the encoding, or write ASCII only", r, r))
			return false
		}
	}
	return true
}

// isUTF16 reports whether the file is UTF-16, in which a NUL is an ordinary character.
func (f encoding) isUTF16() bool {
	return f.charset != nil && f.charset.IsUTF16() || f.isConverted()
}

// widened returns the first non-ASCII character of after that isn't in before. Bytes that aren't
// UTF-8 don't count. ok is false if there is none.
func widened(before, after []byte) (r rune, ok bool) {
	if isASCII(after) {
		return 0, false
	}
	for len(after) > 0 {
		r, size := utf8.DecodeRune(after)
		if size > 1 && !bytes.Contains(before, after[:size]) {
			return r, true
		}
		after = after[size:]
	}
	return 0, false
}

// matchedUTF8 reports whether SEARCH has non-ASCII characters and the file has them as UTF-8 at the
// place where SEARCH matches. If so, that part of the file is treated as UTF-8.
func (it *item) matchedUTF8(doc *strategy.Document) bool {
	at := it.report.Lines
	return at != nil && at[0] <= at[1] && isWideUTF8(it.block.Search) &&
		isWideUTF8(doc.Text()[doc.Start(at[0]-1):doc.Start(at[1])])
}

// encoded converts a change to the file's UTF-8 text into a change to its original bytes: it
// encodes c.After and moves c.spans. If the file is UTF-8 or is deleted, it returns c.
func (f encoding) encoded(c FileChange) FileChange {
	if f.charset == nil || c.After == nil {
		return c
	}
	size := func(text []byte) int { return len(f.bytesOf(text)) }
	spans := slices.Clone(c.spans)
	// was is the previous span in the text, and is the same span in the bytes.
	var was, is unified.Span
	for i, s := range spans {
		is.BeforeStart = is.BeforeEnd + size(f.before[was.BeforeEnd:s.BeforeStart])
		is.BeforeEnd = is.BeforeStart + size(f.before[s.BeforeStart:s.BeforeEnd])
		is.AfterStart = is.AfterEnd + size(c.After[was.AfterEnd:s.AfterStart])
		is.AfterEnd = is.AfterStart + size(c.After[s.AfterStart:s.AfterEnd])
		was, spans[i] = s, is
	}
	c.spans, c.After = spans, f.bytesOf(c.After)
	return c
}

// bytesOf returns text in the file's encoding, which must be able to represent it; see holds.
func (f encoding) bytesOf(text []byte) []byte {
	raw, err := f.charset.Encode(text)
	if err != nil {
		return text
	}
	return raw
}
