package strategy

import (
	"unicode"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/typography"
)

// foldSymbol returns the symbol at the start of text, which must not be empty, and its length in
// bytes. Typographic characters are folded to plain ones, such as “ to ".
func foldSymbol(text []byte) (editdist.Symbol, int) {
	// Most non-ASCII characters, such as letters from U+00C0 on and ideographs, are never folded.
	// Decoding them here halves the time of a search in such text.
	if len(text) >= 3 {
		switch a, b, c := text[0], text[1], text[2]; {
		case 0xC3 <= a && a <= 0xDF && b>>6 == 2:
			return editdist.Symbol(a&0x1F)<<6 | editdist.Symbol(b&0x3F), 2
		case 0xE4 <= a && a <= 0xEC && b>>6 == 2 && c>>6 == 2:
			return editdist.Symbol(a&0x0F)<<12 | editdist.Symbol(b&0x3F)<<6 | editdist.Symbol(c&0x3F), 3
		}
	}
	return foldAny(text)
}

// foldAny is foldSymbol without the fast path.
func foldAny(text []byte) (editdist.Symbol, int) {
	s, n := editdist.Decode(text)
	if s <= unicode.MaxRune {
		r, _ := typography.Fold(rune(s))
		return editdist.Symbol(r), n
	}
	return s, n
}

// appendFolded appends the folded symbols of line to dst.
func appendFolded(dst []editdist.Symbol, line []byte) []editdist.Symbol {
	for i := 0; i < len(line); {
		s, n := editdist.Symbol(line[i]), 1
		if s >= 0x80 {
			s, n = foldSymbol(line[i:])
		}
		dst = append(dst, s)
		i += n
	}
	return dst
}

// Values of blanks for appendCodes.
const (
	allSymbols      = true
	nonblankSymbols = false
)

// appendCodes appends the codes that the folded symbols of line have in p to dst. Blanks are left
// out unless blanks is set.
func appendCodes(dst []editdist.Code, p *editdist.Pattern, line []byte, blanks bool) []editdist.Code {
	for i := 0; i < len(line); {
		s, n := editdist.Symbol(line[i]), 1
		if s >= 0x80 {
			s, n = foldSymbol(line[i:])
		}
		if blanks || nonblank(s) {
			dst = append(dst, p.Code(s))
		}
		i += n
	}
	return dst
}

// nonblank reports whether a folded symbol is not a blank or line end.
func nonblank(s editdist.Symbol) bool { return s != ' ' && s != '\t' && s != '\n' }

// collapsed returns a copy of doc in which each line is trimmed, has one space for each run of
// whitespace, and ends with a space unless it is empty. If such lines are joined, each run of
// whitespace in the text, including line ends, is one space.
func collapsed(doc *Document) *Document {
	out := &Document{text: make([]byte, 0, len(doc.text)+doc.Len())}
	out.starts = make([]int32, 0, doc.Len()+1)
	for i := range doc.Len() {
		out.starts = append(out.starts, int32(len(out.text)))
		space := true // no space is needed before the next word
		for line := doc.Line(i); len(line) > 0; {
			s, n := foldSymbol(line)
			blank := s <= unicode.MaxRune && isSpaceECMA(rune(s))
			switch {
			case !blank:
				out.text = append(out.text, line[:n]...)
			case !space: // the first blank after a word
				out.text = append(out.text, ' ')
			}
			space = blank
			line = line[n:]
		}
		if !space {
			out.text = append(out.text, ' ')
		}
		out.text = append(out.text, '\n')
	}
	out.starts = append(out.starts, int32(len(out.text)))
	return out
}
