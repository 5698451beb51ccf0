package reading

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/strategy"
)

// Unwrapped is the reading without what is wrapped around both of its sides: a fence, the file's own name as the first line,
// or both. It is nil if there is no wrapping, or if the document has such lines itself. occurs says that SEARCH occurs in the
// document without the wrapping.
func Unwrapped(doc *strategy.Document, path string, v *Reading) (inner *Reading, occurs bool) {
	n, m := v.Search.Len(), v.Replace.Len()
	if n == 0 || m == 0 {
		return nil, false
	}
	head, tail := wrapping(v.Search.Document, path)
	if h, t := wrapping(v.Replace, path); head == 0 || head+tail >= n || h != head || t != tail ||
		head > tail && doc.HasLine(v.Search.Line(0)) || tail > 0 && bytes.Contains(doc.Text(), []byte("```")) {
		return nil, false
	}
	inside := func(side *strategy.Document) []byte { return side.Text()[side.Start(head):side.Start(side.Len()-tail)] }
	inner = &Reading{
		Habits: []string{"wrapping"}, Divider: v.Divider,
		Search:  strategy.NewPattern(inside(v.Search.Document), v.Search.Hint),
		Replace: strategy.NewDocument(inside(v.Replace)),
	}
	for range strategy.KeyWindows(doc, inner.Search) {
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
