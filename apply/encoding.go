package apply

import (
	"bytes"
	"unicode/utf8"
)

// oneEncoding is what to do about a file in another encoding than the reply's.
const oneEncoding = "convert the reply to the file's encoding, or the file to UTF-8"

// isWideUTF8 says that text is UTF-8, and would be other bytes in another encoding.
func isWideUTF8(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) && utf8.Valid(text)
}

// warnOfEncodings warns of blocks that bring UTF-8 into a file in another encoding, where it will be read as something else.
// Text that SEARCH has too stands in the file as it is in the reply.
func (f *file) warnOfEncodings() {
	for _, it := range f.items {
		if it.report.Status != BlockApplied || isWideUTF8(it.block.Search) || !isWideUTF8(it.block.Replace) {
			continue
		}
		if utf8.Valid(f.before) {
			return
		}
		it.warn("the file is not UTF-8, and what REPLACE adds is; " + oneEncoding)
	}
}
