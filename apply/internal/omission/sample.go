package omission

import (
	"bytes"
	"path"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// sampler follows the lines of a text for readers and knows which of them are samples of code: in a fence of Markdown, in a
// listing of AsciiDoc, in a literal block of reStructuredText. What is left out of a sample is left out for its readers.
type sampler struct {
	extension string
	fence     []byte // that is open; nil for none
	// literal is how deep the line is that begins a literal block, -1 where there is none.
	literal int
}

func newSampler(name string) *sampler {
	return &sampler{extension: strings.ToLower(path.Ext(name)), literal: -1}
}

// inside takes the next line, and reports whether it is part of a sample, its fences included.
func (s *sampler) inside(line []byte) bool {
	t := bytes.TrimSpace(line)
	switch {
	case s.fence != nil:
		if closesFence(s.fence, t) {
			s.fence = nil
		}
		return true
	case s.literal >= 0:
		if len(t) == 0 || len(text.Margin(line)) > s.literal {
			return true
		}
		s.literal = -1
	}
	if s.extension == ".rst" {
		if bytes.HasSuffix(t, []byte("::")) || bytes.HasPrefix(t, []byte(".. ")) && bytes.Contains(t, []byte("::")) {
			s.literal = len(text.Margin(line))
		}
		return false
	}
	s.fence = s.fenceOf(t)
	return s.fence != nil
}

// fenceOf is the fence that t opens, perhaps in a list or a quotation; nil if it opens none.
func (s *sampler) fenceOf(t []byte) []byte {
	t = bytes.TrimLeft(t, " \t>")
	marks := "`~"
	if s.extension == ".adoc" || s.extension == ".asciidoc" {
		if n := repeated(t); n >= 4 && n == len(t) && bytes.IndexByte([]byte("-."), t[0]) >= 0 {
			return t
		}
		marks = "`"
	} else if bullet, rest, ok := bytes.Cut(t, []byte{' '}); ok && len(bullet) <= 3 && !bytes.ContainsAny(bullet, marks) {
		t = bytes.TrimLeft(rest, " \t")
	}
	n := repeated(t)
	if n < 3 || strings.IndexByte(marks, t[0]) < 0 || t[0] == '`' && bytes.IndexByte(t[n:], '`') >= 0 {
		return nil
	}
	return t[:n]
}

// closesFence reports whether t is the end of what fence began.
func closesFence(fence, t []byte) bool {
	t = bytes.TrimLeft(t, " \t>")
	return len(t) >= len(fence) && t[0] == fence[0] && repeated(t) == len(t) && (fence[0] == '`' || fence[0] == '~' || len(t) == len(fence))
}

// repeated is how often the first byte of t is repeated at its begin.
func repeated(t []byte) int {
	n := 0
	for n < len(t) && t[n] == t[0] {
		n++
	}
	return n
}

// samples marks the lines of replace that are part of a sample if they come after the first lines of doc. It is nil if files of
// this name have no samples.
func samples(name string, doc *strategy.Document, first int, replace *strategy.Document) []bool {
	if !text.IsMarkup(name) {
		return nil
	}
	s := newSampler(name)
	for i := range first {
		s.inside(doc.Line(i))
	}
	out := make([]bool, replace.Len())
	for i := range out {
		out[i] = s.inside(replace.Line(i))
	}
	return out
}
