package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// asciiEncoding is US-ASCII, both ways: any other byte is an error.
var asciiEncoding encoding.Encoding = onlyASCII{}

type onlyASCII struct{ transform.NopResetter }

func (onlyASCII) NewDecoder() *encoding.Decoder { return &encoding.Decoder{Transformer: onlyASCII{}} }
func (onlyASCII) NewEncoder() *encoding.Encoder { return &encoding.Encoder{Transformer: onlyASCII{}} }

// Transform implements [transform.Transformer].
func (onlyASCII) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	n := ascii(src)
	switch copied := copy(dst, src[:n]); {
	case copied < n:
		return copied, copied, transform.ErrShortDst
	case n < len(src):
		return n, n, encoding.ErrInvalidUTF8
	}
	return n, n, nil
}
