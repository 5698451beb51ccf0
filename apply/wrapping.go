package apply

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/strategy"
)

// unwrapped is the variant without what is wrapped around both of its sides: a fence, the file's own name as the first line,
// or both. It is nil if there is no wrapping, or if the document has such lines itself. occurs says that SEARCH occurs in the
// document without the wrapping.
func (l *locator) unwrapped(v *variant) (inner *variant, occurs bool) {
	n, m := v.search.Len(), v.replace.Len()
	if n == 0 || m == 0 {
		return nil, false
	}
	head, tail := wrapping(v.search.Document, l.path)
	if h, t := wrapping(v.replace, l.path); head == 0 || head+tail >= n || h != head || t != tail ||
		head > tail && l.doc.HasLine(v.search.Line(0)) || tail > 0 && bytes.Contains(l.doc.Text(), []byte("```")) {
		return nil, false
	}
	inside := func(side *strategy.Document) []byte { return side.Text()[side.Start(head):side.Start(side.Len()-tail)] }
	inner = &variant{
		name: "wrapping", divider: v.divider,
		search:  strategy.NewPattern(inside(v.search.Document), v.search.Hint),
		replace: strategy.NewDocument(inside(v.replace)),
	}
	for range strategy.KeyWindows(l.doc, inner.search) {
		return inner, true
	}
	return inner, false
}

// wrapping counts the lines at the beginning and at the end of a side that are wrapped around it.
func wrapping(side *strategy.Document, path string) (head, tail int) {
	n := side.Len()
	if name := string(bytes.TrimSpace(side.Line(0))); strings.ContainsAny(name, "./") &&
		(name == path || strings.HasSuffix(path, "/"+name)) {
		head = 1
	}
	if n < head+2 {
		return head, 0
	}
	opener, closer := side.Line(head), bytes.TrimRight(side.Line(n-1), " \t")
	info := bytes.TrimLeft(opener, "`")
	length := len(opener) - len(info)
	if length >= 3 && bytes.IndexByte(info, '`') < 0 && string(closer) == strings.Repeat("`", length) {
		return head + 1, 1
	}
	return head, 0
}
