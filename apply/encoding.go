package apply

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// oneEncoding is what to do about a file in another encoding than the reply's.
const oneEncoding = "convert the reply to the file's encoding, or the file to UTF-8"

// isWideUTF8 says that text is UTF-8, and would be other bytes in another encoding.
func isWideUTF8(text []byte) bool {
	return !isASCII(text) && utf8.Valid(text)
}

// isASCII looks at eight bytes at a time: it is asked of every block, and nearly always true.
func isASCII(text []byte) bool {
	const high = 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		if binary.LittleEndian.Uint64(text)&high != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(text, func(c byte) bool { return c >= utf8.RuneSelf })
}

// warnOfEncodings warns of blocks that bring UTF-8 into a file in another encoding, where it will be read as something else.
// Text that SEARCH has, too, is in the file as it is in the reply.
func (f *file) warnOfEncodings() {
	for _, it := range f.items {
		if it.report.Status != BlockApplied || !isWideUTF8(it.block.Replace) || isWideUTF8(it.block.Search) {
			continue
		}
		if utf8.Valid(f.before) {
			return
		}
		it.warn("the file is not UTF-8, and what REPLACE adds is; " + oneEncoding)
	}
}
