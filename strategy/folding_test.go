package strategy

import (
	"testing"
	"unicode/utf8"
)

// What is decoded without a call is what the decoder says: all characters, and all that begins like
// one.
func TestFoldSymbolDecodesAsTheDecoder(t *testing.T) {
	check := func(text []byte) {
		t.Helper()
		s, n := foldSymbol(text)
		if want, size := foldAny(text); s != want || n != size {
			t.Fatalf("% x is %d in %d bytes, want %d in %d", text, s, n, want, size)
		}
	}
	for r := rune(0x80); r <= utf8.MaxRune; r++ {
		check(utf8.AppendRune(nil, r))
		check(append(utf8.AppendRune(nil, r), "xy"...))
	}
	for a := 0x80; a <= 0xFF; a++ {
		for b := range 0x100 {
			for _, c := range []byte{0, 'x', 0x7F, 0x80, 0xBF, 0xC0, 0xFF} {
				check([]byte{byte(a), byte(b), c})
			}
		}
	}
}
