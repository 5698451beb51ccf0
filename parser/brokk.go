package parser

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Brokk's prompts (CodePrompts.java) let SEARCH be a word for what is replaced, on a line of its
// own: the whole file, or something that only Brokk finds: "BRK_FUNCTION com.acme.Foo.bar",
// "BRK_CLASS com.acme.Foo", "BRK_CONFLICT_1".

// target returns Brokk's word that a SEARCH consists of; "" for any other.
func target(search []byte) string {
	word := bytes.TrimSpace(search)
	if !bytes.HasPrefix(word, []byte("BRK_")) || bytes.IndexByte(word, '\n') >= 0 {
		return ""
	}
	name, _, _ := bytes.Cut(word, []byte(" "))
	switch s := string(name); {
	case s == "BRK_ENTIRE_FILE", s == "BRK_CLASS", s == "BRK_FUNCTION":
		return s
	case bytes.HasPrefix(name, []byte("BRK_CONFLICT_")):
		return s
	}
	return ""
}

func unknownTarget(o *openBlock, out *output, end int) *Diagnostic {
	opener, at := o.m.Opener()
	line, _, _ := bytes.Cut(o.in.buf[o.m.Body():end], []byte("\n"))
	return &Diagnostic{Code: diagnosis.Malformed, Line: at.Line + 1, Found: fmt.Sprintf("%q, which only Brokk can resolve", mdline.Excerpt(line)),
		Expected: "the lines to replace, as they are in the file",
		Remedy:   out.remedy("write the block again, with the lines themselves in SEARCH", opener.Dialect)}
}
